"""Four tests of whether shuffles are even, each of which gives one chance.

Theory. ``n`` different cards are shuffled ``times`` times. In each test the counts are
compared with what even shuffles would give, and the sum of squares is scaled by the
covariance that even shuffles have, so that it follows the chi-square distribution:

- the position table, which card lies where. Rows and columns each add up to ``times``;
  the covariance of one shuffle is a projection of rank ``(n - 1)^2``, over ``n - 1``.
- neighbours, which card follows which, the first one following the last. The table
  falls into a symmetric and an antisymmetric part, which are independent; an even
  cycle has the variances ``1/(n - 1)`` and ``n/((n - 1)(n - 2))`` there.
- the first card, with ``n - 1`` degrees of freedom.
- serial correlation of the cards' numbers, in a circle, whose mean and variance are
  those of Wald and Wolfowitz (1943).
"""

import math
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from support.chisquare import chance


class Shuffle(Protocol):
    """Brings cards into another order."""

    def __call__(self, cards: list[int], /) -> list[int]: ...


class Verdict(NamedTuple):
    """How likely it is, for each test, that even shuffles differ by as much."""

    position: float
    neighbours: float
    first: float
    serial: float

    def is_even(self, tests: int) -> bool:
        """Whether none is outside 99%, corrected for so many tests (Bonferroni).

        What is too even to be true is outside, too.
        """
        outside = 0.01 / tests / 2
        return all(outside <= chance <= 1 - outside for chance in self)

    def __str__(self) -> str:
        return ", ".join(f"{name} {p:.4f}" for name, p in self._asdict().items())


class Tally:
    """Counts of the orders of ``n`` cards, numbered from 0."""

    def __init__(self, n: int) -> None:
        self.times = 0
        self._n = n
        self._places, self._follows = [0] * (n * n), [0] * (n * n)
        self._offsets = range(0, n * n, n)

    def add(self, order: list[int]) -> None:
        """Count one order."""
        n, places, follows = self._n, self._places, self._follows
        last = order[-1]
        for offset, card in zip(self._offsets, order, strict=True):
            places[offset + card] += 1
            follows[last * n + card] += 1
            last = card
        self.times += 1

    def verdict(self) -> Verdict:
        """Judge what was counted."""
        n, times = self._n, self.times
        return Verdict(
            position=_position(self._places, n, times),
            neighbours=_neighbours(self._follows, n, times),
            first=_first(self._places[:n], n, times),
            serial=_serial(self._follows, n, times),
        )


def verdict_on(shuffle: Shuffle, n: int, times: int) -> Verdict:
    """Shuffle ``n`` cards so many times, and count."""
    tally, cards = Tally(n), list(range(n))
    for _ in range(times):
        tally.add(shuffle(cards))
    return tally.verdict()


def _position(places: list[int], n: int, times: int) -> float:
    squares = sum((count - times / n) ** 2 for count in places)
    return chance(squares * (n - 1) / times, (n - 1) ** 2)


def _first(counts: list[int], n: int, times: int) -> float:
    squares = sum((count - times / n) ** 2 for count in counts)
    return chance(squares * n / times, n - 1)


def _neighbours(follows: list[int], n: int, times: int) -> float:
    even = times / (n - 1)
    total = 0.0
    for there, back in _pairs(follows, n):
        symmetric, antisymmetric = (there + back) / 2 - even, (there - back) / 2
        total += 2 * symmetric**2 * (n - 1) / times
        total += 2 * antisymmetric**2 * (n - 1) * (n - 2) / n / times
    return chance(total, n * n - 3 * n + 1)


def _pairs(follows: list[int], n: int) -> Iterator[tuple[int, int]]:
    for a in range(n):
        for b in range(a):
            yield follows[a * n + b], follows[b * n + a]


def _serial(follows: list[int], n: int, times: int) -> float:
    """Return the chance of the mean of the products of neighbours."""
    values = [card - (n - 1) / 2 for card in range(n)]
    squares, fourths = (sum(value**power for value in values) for power in (2, 4))
    products = 0.0
    for a, value in enumerate(values):
        row = follows[a * n : (a + 1) * n]
        products += value * sum(map(float.__mul__, values, map(float, row)))
    mean = -squares / (n - 1)
    variance = (squares**2 - fourths) / (n - 1) - mean**2
    variance += (squares**2 - 2 * fourths) / ((n - 1) * (n - 2))
    deviation = (products / times - mean) / math.sqrt(variance / times)
    return chance(deviation**2, 1)
