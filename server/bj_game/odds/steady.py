"""Steady plays: the shares of the ranks stay what they are, whatever is drawn."""

from collections.abc import Callable, Iterator
from functools import cache

from bj_game.house import House
from bj_game.odds.dealer import distribution
from bj_game.odds.hand import OVER, Hand, alike, best_points, end_of
from bj_game.odds.ranks import RANKS, Counts
from bj_game.odds.worth import NATURAL, State, hidden_rank, rows_of


class Steady:
    """Plays with shares of the ranks that stay what they are."""

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
        self.house, self.upcard, self.is_steady = house, upcard, True
        self.followed = 1
        self.splits: dict[tuple[int, Hand, int], float] = {}
        self._counts, self._total = counts, sum(counts)
        self._shares = [
            (rank, n / self._total) for rank, n in zip(RANKS, counts, strict=True) if n
        ]
        self._sum = cache(stand or _stand_of(house, upcard, counts))
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
        hidden = hidden_rank(self.house, self.upcard)
        return 1 - self._counts[hidden - 1] / self._total if hidden else 1.0

    def stand(self, state: State, points: int | None = None) -> float:
        """Return the worth of standing, on the best points if none are told."""
        return self._sum(points or best_points(self.house, state.hand))

    def natural(self, state: State) -> float:
        """Return the worth of a natural, the dealer's blackjack included."""
        return self._sum(NATURAL)

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

    def forget(self) -> None:
        """Forget nothing: there is little to keep."""

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
