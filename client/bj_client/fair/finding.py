"""Findings, proofs and notes: what a check of the server has to say."""

from dataclasses import dataclass

from bj_client.fair.due import short_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that cannot be as it was told; ``str()`` is a sentence."""

    round: int
    """The round in which it was told, or the next one where none is played."""
    what: str
    told: str = ""
    due: str = ""
    """What should have been told instead."""
    is_alone: bool = False
    """Whether only the player can know it: what was sent, and when anything came."""

    def __str__(self) -> str:
        """Return the sentence, which names the round."""
        compared = f" (told: {self.told}; due: {self.due})" if self.due else ""
        return f"Round {short_number(self.round)}: {self.what}{compared}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that may be chance or a fault, and is told and counted."""

    round: int
    what: str

    def __str__(self) -> str:
        """Return the sentence, which names the round."""
        return f"Round {short_number(self.round)}: {self.what}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A round whose cards and payouts follow from what was sealed and sent."""

    round: int
    digits: str
    """By which players can see that they had the same round."""
    is_ours: bool
    """Whether a link of ours is in it, if we had a stake in it."""

    def __str__(self) -> str:
        """Return the sentence."""
        part = "" if self.is_ours else ", without a link of yours"
        return f"Round {self.round} is proven{part}: {self.digits}."


Remark = Finding | Note | Proof
