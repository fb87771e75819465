"""Worth: what standing, hitting and doubling bring, in stakes of the hand.

``Steady`` reckons with shares of the ranks that never change: it is exact for an
endless shoe. ``Exact`` takes every card out of what is left. Both know one house, one
upcard, and what is left besides it.

Where the dealer looks for a blackjack first, a hand is played only if there is none.
Then each worth here is multiplied by how likely there is none, ``clear``, given the
cards that are out: so the next card is drawn from all that are left, the hole card too,
and yet every sum is right. Only the faces of the package divide again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cache, reduce
from typing import NamedTuple

from bj_game.house import House
from bj_game.odds.dealer import BLACKJACK, ONE, distribution, draws_of, held, size_of
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

NATURAL = 1
"""The row of the natural, among those of points; the dealer's blackjack is in it."""


class State(NamedTuple):
    """A hand, and what is out besides the upcard, in bits for each rank."""

    hand: Hand
    out: int = 0


class Worth(ABC):
    """The worth of plays against one upcard."""

    is_steady: bool
    """Whether cards that are out change nothing."""
    followed = 1
    """How many further cards of a pair's rank are reckoned with as they are."""

    def __init__(self, house: House, upcard: int | None, counts: Counts) -> None:
        """Reckon with ``counts``, the cards that are left besides the upcard."""
        self.house, self.upcard = house, upcard
        self.splits: dict[tuple[int, Hand, int], float] = {}
        """What splits are worth, kept by what is out, hand, and number of hands."""
        self._counts, self._total = counts, sum(counts)
        self._hidden = hidden_rank(house, upcard)

    @abstractmethod
    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""

    @abstractmethod
    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""

    @abstractmethod
    def _stand(self, out: int, points: int) -> float:
        """Return the worth of points that are stood on, or of ``NATURAL``."""

    def state(self, hand: Hand, out: tuple[int, ...]) -> State:
        """Return the state of a hand while some cards are out."""
        return reduce(self.without, out, State(hand))

    def without(self, state: State, rank: int) -> State:
        """Return the state with one more card out that is not in the hand."""
        return state if self.is_steady else state._replace(out=state.out + ONE[rank])

    def seconds(self, state: State) -> Iterator[tuple[int, float, State]]:
        """Yield each next card of the hand, how likely it is, and the state then."""
        left = self.left(state)
        for rank in RANKS:
            n = self.count(state, rank)
            if n > 0:
                then = self.without(state, rank)
                yield rank, n / left, then._replace(hand=state.hand.plus(rank))

    def left(self, state: State) -> int:
        """Return how many cards are left."""
        return self._total - size_of(state.out)

    def count(self, state: State, rank: int) -> int:
        """Return how many cards of a rank are left."""
        return self._counts[rank - 1] - held(state.out, rank)

    def clear(self, state: State) -> float:
        """Return how likely the dealer has no blackjack that ends the round at once."""
        return self._clear(state.out)

    def stand(self, state: State, points: int | None = None) -> float:
        """Return the worth of standing, on the best points if none are told."""
        return self._stand(state.out, points or best_points(self.house, state.hand))

    def double(self, state: State) -> float:
        """Return the worth of twice the stake on exactly one more card."""
        worth = 0.0
        for _, share, then in self.seconds(state):
            points = min(best_points(self.house, then.hand), OVER)
            worth += share * self._stand(then.out, points)
        return 2 * worth

    def forget(self) -> None:  # noqa: B027 - the steady one has little to forget
        """Keep what plays are worth, and none of the lists that it was made of."""

    def _clear(self, out: int) -> float:
        hidden = self._hidden
        if not hidden:
            return 1.0
        left = self._counts[hidden - 1] - held(out, hidden)
        return 1 - left / (self._total - size_of(out))


def hidden_rank(house: House, upcard: int | None) -> int:
    """Return the rank that the dealer is known not to hide; 0 for none."""
    if house.hole_card != "peek":
        return 0
    return {ACE: TEN, TEN: ACE}.get(upcard or 0, 0)


@cache
def rows_of(house: House, upcard: int | None) -> dict[int, dict[int, float]]:
    """Return what is won, by points and by the end of the dealer."""
    ends = draws_of(house, upcard).ends
    rows = {
        points: {end: result(house, points, end) for end in ends}
        for points in range(2, CHARLIE + 1)
    }
    if hidden_rank(house, upcard):
        for row in rows.values():
            row[BLACKJACK] = 0.0
    rows[NATURAL] = {end: natural_result(house, end) for end in ends}
    return rows


class Steady(Worth):
    """Plays with shares of the ranks that stay what they are."""

    is_steady = True

    def __init__(
        self,
        house: House,
        upcard: int | None,
        counts: Counts,
        stand: Callable[[int], float] | None = None,
    ) -> None:
        """Reckon with ``counts``, the cards that are left besides the upcard.

        Each card that is drawn is put back, by the dealer too unless it is told what
        to ``stand`` is worth, by points.
        """
        super().__init__(house, upcard, counts)
        self._sum = cache(stand or _stand_of(house, upcard, counts))
        self._draw = cache(self._draw_of)

    def hit(self, state: State) -> float:
        """Return the worth of a card, and of the best play after it."""
        return self._draw(alike(self.house, state.hand))

    def after(self, state: State) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        end = end_of(self.house, state.hand)
        if end is not None:
            return self._sum(end)
        return max(self.stand(state), self.hit(state))

    def _stand(self, out: int, points: int) -> float:
        return self._sum(points)

    def _draw_of(self, hand: Hand) -> float:
        return sum(
            share * self.after(then) for _, share, then in self.seconds(State(hand))
        )


def _stand_of(
    house: House, upcard: int | None, counts: Counts
) -> Callable[[int], float]:
    """Return what tells the worth of standing, by points."""
    rows = rows_of(house, upcard)
    ends = distribution(house, upcard, counts, is_endless=True)
    return lambda points: sum(ends[end] * rows[points][end] for end in ends)
