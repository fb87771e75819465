"""The words of the reference: what goes into a round, and what comes out."""

from typing import NamedTuple


class Bet(NamedTuple):
    """The stake of a seat on each of its spots, and what it is free to wager then."""

    seat: int
    amount: int
    funds: int
    spots: int = 1


class Answer(NamedTuple):
    """The play of a seat, ``"hit"`` and so on; ``amount`` is that of an insurance."""

    seat: int
    play: str
    amount: int = 0


class Question(NamedTuple):
    """What a hand is asked: its legal plays, and the limits of an insurance."""

    seat: int
    hand: int
    plays: frozenset[str]
    insurance: tuple[int, int, int] | None = None
    """The smallest and largest amount and the step, where it may be insured."""


class HandEnd(NamedTuple):
    """How a hand ended; the payout has the returned stake in it."""

    seat: int
    hand: int
    cards: tuple[str, ...]
    total: int
    outcome: str
    reason: str
    stake: int
    payout: int


class InsuranceEnd(NamedTuple):
    """How an insurance ended; the payout has the wager in it."""

    seat: int
    hand: int
    amount: int
    outcome: str
    payout: int


class Settlement(NamedTuple):
    """A whole round by the rules."""

    dealer: tuple[str, ...]
    total: int
    """Of the dealer."""
    hands: tuple[HandEnd, ...]
    insurances: tuple[InsuranceEnd, ...]
    nets: dict[int, int]
    """What each seat won or lost in all."""
    asked: tuple[tuple[Question, ...], ...]
    """The open questions before each answer."""
    drawn: int
    """How many cards came out."""
