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
from typing import NamedTuple, Protocol

from bj_game.house import House
from bj_game.odds.dealer import BLACKJACK, draws_of
from bj_game.odds.hand import CHARLIE, Hand, natural_result, result
from bj_game.odds.ranks import ACE, TEN

NATURAL = 1
"""The row of the natural, among those of points."""

Rows = dict[int, dict[int, float]]
"""What is won, by points and by the end of the dealer."""


class State(NamedTuple):
    """A hand, and what is out besides the upcard, in bits for each rank."""

    hand: Hand
    out: int = 0
    left: int = 0
    """How many cards are left."""


class Worth(Protocol):
    """The worth of plays against one upcard."""

    house: House
    upcard: int | None
    is_steady: bool
    """Whether cards that are out change nothing."""
    followed: int
    """How many further cards of a pair's rank are reckoned with as they are."""
    splits: dict[tuple[int, Hand, int], float]
    """What splits are worth, kept by what is out, hand, and number of hands."""

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

    def forget(self) -> None:
        """Keep what plays are worth, and none of the lists that it was made of."""
        ...


def hidden_rank(house: House, upcard: int | None) -> int:
    """Return the rank that the dealer is known not to hide; 0 for none."""
    if house.hole_card != "peek":
        return 0
    return {ACE: TEN, TEN: ACE}.get(upcard or 0, 0)


@cache
def rows_of(house: House, upcard: int | None) -> Rows:
    """Return the results by points, and by the end of the dealer."""
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
