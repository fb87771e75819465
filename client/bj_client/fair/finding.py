"""Findings: what a server has said that does not hold, and shoes that were proven."""

from dataclasses import dataclass

from bj_client.fair.due import short_number
from bj_client.text import counted

__all__ = ["Finding", "Proof", "Remark"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that cannot be as it was told; ``str()`` is a sentence."""

    round: int
    """The round in which it was told, or the next one where none is played."""
    what: str
    told: str = ""
    due: str = ""
    """What should have been told instead."""

    def __str__(self) -> str:
        """Return the sentence, which names the round."""
        compared = f" (told: {self.told}; due: {self.due})" if self.due else ""
        return f"Round {short_number(self.round)}: {self.what}{compared}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What a seed has shown of the rounds of its stream; ``str()`` is a sentence."""

    seed_sha256: str
    proven: int
    """Rounds that were heard whole, and whose cards are those that were cut."""
    partial: int
    """Rounds of which only a part was heard."""
    failed: int
    """Rounds whose cards are others."""

    def __str__(self) -> str:
        """Return the sentence."""
        if self.failed:
            rounds = counted(self.failed, "round")
            return f"NOT as they were cut: the cards of {rounds} of the last shoe."
        if not self.proven:
            return "Of the last shoe no round was seen whole, so none was checked."
        rounds, partial = counted(self.proven, "round"), counted(self.partial, "round")
        unseen = f" {partial} not seen whole." if self.partial else ""
        return (
            f"Checked: {rounds} of the last shoe came from the cards as they were cut."
            f"{unseen}"
        )


Remark = Finding | Proof
