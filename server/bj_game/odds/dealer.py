"""The dealer: where the dealer's hand ends, and how likely, given what is left.

The order in which cards are drawn changes nothing but how many orders lead to the same
cards. So all that the dealer can draw is listed once, as sets of cards with a number of
orders, for all shoes; the shoe only says how likely each set is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from math import perm
from operator import mul
from typing import TypeVar

from bj_game.house import House
from bj_game.odds.ranks import RANKS, Counts

BUST, BLACKJACK = 0, 22
"""Ends of the dealer beside the totals; a blackjack is any 21 of two cards."""

_STANDS_ON = 17
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class _Run:
    """Cards that the dealer may draw: where they end, and in how many orders."""

    size: int
    end: int
    drawn: Counts
    orders: int


@dataclass(frozen=True, slots=True)
class Part:
    """The runs of one size, from ``start`` to ``stop`` in the list of all."""

    size: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Group(Part):
    """The runs of one size and end."""

    end: int


class Draws:
    """All that the dealer can draw to one upcard, or to none, by the house's rules."""

    def __init__(
        self, upcard: int | None, ace_is_one: bool, is_drawing: bool, hits_soft: bool
    ) -> None:
        """List the runs, by their size and end."""
        runs = sorted(
            _runs(upcard, ace_is_one, is_drawing, hits_soft),
            key=lambda run: (run.size, run.end),
        )
        self.orders = [float(run.orders) for run in runs]
        self.drawn = [[run.drawn[rank - 1] for run in runs] for rank in RANKS]
        """How many cards of each rank, by run."""
        self.cards = [
            (run.end, [(rank, n) for rank, n in enumerate(run.drawn, 1) if n])
            for run in runs
        ]
        self.groups = [
            Group(size, *span, end)
            for (size, end), span in _spans([(run.size, run.end) for run in runs])
        ]
        self.sizes = [
            Part(size, *span) for size, span in _spans([run.size for run in runs])
        ]
        self.ends = sorted({group.end for group in self.groups})
        self.longest = runs[-1].size
        self.less = lru_cache(maxsize=256)(self._less)
        """By rank and number of its cards, how much less likely each run is with one
        of them less."""

    def weights(self, counts: Sequence[int], *, is_endless: bool) -> list[float]:
        """Return in how many ways each run may come from ``counts``.

        Divided by the ways to draw as many cards it is how likely the run is.
        """
        take = pow if is_endless else perm
        result = self.orders
        for column, n in zip(self.drawn, counts, strict=True):
            ways = [float(take(n, k)) for k in range(max(column) + 1)]
            result = list(map(mul, result, map(ways.__getitem__, column)))
        return result

    def _less(self, rank: int, n: int) -> list[float]:
        drawn = self.drawn[rank - 1]
        least = [(n - k) / n for k in range(max(drawn) + 1)]
        return [least[k] for k in drawn]


def draws_of(house: House, upcard: int | None) -> Draws:
    """Return all that the dealer of ``house`` can draw; made once."""
    return _draws(
        upcard, house.ace == "one", house.dealer_draws != "never", house.hit_soft_17
    )


def ends_of(
    draws: Draws, weights: Sequence[float], left: int, *, is_endless: bool
) -> dict[int, float]:
    """Return how likely each end is, with ``weights`` of the runs, and cards left."""
    take = pow if is_endless else perm
    found = dict.fromkeys(draws.ends, 0.0)
    for group in draws.groups:
        ways = take(left, group.size) or 1
        found[group.end] += sum(weights[group.start : group.stop]) / ways
    return found


def distribution(
    house: House, upcard: int | None, counts: Counts, *, is_endless: bool
) -> dict[int, float]:
    """Return how likely each end of the dealer is, drawing from ``counts``.

    The ends are the totals, ``BUST`` and ``BLACKJACK``.
    """
    draws = draws_of(house, upcard)
    weights = draws.weights(counts, is_endless=is_endless)
    return ends_of(draws, weights, sum(counts), is_endless=is_endless)


_draws = cache(Draws)


def _spans(keys: Sequence[_Key]) -> Iterator[tuple[_Key, tuple[int, int]]]:
    """Yield each key, and from where to where it stands in a sorted list."""
    start = 0
    for key, found in groupby(keys):
        stop = start + len(list(found))
        yield key, (start, stop)
        start = stop


def _runs(
    upcard: int | None, ace_is_one: bool, is_drawing: bool, hits_soft: bool
) -> Iterator[_Run]:
    layer: Counter[Counts] = Counter({(0,) * len(RANKS): 1})
    size = 0
    while layer:
        longer: Counter[Counts] = Counter()
        cards = size + (upcard is not None)
        for drawn, orders in layer.items():
            low = (upcard or 0) + sum(map(mul, RANKS, drawn))
            aces = drawn[0] + (upcard == 1)
            is_soft = aces > 0 and low <= 11 and not ace_is_one
            points = low + 10 * is_soft
            is_soft_17 = is_soft and points == _STANDS_ON
            is_short = points < _STANDS_ON or (is_soft_17 and hits_soft)
            if cards < 2 or (is_drawing and is_short):
                for place in range(len(RANKS)):
                    more = (*drawn[:place], drawn[place] + 1, *drawn[place + 1 :])
                    longer[more] += orders
                continue
            end = BUST if points > 21 else points
            if cards == 2 and points == 21:
                end = BLACKJACK
            yield _Run(size, end, drawn, orders)
        layer, size = longer, size + 1
