"""Chance: whether a shoe that nobody saw filled can be what honest rounds have left.

Whoever comes in the middle of a shoe has the server's word for what is in it. What is
left is as good as a handful of the full shoe, so how many there may be of each rank,
and of low and high cards, is known to the last tail.
"""

from math import comb

from bj_game.card import PACK, RANKS
from bj_game.house import House

_NO_CHANCE = 1e-9
"""Less than for other things, since long rounds have more small cards in them."""
_GROUPS = (*RANKS, "23456", "TJQKA")


def could_be_left(counts: tuple[int, ...], house: House) -> bool:
    """Whether ``counts`` of the cards of a pack may be left of a shoe of ``house``."""
    cards, left = 52 * house.decks, sum(counts)
    most = _NO_CHANCE / (2 * len(_GROUPS))
    for ranks in _GROUPS:
        in_shoe = 4 * house.decks * len(ranks)
        places = zip(PACK, counts, strict=True)
        there = sum(count for card, count in places if card.rank in ranks)
        least = max(0, left - cards + in_shoe)
        below = _tail(cards, in_shoe, left, range(least, there + 1))
        above = _tail(cards, in_shoe, left, range(there, min(in_shoe, left) + 1))
        if min(below, above) < most:
            return False
    return True


def _tail(cards: int, in_shoe: int, left: int, counts: range) -> float:
    """Return the chance that so many of a group of cards are left."""
    ways = sum(comb(in_shoe, n) * comb(cards - in_shoe, left - n) for n in counts)
    return ways / comb(cards, left)
