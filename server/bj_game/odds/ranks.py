"""Ranks: how many cards of each value are left, and the cards that are taken out.

A rank is the points of its cards, 1 for an ace and 10 for every ten-value.
"""

from collections.abc import Iterable, Sequence

from bj_game.card import CARDS
from bj_game.house import House

ACE, TEN = 1, 10
RANKS = range(ACE, TEN + 1)

Counts = tuple[int, ...]
"""How many cards are left of each rank, from the aces to the ten-values."""


def whole_shoe(house: House) -> Counts:
    """Return the cards of a full shoe; those of one deck where it is endless.

    >>> whole_shoe(House(name="cpsc386", title=""))
    (32, 32, 32, 32, 32, 32, 32, 32, 32, 128)
    """
    decks = 1 if house.shoe == "endless" else house.decks
    return (4 * decks,) * 9 + (16 * decks,)


def without(counts: Sequence[int], ranks: Iterable[int]) -> Counts:
    """Return what is left of ``counts`` once some cards are taken out.

    Raises:
        ValueError: if there are not so many.
    """
    left = list(counts)
    for rank in ranks:
        left[rank - 1] -= 1
    if min(left) < 0:
        raise ValueError(f"There are no {left.index(min(left)) + 1}s left to take out.")
    return tuple(left)


def ranks_of(cards: Iterable[str]) -> tuple[int, ...]:
    """Return the ranks of cards that are written as in ``Td``.

    >>> ranks_of(["As", "Td", "Kh"])
    (1, 10, 10)
    """
    return tuple(CARDS[card].value for card in cards)
