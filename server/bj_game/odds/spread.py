"""The spread: how far the results of a round lie apart, for the risk of a bank.

Every play is the best one for shares of the ranks that never change, those of the full
shoe. Given the end of the dealer the halves of a split are independent, so each worth
is told for every end apart, as a mean and a mean square. That is exact for an endless
shoe. For one deck the standard deviation is off by less than one per cent, and the mean
by up to 0.13 per cent of the bet: ``odds.edge`` has the exact one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import sqrt

from bj_game.house import House
from bj_game.odds.column import upcards_of
from bj_game.odds.dealer import BLACKJACK, distribution
from bj_game.odds.hand import (
    OVER,
    Hand,
    alike,
    best_points,
    end_of,
    may_double,
    natural_result,
    result,
)
from bj_game.odds.position import full_shoe
from bj_game.odds.ranks import ACE, RANKS, TEN, Counts, whole_shoe
from bj_game.odds.split import is_frozen
from bj_game.odds.worth import hidden_rank

Two = tuple[tuple[float, ...], tuple[float, ...]]
"""The means and the mean squares of a result, by the end of the dealer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The result of one round, in first bets."""

    mean: float
    deviation: float
    """The standard deviation."""


@lru_cache(maxsize=256)
def spread(house: House) -> Spread:
    """Return how a round of one hand ends, played as is best.

    >>> found = spread(House(name="coin", title="", shoe="endless", hit=False,
    ...     split="none", double="none", insurance="none", dealer_draws="never"))
    >>> round(found.mean, 9), round(found.deviation, 3)
    (0.0, 0.963)
    """
    shoe = whole_shoe(house)
    mean = square = 0.0
    for upcard in upcards_of(house):
        share = 1.0 if upcard is None else shoe[upcard - 1] / sum(shoe)
        one, two = _Plays(house, upcard, full_shoe(house, upcard)).round()
        mean += share * one
        square += share * two
    return Spread(mean=mean, deviation=sqrt(square - mean * mean))


class _Plays:
    """The results against one upcard."""

    def __init__(self, house: House, upcard: int | None, left: Counts) -> None:
        self._house, self._upcard = house, upcard
        is_endless = house.shoe == "endless"
        found = distribution(house, upcard, left, is_endless=is_endless)
        looks = hidden_rank(house, upcard) != 0
        self._blackjack = found.pop(BLACKJACK, 0.0) if looks else 0.0
        self._ends = tuple(found)
        self._chances = [chance / (1 - self._blackjack) for chance in found.values()]
        self._shares = [n / sum(left) for n in left]
        self._stand = cache(self._stood)
        self._hit = cache(self._drawn)
        self._double = cache(self._doubled)

    def round(self) -> tuple[float, float]:
        """Return the mean and the mean square of all first two cards."""
        mean = square = 0.0
        for first, second in combinations_with_replacement(RANKS, 2):
            share = self._shares[first - 1] * self._shares[second - 1]
            orders = 1 if first == second else 2
            one, two = self._dealt(first, second)
            mean += orders * share * one
            square += orders * share * two
        return mean, square

    def _dealt(self, first: int, second: int) -> tuple[float, float]:
        house, lost = self._house, self._blackjack
        hand = Hand.of((first, second))
        is_natural = (first, second) == (ACE, TEN) and house.ace != "one"
        if is_natural:
            ends = [natural_result(house, end) for end in self._ends]
            best = (tuple(ends), tuple(pay * pay for pay in ends))
            tie = natural_result(house, BLACKJACK)
            before = (lost * tie, lost * tie * tie)
        else:
            best = self._first(hand, first == second)
            before = (-lost, lost)
        mean, square = ((1 - lost) * self._average(each) for each in best)
        mean, square = mean + before[0], square + before[1]
        if house.surrender == "early" and mean < -0.5:
            return -0.5, 0.25
        is_even = is_natural and house.even_money and self._upcard == ACE
        return (1.0, 1.0) if is_even and mean < 1 else (mean, square)

    def _first(self, hand: Hand, is_pair: bool) -> Two:
        """Return the best of all that a hand of two cards may do."""
        plays = self._unsplit(hand, doubles=True)
        if is_pair and self._house.split != "none":
            plays.append(self._split(hand.low // 2))
        if self._house.surrender == "late":
            half = tuple(-0.5 for _ in self._ends), tuple(0.25 for _ in self._ends)
            plays.append(half)
        return self._best(plays)

    def _split(self, rank: int) -> Two:
        """Return two hands, and more where the house allows, of a pair."""
        house = self._house
        halves = {second: self._half(rank, second) for second in RANKS}

        @cache
        def sum_of(waiting: int, hands: int) -> Two:
            """Return the sum of the halves that wait for their second card."""
            if not waiting:
                return (0.0,) * len(self._ends), (0.0,) * len(self._ends)
            is_split = hands < house.max_hands and (rank != ACE or house.resplit_aces)

            def best(second: int) -> Two:
                plays = [_both(halves[second], sum_of(waiting - 1, hands))]
                if second == rank and is_split:
                    plays.append(sum_of(waiting + 1, hands + 1))
                return self._best(plays)

            return self._mix(best)

        return sum_of(2, 2)

    def _half(self, rank: int, second: int) -> Two:
        house, hand = self._house, Hand.of((rank, second))
        if is_frozen(house, rank):
            return self._stand(best_points(house, hand))
        return self._best(self._unsplit(hand, doubles=house.double_after_split))

    def _unsplit(self, hand: Hand, *, doubles: bool) -> list[Two]:
        """Return all that a hand may do but split and surrender."""
        end = end_of(self._house, hand)
        if end is not None:
            return [self._stand(end)]
        plays = [self._stand(best_points(self._house, hand)), self._hit(hand)]
        if doubles and may_double(self._house, hand):
            plays.append(self._double(hand))
        return plays

    def _doubled(self, hand: Hand) -> Two:
        def ended(rank: int) -> Two:
            return self._stand(min(best_points(self._house, hand.plus(rank)), OVER))

        means, squares = self._mix(ended)
        return tuple(2 * one for one in means), tuple(4 * two for two in squares)

    def _drawn(self, hand: Hand) -> Two:
        def after(rank: int) -> Two:
            then = alike(self._house, hand.plus(rank))
            return self._best(self._unsplit(then, doubles=False))

        return self._mix(after)

    def _stood(self, points: int) -> Two:
        means = tuple(result(self._house, points, end) for end in self._ends)
        return means, tuple(mean * mean for mean in means)

    def _mix(self, part: Callable[[int], Two]) -> Two:
        """Return the mean over the next card."""
        parts = [(s, part(r)) for r, s in zip(RANKS, self._shares, strict=True) if s]
        return (
            _weighed((share, means) for share, (means, _) in parts),
            _weighed((share, squares) for share, (_, squares) in parts),
        )

    def _best(self, plays: Sequence[Two]) -> Two:
        return max(plays, key=lambda play: self._average(play[0]))

    def _average(self, each: Iterable[float]) -> float:
        return sum(map(float.__mul__, self._chances, each))


def _both(one: Two, other: Two) -> Two:
    """Return the sum of two results that are independent given the dealer's end."""
    means = tuple(map(float.__add__, one[0], other[0]))
    columns = zip(one[1], other[1], one[0], other[0], strict=True)
    return means, tuple(a + b + 2 * x * y for a, b, x, y in columns)


def _weighed(parts: Iterable[tuple[float, tuple[float, ...]]]) -> tuple[float, ...]:
    rows = [[share * each for each in row] for share, row in parts]
    return tuple(map(sum, zip(*rows, strict=True)))
