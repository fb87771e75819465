"""Findings, proofs and notes: the results of a check of the server, counted."""

from dataclasses import dataclass

_HIGHEST = 10**40


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that cannot be as it was told; ``str()`` is a sentence."""

    round: int
    """The round in which it was told, or the next one where none is played."""
    what: str
    told: str = ""
    due: str = ""
    """The right thing, which should have been told instead."""
    is_alone: bool = False
    """Whether only the player can know it: commands, and times of arrival."""

    def __str__(self) -> str:
        compared = f" (told: {self.told}; due: {self.due})" if self.due else ""
        return f"Round {short_number(self.round)}: {self.what}{compared}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that may be chance or a fault, and is told and counted."""

    round: int
    what: str

    def __str__(self) -> str:
        return f"Round {short_number(self.round)}: {self.what}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A round whose cards and payouts follow from what was sealed and sent."""

    round: int
    digits: str
    """The digits by which players see that they had the same round."""
    is_ours: bool
    """Whether a link of ours is in it, if we had a stake in it."""

    def __str__(self) -> str:
        part = "" if self.is_ours else ", without a link of yours"
        return f"Round {self.round} is proven{part}: {self.digits}."


Remark = Finding | Note | Proof


class RefutedError(Exception):
    """Something told cannot be so; all three are texts, the last two may be empty."""

    def __init__(
        self, what: str, told: str = "", due: str = "", *, is_alone: bool = False
    ) -> None:
        """Remember them, and whether only the player can know it."""
        super().__init__(what, told, due)
        self.what, self.told, self.due = what, told, due
        self.is_alone = is_alone


def short_number(value: object) -> str:
    """Return a number of any size as text.

    >>> short_number(-5), short_number(10**5000)
    ('-5', 'a number beyond all bounds')
    """
    if isinstance(value, int) and abs(value) > _HIGHEST:
        return "a number beyond all bounds"
    return str(value)


@dataclass(slots=True, kw_only=True)
class Tally:
    """How many rounds were heard, and how their check ended."""

    whole: int = 0
    """Rounds that were heard whole, and played again."""
    partial: int = 0
    """Rounds that were heard in part, or under rules that are not known."""
    void: int = 0
    proven: int = 0
    """Whole rounds whose cards follow from their secret and links."""
    notes: int = 0


class Report:
    """The remarks of a check, in the order in which they come up."""

    def __init__(self) -> None:
        self.round = 0
        """The round that is bet on or played."""
        self.tally = Tally()
        self._remarks: list[Remark] = []

    def add(self, *remarks: Remark) -> None:
        """Add remarks."""
        self.tally.notes += sum(isinstance(remark, Note) for remark in remarks)
        self._remarks += remarks

    def find(
        self,
        what: str,
        told: str = "",
        due: str = "",
        *,
        is_alone: bool = True,
        number: int | None = None,
    ) -> None:
        """Add a finding: of the round that is on, if no ``number`` names another.

        Only the player can know it, if it is not said that signatures prove it.
        """
        number = self.round if number is None else number
        self.add(
            Finding(round=number, what=what, told=told, due=due, is_alone=is_alone)
        )

    def take(self) -> list[Remark]:
        """Return the remarks since the last call."""
        remarks, self._remarks = self._remarks, []
        return remarks
