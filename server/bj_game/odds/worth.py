"""Worth: what standing, hitting and doubling bring, in stakes of the hand.

``Steady`` reckons with shares of the ranks that never change: it is exact for an
endless shoe. ``Exact`` takes every card out of what is left. Both know one house, one
upcard, and what is left besides it.

Where the dealer looks for a blackjack first, a hand is played only if there is none.
Then each worth here is multiplied by how likely there is none, ``clear``, given the
cards that are out: so the next card is drawn from all that are left, the hole card too,
and yet every sum is right. Only the faces of the package divide again.
"""

from collections.abc import Iterator
from functools import cache
from math import perm
from operator import mul
from typing import NamedTuple, Protocol

from bj_game.house import House
from bj_game.odds.dealer import BLACKJACK, Part, distribution, draws_of
from bj_game.odds.hand import (
    CHARLIE,
    OVER,
    Hand,
    alike,
    best_points,
    end_of,
    natural_result,
    result,
)
from bj_game.odds.ranks import ACE, RANKS, TEN, Counts

Ends = tuple[tuple[int, int], ...]
"""Ranks, and what a hand comes to by a card of each."""

_NATURAL = 1
"""The row of the natural, among those of points."""

_BITS = 5
_ONE = {rank: 1 << _BITS * (rank - 1) for rank in RANKS}


class State(NamedTuple):
    """A hand, and what is out besides the upcard, in bits for each rank."""

    hand: Hand
    out: int = 0
    left: int = 0
    """How many cards are left."""
    chances: list[float] = []  # noqa: RUF012 - of a steady state, and never changed
    """How likely each run of the dealer is, times the ways to draw so many cards."""


class Worth(Protocol):
    """The worth of plays against one upcard."""

    house: House
    upcard: int | None
    is_steady: bool
    """Whether cards that are out change nothing."""

    def state(self, hand: Hand, out: tuple[int, ...]) -> State:
        """Return the state of a hand while some cards are out."""
        ...

    def seconds(self, state: State) -> Iterator[tuple[int, float, State]]:
        """Yield each next card of the hand, how likely it is, and the state then."""
        ...

    def without(self, state: State, rank: int) -> State:
        """Return the state with one more card out that is not in the hand."""
        ...

    def count(self, state: State, rank: int) -> int:
        """Return how many cards of a rank are left."""
        ...

    def clear(self, state: State) -> float:
        """Return how likely the dealer has no blackjack that ends the round at once."""
        ...

    def stand(self, state: State, points: int | None = None) -> float:
        """Return the worth of standing, on the best points if none are told."""
        ...

    def natural(self, state: State) -> float:
        """Return the worth of a natural, the dealer's blackjack included."""
        ...

    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""
        ...

    def double(self, state: State) -> float:
        """Return the worth of twice the stake on exactly one more card."""
        ...

    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        ...


def hidden_rank(house: House, upcard: int | None) -> int:
    """Return the rank that the dealer is known not to hide; 0 for none."""
    if house.hole_card != "peek":
        return 0
    return {ACE: TEN, TEN: ACE}.get(upcard or 0, 0)


def _rows(house: House, upcard: int | None) -> dict[int, dict[int, float]]:
    """Return the results by points, and by the end of the dealer."""
    ends = draws_of(house, upcard).ends
    rows = {
        points: {end: result(house, points, end) for end in ends}
        for points in range(2, CHARLIE + 1)
    }
    if hidden_rank(house, upcard):
        for row in rows.values():
            row[BLACKJACK] = 0.0
    rows[_NATURAL] = {end: natural_result(house, end) for end in ends}
    return rows


class Steady:
    """Plays with shares of the ranks that stay what they are."""

    def __init__(
        self, house: House, upcard: int | None, counts: Counts, *, is_endless: bool
    ) -> None:
        """Reckon with ``counts``, the cards that are left besides the upcard.

        Unless it ``is_endless`` the dealer draws from them, and puts none back.
        """
        self.house, self.upcard, self.is_steady = house, upcard, True
        self._counts, self._total = counts, sum(counts)
        self.ends = distribution(house, upcard, counts, is_endless=is_endless)
        self._rows = _rows(house, upcard)
        self._shares = [
            (rank, n / self._total) for rank, n in zip(RANKS, counts, strict=True) if n
        ]
        self._sum = cache(self._sum_of)
        self._draw = cache(self._draw_of)

    def state(self, hand: Hand, out: tuple[int, ...]) -> State:
        """Return the state of a hand; what is out changes nothing."""
        return State(hand, left=self._total)

    def seconds(self, state: State) -> Iterator[tuple[int, float, State]]:
        """Yield each next card of the hand, how likely it is, and the state then."""
        for rank, share in self._shares:
            yield rank, share, state._replace(hand=state.hand.plus(rank))

    def without(self, state: State, rank: int) -> State:
        """Return the same state."""
        return state

    def count(self, state: State, rank: int) -> int:
        """Return how many cards of a rank there are."""
        return self._counts[rank - 1]

    def clear(self, state: State) -> float:
        """Return how likely the dealer has no blackjack that ends the round at once."""
        is_hidden = hidden_rank(self.house, self.upcard)
        return 1 - self.ends[BLACKJACK] if is_hidden else 1.0

    def stand(self, state: State, points: int | None = None) -> float:
        """Return the worth of standing, on the best points if none are told."""
        return self._sum(points or best_points(self.house, state.hand))

    def natural(self, state: State) -> float:
        """Return the worth of a natural, the dealer's blackjack included."""
        return self._sum(_NATURAL)

    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""
        return self._draw(alike(self.house, state.hand))

    def double(self, state: State) -> float:
        """Return the worth of twice the stake on exactly one more card."""
        return 2 * sum(
            share * self._sum(min(best_points(self.house, then.hand), OVER))
            for _, share, then in self.seconds(state)
        )

    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        end = end_of(self.house, state.hand)
        if end is not None:
            return self._sum(end)
        return max(self.stand(state), self.hit(state))

    def _sum_of(self, points: int) -> float:
        row = self._rows[points]
        return sum(chance * row[end] for end, chance in self.ends.items())

    def _draw_of(self, hand: Hand) -> float:
        return sum(
            share * self.after(then) for _, share, then in self.seconds(State(hand))
        )


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
        self._doubt = 13 / self._total if doubt is None else doubt
        self._steady = Steady(house, upcard, counts, is_endless=False)
        self._rows = _rows(house, upcard)
        self._draws = draws_of(house, upcard)
        self._whole = self._draws.weights(counts, is_endless=False)
        self._known: dict[tuple[int, Hand], float] = {}
        self._less = cache(self._less_of)
        self._ways = cache(self._ways_of)
        self._plan = cache(self._plan_of)
        self._taken = cache(self._taken_of)
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
        less = self._less(rank, self.count(state, rank))
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
        return self._sum(state, _NATURAL)

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

    def _less_of(self, rank: int, n: int) -> list[float]:
        """Return how much less likely each run is with one of ``n`` cards less."""
        drawn = self._draws.drawn[rank - 1]
        least = [(n - k) / n for k in range(max(drawn) + 1)]
        return [least[k] for k in drawn]

    def _ways_of(self, left: int) -> list[float]:
        """Return for each size of a run what its ways are multiplied by."""
        return [1 / (perm(left, n) or 1) for n in range(self._draws.longest + 2)]

    def _taken_of(self, ends: Ends) -> list[tuple[Part, list[float]]]:
        """Return what the dealer's cards take from a last card, for each run."""
        rows = {rank: self._rows[points] for rank, points in ends}
        taken = [
            sum(n * rows[rank][end] for rank, n in cards if rank in rows)
            for end, cards in self._draws.cards
        ]
        return [(part, taken[part.start : part.stop]) for part in self._draws.sizes]

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
