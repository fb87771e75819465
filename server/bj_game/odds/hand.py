"""Hands: what the rules see of some cards, and what a hand wins in the end."""

from typing import NamedTuple

from bj_game.house import House
from bj_game.odds.dealer import BLACKJACK, BUST
from bj_game.odds.ranks import ACE

OVER, CHARLIE = 22, 23
"""What a hand may come to beside its points: over 21, or a win by its cards."""

PAYS = {"1:1": 1.0, "6:5": 1.2, "3:2": 1.5, "2:1": 2.0}
"""What is won for each unit of a wager."""

_DOUBLES = {"9-11": range(9, 12), "10-11": range(10, 12)}


class Hand(NamedTuple):
    """Cards as the rules see them: their points with aces as 1, aces, and cards.

    >>> Hand.of((1, 7, 10))
    Hand(low=18, aces=1, size=3)
    """

    low: int
    aces: int
    size: int

    @classmethod
    def of(cls, ranks: tuple[int, ...]) -> "Hand":
        """Return the hand of some cards."""
        return cls(sum(ranks), ranks.count(ACE), len(ranks))

    def plus(self, rank: int) -> "Hand":
        """Return the hand with one more card."""
        return Hand(self.low + rank, self.aces + (rank == ACE), self.size + 1)


def best_points(house: House, hand: Hand) -> int:
    """Return the best points that the house allows a hand."""
    is_soft = hand.aces == 1 if house.ace == "player" else hand.aces > 0
    return hand.low + 10 * (is_soft and house.ace != "one" and hand.low <= 11)


def end_of(house: House, hand: Hand) -> int | None:
    """Return what a hand comes to that draws no more; None if it may."""
    points = best_points(house, hand)
    if points > 21:
        return OVER
    if house.charlie and hand.size >= house.charlie:
        return CHARLIE
    is_complete = points == 21 and house.complete_at_21
    return points if is_complete or not house.hit else None


def alike(house: House, hand: Hand) -> Hand:
    """Return a hand that is played alike: where nothing counts cards, of no size."""
    size = hand.size if house.charlie else 0
    return Hand(hand.low, min(hand.aces, 2), size)


def may_double(house: House, hand: Hand) -> bool:
    """Return whether the house lets two such cards be doubled."""
    if house.double in ("none", "any_two"):
        return house.double == "any_two"
    is_hard = house.ace == "player" or best_points(house, hand) == hand.low
    return is_hard and hand.low in _DOUBLES[house.double]


def result(house: House, points: int, end: int) -> float:
    """Return what a hand that is no natural wins against an end of the dealer.

    >>> result(House(name="cpsc386", title=""), 20, 19)
    1.0
    """
    if points == CHARLIE:
        return 1.0
    if points == OVER:
        return 0.0 if end == BUST and house.both_bust == "push" else -1.0
    if end == BUST:
        return 1.0
    if end == BLACKJACK and house.knows_blackjack:
        return 0.0 if points == 21 and not house.blackjack_beats_21 else -1.0
    total = min(end, 21)
    if points == total:
        return 0.0 if house.tie == "push" else -1.0
    return 1.0 if points > total else -1.0


def natural_result(house: House, end: int) -> float:
    """Return what a natural wins against an end of the dealer.

    >>> natural_result(House(name="cpsc386", title=""), 21)
    0.0
    """
    if end == BLACKJACK and house.knows_blackjack:
        return 0.0 if house.tie == "push" else -1.0
    if house.natural != "plain":
        return PAYS[house.natural]
    return result(house, 21, end)
