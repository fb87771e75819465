"""The dealer: where the dealer's hand ends, and how likely, given what is left.

The order in which cards are drawn changes nothing but how many orders lead to the same
cards. So all that the dealer can draw is listed once, as sets of cards with a number of
orders, for all shoes; the shoe only says how likely each set is.

A shoe with some cards out is reckoned with rank by rank, from the ten-values down. Once
a rank is done, sets that differ in it alone become one, and what is known so far serves
every shoe with the same high cards out. The low cards, of which hands have most, come
last, when little is left to multiply.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from math import perm
from operator import add, itemgetter, mul
from typing import NamedTuple

from bj_game.house import House
from bj_game.odds.ranks import ACE, RANKS, TEN, Counts

BUST, BLACKJACK = 0, 22
"""Ends of the dealer beside the totals; a blackjack is any 21 of two cards."""

_STANDS_ON = 17

_LOWEST = 3
"""The lowest rank that is done by itself; aces and twos are few sets, and last."""

_BITS = 5
_SIZE = _BITS * len(RANKS)
MASK = (1 << _BITS) - 1
"""The bits of one rank in a set of cards."""

ONE = {rank: 1 << _SIZE | 1 << _BITS * (rank - 1) for rank in RANKS}
"""A card in a set: some bits for each rank, and above them the number of cards."""

_FROM = {rank: (1 << _SIZE) - (1 << _BITS * (rank - 1)) for rank in RANKS}
"""The bits of a rank and of those above it."""


def held(cards: int, rank: int) -> int:
    """Return how many cards of a rank are in a set."""
    return cards >> shift_of(rank) & MASK


def shift_of(rank: int) -> int:
    """Return by how many bits the cards of a rank are shifted in a set."""
    return _BITS * (rank - 1)


def size_of(cards: int) -> int:
    """Return how many cards are in a set."""
    return cards >> _SIZE


_Pick = Callable[[Sequence[float]], Sequence[float]]
"""Picks numbers out of a list, in some order."""


class _Step(NamedTuple):
    """How the cards of one rank are reckoned with, in the sets of some ends."""

    ways: _Pick
    """Picks, of the ways to draw so many of the rank, those of each set."""
    merged: list[_Pick]
    """Picks the first of the sets that become one, then the second of each, and on."""


class _Steps(NamedTuple):
    """How the cards of all ranks are reckoned with, in the sets of some ends."""

    orders: list[float]
    """The orders of each set, times what its end wins."""
    high: dict[int, _Step]
    """Step by step, the ranks from the ten-values to the threes."""
    aces: _Pick
    twos: _Pick
    sizes: _Pick
    """Picks, of what the ways to draw so many cards are divided by, that of a set."""


Wins = tuple[tuple[int, float], ...]
"""What some ends of the dealer win; the others win nothing."""


class Draws:
    """All that the dealer can draw to one upcard, or to none, by the house's rules."""

    def __init__(
        self, upcard: int | None, ace_is_one: bool, is_drawing: bool, hits_soft: bool
    ) -> None:
        """List the sets, by their end."""
        self.sets: dict[int, dict[int, int]] = {}
        """The orders of each set, by end and set."""
        for end, cards, orders in _sets(upcard, ace_is_one, is_drawing, hits_soft):
            self.sets.setdefault(end, {})[cards] = orders
        self.ends = sorted(self.sets)
        self.steps = cache(self._steps)
        """The steps by what is won, each made when it is asked for."""

    def _steps(self, wins: Wins) -> _Steps:
        sets = [cards for end, _ in wins for cards in self.sets[end]]
        orders = [n * win for end, win in wins for n in self.sets[end].values()]
        high: dict[int, _Step] = {}
        for rank in range(TEN, _LOWEST - 1, -1):
            ways = _pick(held(cards, rank) for cards in sets)
            keep = ~(MASK << _BITS * (rank - 1))
            alike: dict[int, list[int]] = {}
            for place, cards in enumerate(sets):
                alike.setdefault(cards & keep, []).append(place)
            groups = sorted(alike.values(), key=len, reverse=True)
            sets = [sets[group[0]] & keep for group in groups]
            merged = [
                _pick(group[n] for group in groups if len(group) > n)
                for n in range(len(groups[0]))
            ]
            high[rank] = _Step(ways, merged)
        return _Steps(
            orders=orders,
            high=high,
            aces=_pick(held(cards, ACE) for cards in sets),
            twos=_pick(held(cards, 2) for cards in sets),
            sizes=_pick(map(size_of, sets)),
        )


class Shoe:
    """In how many ways cards are drawn from a shoe of which some are out."""

    def __init__(self, counts: Counts, *, is_endless: bool) -> None:
        """Draw from ``counts``; if it ``is_endless``, each card is put back."""
        self._counts, self._total = counts, sum(counts)
        self._take = pow if is_endless else perm
        self.ways = cache(self._ways)
        self.shares = cache(self._shares)

    def _ways(self, rank: int, out: int) -> list[float]:
        """Return the ways to draw 0, 1, 2... cards of a rank, ``out`` being out."""
        left = self._counts[rank - 1] - out
        return [float(self._take(left, n)) for n in range(MASK + 1)]

    def _shares(self, out: int) -> list[float]:
        """Return what one of the ways to draw 0, 1, 2... cards is of all of them."""
        left = self._total - out
        return [1 / (self._take(left, n) or 1) for n in range(MASK + 1)]


class Mean:
    """What the ends of the dealer win on average, by the cards out of a shoe."""

    def __init__(self, steps: _Steps, shoe: Shoe) -> None:
        """Follow the steps of what is won."""
        self._steps, self._shoe = steps, shoe
        self._known: dict[int, float] = {}
        self._high: dict[int, dict[int, Sequence[float]]] = {r: {} for r in RANKS}
        self._low: dict[int, Sequence[float]] = {}

    def of(self, out: int) -> float:
        """Return what is won on average while a set of cards is out."""
        mean = self._known.get(out)
        if mean is None:
            high, low = out & _FROM[_LOWEST], out & ~_FROM[_LOWEST]
            ways = self._high[_LOWEST].get(high) or self._drawn(_LOWEST, high)
            last = self._low.get(low) or self._drawn_low(low)
            mean = self._known[out] = sum(map(mul, ways, last))
        return mean

    def forget(self) -> None:
        """Keep the means, and none of the lists that they were made of."""
        self._low.clear()
        for known in self._high.values():
            known.clear()

    def _drawn(self, rank: int, out: int) -> Sequence[float]:
        """Return the ways to draw the cards of a rank, and of those above, of sets.

        Sets that differ in these only are one.
        """
        before: Sequence[float] = self._steps.orders
        if rank < TEN:
            above = out & _FROM[rank + 1]
            before = self._high[rank + 1].get(above) or self._drawn(rank + 1, above)
        step = self._steps.high[rank]
        ways = step.ways(self._shoe.ways(rank, held(out, rank)))
        each = list(map(mul, before, ways))
        first, *others = step.merged
        found = list(first(each))
        for pick in others:
            more = pick(each)
            found[: len(more)] = map(add, found, more)
        self._high[rank][out] = result = tuple(found)
        return result

    def _drawn_low(self, out: int) -> Sequence[float]:
        """Return the ways to draw the low cards of sets, as a share of all ways."""
        ways, steps = self._shoe.ways, self._steps
        low = map(
            mul,
            steps.aces(ways(ACE, held(out, ACE))),
            steps.twos(ways(2, held(out, 2))),
        )
        sizes = steps.sizes(self._shoe.shares(size_of(out)))
        self._low[out] = result = tuple(map(mul, low, sizes))
        return result


def draws_of(house: House, upcard: int | None) -> Draws:
    """Return all that the dealer of ``house`` can draw; made once."""
    return _draws(
        upcard, house.ace == "one", house.dealer_draws != "never", house.hit_soft_17
    )


def distribution(
    house: House, upcard: int | None, counts: Counts, *, is_endless: bool
) -> dict[int, float]:
    """Return how likely each end of the dealer is, drawing from ``counts``.

    The ends are the totals, ``BUST`` and ``BLACKJACK``.
    """
    draws, shoe = draws_of(house, upcard), Shoe(counts, is_endless=is_endless)
    return {end: Mean(draws.steps(((end, 1.0),)), shoe).of(0) for end in draws.ends}


_draws = cache(Draws)


def _pick(places: Iterable[int]) -> _Pick:
    """Return what picks the items at some places."""
    first, *others = places
    return itemgetter(first, *others) if others else itemgetter(slice(first, first + 1))


def _sets(
    upcard: int | None, ace_is_one: bool, is_drawing: bool, hits_soft: bool
) -> Iterator[tuple[int, int, int]]:
    """Yield where the dealer may end, the cards drawn to it, and in how many orders."""
    start = (0, upcard or 0, upcard == ACE)
    layer = {start: 1}
    size = 0
    while layer:
        longer: dict[tuple[int, int, bool], int] = {}
        cards = size + (upcard is not None)
        for (drawn, low, has_ace), orders in layer.items():
            is_soft = has_ace and low <= 11 and not ace_is_one
            points = low + 10 * is_soft
            is_soft_17 = is_soft and points == _STANDS_ON
            is_short = points < _STANDS_ON or (is_soft_17 and hits_soft)
            if cards < 2 or (is_drawing and is_short):
                for rank, one in ONE.items():
                    more = (drawn + one, low + rank, has_ace or rank == ACE)
                    longer[more] = longer.get(more, 0) + orders
                continue
            end = BUST if points > 21 else points
            if cards == 2 and points == 21:
                end = BLACKJACK
            yield end, drawn, orders
        layer, size = longer, size + 1
