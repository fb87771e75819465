"""Comparison: whether a server has told several players the same story.

Pure. It compares the signed statements, which the maker of a record cannot have made
up. Two statements of the same update with different heads prove by themselves that one
of them is false.
"""

from dataclasses import dataclass
from typing import Any

from bj_protocol.messages import Signed
from bj_protocol.proof import StatementKind

_OF_ROUNDS = frozenset({StatementKind.CALL, StatementKind.END, StatementKind.VOID})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement with a good signature, and its file."""

    file: str
    key: str
    run: str
    signed: Signed

    @property
    def table(self) -> tuple[str, str, str]:
        """The key, run and name of the table that the story is of."""
        return self.key, self.run, self.signed.table

    @property
    def fields(self) -> dict[str, Any]:
        """All that is needed to check the signature."""
        said = self.signed.model_dump(mode="json", exclude={"type"})
        return {"key": self.key, "run": self.run, **said}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two statements that cannot both be true; ``str()`` is a sentence."""

    first: Stated
    second: Stated

    @property
    def is_proof(self) -> bool:
        """Whether the two prove it without the records that they are in."""
        return self.first.signed.seq == self.second.signed.seq

    def __str__(self) -> str:
        first, second = self.first.signed, self.second.signed
        worth = "both are signed by the server, after updates of different numbers"
        if self.is_proof:
            worth = f"for update {first.seq} the server has signed two stories"
        return (
            f"Round {min(first.round, second.round)} of table {first.table}: "
            f"{self.first.file} and {self.second.file} part here; {worth}"
        )


_Place = tuple[tuple[str, str, str], int]
"""A table of a run, and the number of an update or a round there."""


class Comparison:
    """All that was signed in some files, each table of each run by itself."""

    def __init__(self) -> None:
        self._updates: dict[_Place, Stated] = {}
        self._rounds: dict[_Place, dict[StatementKind, Stated]] = {}
        self._files: dict[_Place, set[str]] = {}
        self._contradicted: dict[_Place, Contradiction] = {}

    def add(self, stated: Stated) -> None:
        """Compare a statement with those before it."""
        table, signed = stated.table, stated.signed
        place = table, signed.round
        known = self._updates.setdefault((table, signed.seq), stated)
        if signed.kind in _OF_ROUNDS:
            self._files.setdefault(place, set()).add(stated.file)
            of_round = self._rounds.setdefault(place, {})
            same = of_round.setdefault(signed.kind, stated)
            known = same if known.signed.head == signed.head else known
        if known.signed.head != signed.head:
            contradiction = Contradiction(first=known, second=stated)
            old = self._contradicted.setdefault(place, contradiction)
            if contradiction.is_proof and not old.is_proof:
                self._contradicted[place] = contradiction

    @property
    def rounds(self) -> int:
        """How many rounds more than one file has."""
        return sum(len(files) > 1 for files in self._files.values())

    @property
    def contradictions(self) -> list[Contradiction]:
        """The first contradiction of each table of each run."""
        first: dict[tuple[str, str, str], Contradiction] = {}
        for (table, _), contradiction in sorted(
            self._contradicted.items(), key=lambda each: each[0]
        ):
            first.setdefault(table, contradiction)
        return list(first.values())

    @property
    def parted(self) -> int:
        """How many rounds are not the same."""
        return len(self._contradicted)
