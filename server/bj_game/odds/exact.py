"""Exact plays: every card that is drawn is taken out of what is left."""

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from math import perm
from operator import mul

from bj_game.house import House
from bj_game.odds.dealer import Part, draws_of, ends_of
from bj_game.odds.hand import OVER, Hand, alike, best_points, end_of
from bj_game.odds.ranks import RANKS, Counts
from bj_game.odds.steady import Steady
from bj_game.odds.worth import NATURAL, State, hidden_rank, rows_of

Ends = tuple[tuple[int, int], ...]
"""Ranks, and what a hand comes to by a card of each."""

_SMALL = 120
"""Of a shoe with fewer cards each that is out changes much."""

_BITS = 5
_ONE = {rank: 1 << _BITS * (rank - 1) for rank in RANKS}


class Exact:
    """Plays that take every card out of what is left."""

    def __init__(
        self,
        house: House,
        upcard: int | None,
        counts: Counts,
        *,
        doubt: float | None = None,
    ) -> None:
        """Reckon with ``counts``, the cards that are left besides the upcard.

        Where hitting and standing differ by more than ``doubt`` with steady shares, the
        cards are not asked which is better.
        """
        self.house, self.upcard, self.is_steady = house, upcard, False
        self._counts, self._total = counts, sum(counts)
        self.followed = 3 if self._total < _SMALL else 2
        self.splits: dict[tuple[int, Hand, int], float] = {}
        self._ways = cache(self._ways_of)
        self._doubt = 13 / self._total if doubt is None else doubt
        self._rows = rows_of(house, upcard)
        self._draws = draws_of(house, upcard)
        self._whole = self._draws.weights(counts, is_endless=False)
        self._steady = self._steady_at(self.state(Hand.of(()), ()))
        self._known: dict[tuple[int, Hand], float] = {}
        self._plan = cache(self._plan_of)
        self._taken = cache(partial(_taken_of, house, upcard))
        self._is_hit = cache(self._is_hit_of)

    def state(self, hand: Hand, out: tuple[int, ...]) -> State:
        """Return the state of a hand while some cards are out."""
        state = State(hand, 0, self._total, self._whole)
        for rank in out:
            state = self.without(state, rank)
        return state

    def seconds(self, state: State) -> Iterator[tuple[int, float, State]]:
        """Yield each next card of the hand, how likely it is, and the state then."""
        for rank in RANKS:
            n = self.count(state, rank)
            if n > 0:
                then = self.without(state, rank)
                yield (
                    rank,
                    n / state.left,
                    then._replace(hand=state.hand.plus(rank)),
                )

    def without(self, state: State, rank: int) -> State:
        """Return the state with one more card out that is not in the hand."""
        less = self._draws.less(rank, self.count(state, rank))
        return State(
            state.hand,
            state.out + _ONE[rank],
            state.left - 1,
            list(map(mul, state.chances, less)),
        )

    def count(self, state: State, rank: int) -> int:
        """Return how many cards of a rank are left."""
        out = state.out >> _BITS * (rank - 1) & (1 << _BITS) - 1
        return self._counts[rank - 1] - out

    def clear(self, state: State) -> float:
        """Return how likely the dealer has no blackjack that ends the round at once."""
        hidden = hidden_rank(self.house, self.upcard)
        return 1 - self.count(state, hidden) / state.left if hidden else 1.0

    def stand(self, state: State, points: int | None = None) -> float:
        """Return the worth of standing, on the best points if none are told."""
        return self._sum(state, points or best_points(self.house, state.hand))

    def natural(self, state: State) -> float:
        """Return the worth of a natural, the dealer's blackjack included."""
        return self._sum(state, NATURAL)

    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""
        going_on, ends = self._plan(alike(self.house, state.hand))
        worth = self._last_card(state, ends) if ends else 0.0
        for rank in going_on:
            n = self.count(state, rank)
            if n > 0:
                key = (state.out + _ONE[rank], state.hand.plus(rank))
                known = self._known.get(key)
                if known is None:
                    then = self.without(state, rank)._replace(hand=key[1])
                    known = self._known[key] = self.after(then)
                worth += n / state.left * known
        return worth

    def double(self, state: State) -> float:
        """Return the worth of twice the stake on exactly one more card."""
        points = [best_points(self.house, state.hand.plus(rank)) for rank in RANKS]
        ends = zip(RANKS, (min(each, OVER) for each in points), strict=True)
        return 2 * self._last_card(state, tuple(ends))

    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        end = end_of(self.house, state.hand)
        if end is not None:
            return self._sum(state, end)
        is_hit = self._is_hit(alike(self.house, state.hand))
        if is_hit:
            return self.hit(state)
        stand = self.stand(state)
        return stand if is_hit is False else max(stand, self.hit(state))

    def _sum(self, state: State, points: int) -> float:
        row, ways, chances = self._rows[points], self._ways(state.left), state.chances
        return sum(
            row[group.end] * ways[group.size] * sum(chances[group.start : group.stop])
            for group in self._draws.groups
            if row[group.end]
        )

    def _steady_at(self, state: State) -> Steady:
        """Return the worth of plays if no more cards were taken out from now on."""
        left = tuple(self.count(state, rank) for rank in RANKS)
        ends = ends_of(self._draws, state.chances, state.left, is_endless=False)
        return Steady(self.house, self.upcard, left, ends)

    def _last_card(self, state: State, ends: Ends) -> float:
        """Return the worth of a card that is one of ``ends``, and comes to them.

        The dealer may draw cards of the same ranks: of ``n`` that are left there are so
        many fewer for the hand. What that takes away is reckoned once for each run.
        """
        chances, ways = state.chances, self._ways(state.left)
        found = dict.fromkeys(self._draws.ends, 0.0)
        for group in self._draws.groups:
            some = sum(chances[group.start : group.stop])
            found[group.end] += some * ways[group.size + 1]
        cards: dict[int, int] = {}
        for rank, points in ends:
            cards[points] = cards.get(points, 0) + self.count(state, rank)
        worth = 0.0
        for points, n in cards.items():
            row = self._rows[points]
            worth += n * sum(chance * row[end] for end, chance in found.items())
        for part, taken in self._taken(ends):
            some = sum(map(mul, chances[part.start : part.stop], taken))
            worth -= ways[part.size + 1] * some
        return worth

    def _ways_of(self, left: int) -> list[float]:
        """Return for each size of a run what its ways are multiplied by."""
        return [1 / (perm(left, n) or 1) for n in range(self._draws.longest + 2)]

    def _plan_of(self, hand: Hand) -> tuple[tuple[int, ...], Ends]:
        """Return the cards after which a hand may go on, and what the others end in."""
        going_on: list[int] = []
        ends: list[tuple[int, int]] = []
        for rank in RANKS:
            then = hand.plus(rank)
            end = end_of(self.house, then)
            if end is None and self._is_hit(alike(self.house, then)) is False:
                end = best_points(self.house, then)
            if end is None:
                going_on.append(rank)
            else:
                ends.append((rank, end))
        return tuple(going_on), tuple(ends)

    def _is_hit_of(self, hand: Hand) -> bool | None:
        """Return whether to hit; None where the cards must be asked."""
        state = State(hand)
        gain = self._steady.hit(state) - self._steady.stand(state)
        return None if abs(gain) <= self._doubt else gain > 0


class Quick(Exact):
    """Plays that take no further card out once the hand has got one.

    The worth of a hit may be wrong by some 0.0005, and comes in a tenth of the time.
    """

    def __init__(self, house: House, upcard: int | None, counts: Counts) -> None:
        """Reckon with ``counts``, the cards that are left besides the upcard."""
        super().__init__(house, upcard, counts)
        self.followed = 1

    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""
        return sum(share * self.after(then) for _, share, then in self.seconds(state))

    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        return self._steady_at(state).after(state)


@lru_cache(maxsize=2048)
def _taken_of(
    house: House, upcard: int | None, ends: Ends
) -> list[tuple[Part, list[float]]]:
    """Return what the dealer's cards take from a last card, for each of his runs."""
    draws, rows = draws_of(house, upcard), rows_of(house, upcard)
    by_rank = {rank: rows[points] for rank, points in ends}
    taken = [
        sum(n * by_rank[rank][end] for rank, n in cards if rank in by_rank)
        for end, cards in draws.cards
    ]
    return [(part, taken[part.start : part.stop]) for part in draws.sizes]
