"""Exact plays: every card that is drawn is taken out of what is left."""

from dataclasses import dataclass, field
from functools import cache, partial

from bj_game.house import House
from bj_game.odds.dealer import (
    BLACKJACK,
    MASK,
    ONE,
    Mean,
    Shoe,
    Wins,
    draws_of,
    held,
    shift_of,
    size_of,
)
from bj_game.odds.hand import OVER, Hand, alike, best_points, end_of
from bj_game.odds.ranks import RANKS, Counts
from bj_game.odds.worth import State, Steady, Worth, rows_of

_SMALL = 120
"""Of a shoe with fewer cards each that is out changes much."""


class Exact(Worth):
    """Plays that take every card out of what is left."""

    is_steady = False

    def __init__(self, house: House, upcard: int | None, counts: Counts) -> None:
        """Reckon with ``counts``, the cards that are left besides the upcard."""
        super().__init__(house, upcard, counts)
        self.followed = 3 if self._total < _SMALL else 2
        self._doubt = 13 / self._total
        """Where hitting and standing differ by more with steady shares, the cards are
        not asked which is better."""
        self._draws = draws_of(house, upcard)
        self._shoe = Shoe(counts, is_endless=False)
        self._means: dict[Wins, Mean] = {}
        self._result = cache(self._result_of)
        self._steady = Steady(house, upcard, counts, partial(self._stand, 0))
        self._spot = cache(self._spot_of)

    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""
        return self._hit(state.out, self._spot(alike(self.house, state.hand)))

    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        end = end_of(self.house, state.hand)
        if end is not None:
            return self._stand(state.out, end)
        return self._best(state.out, self._spot(alike(self.house, state.hand)))

    def forget(self) -> None:
        """Keep what plays are worth, and none of the lists that it was made of."""
        for mean in self._means.values():
            mean.forget()

    def _best(self, out: int, spot: "_Spot") -> float:
        if spot.is_hit:
            return self._hit(out, spot)
        stand = self._stand(out, spot.points)
        return stand if spot.is_hit is False else max(stand, self._hit(out, spot))

    def _hit(self, out: int, spot: "_Spot") -> float:
        worth = spot.hits.get(out)
        if worth is not None:
            return worth
        worth, left = 0.0, self._total - size_of(out)
        over = left
        for count, shift, one, then, end in spot.cards or self._look(spot):
            n = count - (out >> shift & MASK)
            if n > 0:
                over -= n
                if then is None:
                    worth += n * self._stand(out + one, end)
                else:
                    worth += n * self._best(out + one, then)
        if over:
            worth += self._over(out, spot, over)
        worth = spot.hits[out] = worth / left
        return worth

    def _over(self, out: int, spot: "_Spot", n: int) -> float:
        """Return the sum of what ``n`` cards are worth that are too many."""
        most, mean = self._result(OVER)
        left = self._total - size_of(out)
        if mean is not None:
            # On average a card that is out, and nobody knows, changes nothing.
            worth = left * self._stand(out, OVER)
            for count, shift, one, _, _ in spot.cards:
                alike = count - (out >> shift & MASK)
                if alike > 0:
                    worth -= alike * self._stand(out + one, OVER)
            return worth
        if not self._hidden:
            return most * n
        hidden = self._counts[self._hidden - 1] - held(out, self._hidden)
        return most * (n - hidden * (n - spot.may_hide) / (left - 1))

    def _stand(self, out: int, points: int) -> float:
        most, mean = self._result(points)
        worth = most * self._clear(out) if self._hidden else most
        return worth if mean is None else worth + mean.of(out)

    def _result_of(self, points: int) -> tuple[float, Mean | None]:
        """Return what points win mostly, and how much more on average.

        The less the dealer can draw to those ends that win more, the better.
        """
        row, sets = rows_of(self.house, self.upcard)[points], self._draws.sets
        ends = [end for end in sets if not (self._hidden and end == BLACKJACK)]
        alike: dict[float, int] = {}
        for end in ends:
            alike[row[end]] = alike.get(row[end], 0) + len(sets[end])
        most = max(alike, key=alike.__getitem__)
        wins = tuple((end, row[end] - most) for end in ends if row[end] != most)
        if wins and wins not in self._means:
            self._means[wins] = Mean(self._draws.steps(wins), self._shoe)
        return most, self._means.get(wins)

    def _spot_of(self, hand: Hand) -> "_Spot":
        state = State(hand)
        gain = self._steady.hit(state) - self._steady.stand(state)
        is_hit = None if abs(gain) <= self._doubt else gain > 0
        return _Spot(hand, best_points(self.house, hand), is_hit)

    def _look(self, spot: "_Spot") -> "list[_Card]":
        """Tell a spot its next cards."""
        for rank, count in zip(RANKS, self._counts, strict=True):
            hand = spot.hand.plus(rank)
            end = end_of(self.house, hand)
            if end == OVER:
                spot.may_hide |= rank == self._hidden
                continue
            then = self._spot(alike(self.house, hand)) if end is None else None
            if then is not None and then.is_hit is False:
                end, then = then.points, None
            spot.cards.append((count, shift_of(rank), ONE[rank], then, end or 0))
        return spot.cards


_Card = tuple[int, int, int, "_Spot | None", int]
"""How many there are of a rank, its shift and bit, and the spot then, or the end."""


@dataclass(slots=True, eq=False)
class _Spot:
    """Hands that may go on, and are played alike."""

    hand: Hand
    points: int
    is_hit: bool | None
    """Whether to hit; None where the cards must be asked."""
    cards: list[_Card] = field(default_factory=list)
    """The next cards that are not too many."""
    may_hide: bool = False
    """Whether one that is too many is the one that the dealer does not hide."""
    hits: dict[int, float] = field(default_factory=dict)
    """The worth of hitting, by the cards that are out."""
