"""How long a hint takes the first time that it is asked for, at every shipped house.

Each hand is one of two cards, or one of three to five low ones, which have most before
them. Times are those of the processor, in milliseconds, of what the client asks when a
play of a hand is open: ``bj_game.odds.values``. What the dealer can draw is listed once
for all houses, so only the first of them tells what that takes.
"""

import time
from collections.abc import Iterator
from itertools import combinations_with_replacement
from statistics import median, quantiles

from bj_game.house import House
from bj_game.odds import ahead, values
from bj_game.odds.position import worth_of
from bj_game.odds.ranks import ranks_of, whole_shoe

LONGEST = 20
"""The milliseconds that a hint may take."""

_RANKS = "A23456789T"
_LOW = ("AAA", "222", "333", "A23", "A24", "5A5", "77A", "A22A", "3333", "2222A")


def hands(house: House) -> Iterator[tuple[list[str], str | None]]:
    """Yield hands of a house, each with an upcard."""
    pairs = map("".join, combinations_with_replacement(_RANKS, 2))
    upcards = [None] if house.deal == "dealer_last" else [rank + "d" for rank in _RANKS]
    for ranks in (*pairs, *_LOW):
        cards = [rank + suit for rank, suit in zip(ranks, "shcds", strict=False)]
        for upcard in upcards:
            out = ranks_of(cards if upcard is None else [*cards, upcard])
            is_there = all(out.count(r) <= whole_shoe(house)[r - 1] for r in out)
            if is_there or house.shoe == "endless":
                yield cards, upcard


def first_sights(house: House) -> list[float]:
    """Return how long hints take of which nothing is known, not even a neighbour."""
    times = []
    for cards, upcard in hands(house):
        worth_of.cache_clear()
        times.append(_spent(house, cards, upcard))
    return times


def after_ahead(house: House) -> tuple[float, list[float]]:
    """Return how long all hands take ahead, and hints then."""
    worth_of.cache_clear()
    start = time.process_time()
    for _ in ahead(house):
        pass
    spent = 1000 * (time.process_time() - start)
    return spent, [_spent(house, *hand) for hand in hands(house)]


def figures(times: list[float]) -> list[str]:
    """Return the median, the 90th percentile, the longest, and how many are late."""
    late = sum(each > LONGEST for each in times)
    ends = median(times), quantiles(times, n=10)[-1], max(times)
    return [*(f"{each:.1f}" for each in ends), f"{late} of {len(times)}"]


def _spent(house: House, cards: list[str], upcard: str | None) -> float:
    start = time.process_time()
    values(house, cards, upcard)
    return 1000 * (time.process_time() - start)
