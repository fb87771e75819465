"""The source of a table's shoes, and of the seeds that a host may have named."""

from collections.abc import Sequence

from bj_game.card import Card
from bj_game.house import House
from bj_game.shoe import Shoe, new_shoe


class ShoeSource:
    """Makes one shoe after another.

    They are arranged by secrets that cannot be guessed, unless the host asked for a
    numbered seed or stacked the first shoe, for teaching and tests; then ``remarks``
    says so to everyone.
    """

    def __init__(
        self,
        house: House,
        *,
        seed: int | None = None,
        stack: Sequence[Card] = (),
        is_proven: bool = True,
    ) -> None:
        """Prepare shoes for ``house``; ``stack`` lies on top of the first of them."""
        self._house = house
        self._seed = seed
        self._is_wanted = is_proven
        self._stack = tuple(stack)
        self.stack = " ".join(map(str, stack))
        """The cards that the host has stacked, as text."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The sentences that the players must know of the cards."""
        said = []
        if self._seed is not None:
            said.append(
                f"The cards come from seed {self._seed}: for teaching and tests, "
                "since they can be known beforehand."
            )
        if self.stack:
            said.append("The first shoe is stacked, for teaching and tests.")
        if not self._is_wanted:
            said.append("The host has set that no round is proven at this table.")
        return tuple(said)

    @property
    def is_proven(self) -> bool:
        """Whether the players have a part in the draw, and can prove each round."""
        return self._is_wanted and self._seed is None and not self.stack

    def seed_of(self, round: int) -> int | None:
        """Return the number for a round; None where the host named none.

        The first round has the host's own, and each other one the next number.
        """
        return None if self._seed is None else self._seed + round - 1

    def next(self) -> Shoe:
        """Return a full shoe; the stack is on the first one alone."""
        top, self._stack = self._stack, ()
        return new_shoe(self._house, top)

    def use_stack(self) -> None:
        """Note that the stack lies on a shoe that another server has begun."""
        self._stack = ()
