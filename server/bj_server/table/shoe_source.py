"""The source of a table's shoes, from the first card to the last of each."""

from collections.abc import Sequence

from bj_game.card import Card
from bj_game.house import House
from bj_game.shoe import HomemadeShoe, Shoe, ShoeContents, new_shoe, shoe_of


class ShoeSource:
    """Makes one shoe after another, and has the one that is on the table.

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
        self.shoe: Shoe
        self.contents: ShoeContents
        """The contents of the shoe before the round that is on, or the next one."""
        self.is_shuffle_wanted = False
        """Whether the host wants another shoe after the round."""
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

    def replace(self) -> None:
        """Have a full shoe; the stack is on the first one alone."""
        top, self._stack = self._stack, ()
        self.shoe = new_shoe(self._house, top)
        self.contents, self.is_shuffle_wanted = self.shoe.contents, False

    def go_on(self, shoe: Shoe, contents: ShoeContents) -> None:
        """Have the shoe that another server has begun, with the stack on it."""
        self.shoe, self.contents, self._stack = shoe, contents, ()

    def keep(self) -> None:
        """Have the shoe as a round has left it, for the next one."""
        self.contents = self.shoe.contents

    def restore(self) -> None:
        """Have the shoe as it was before a round that is void."""
        self.shoe = shoe_of(self._house, self.contents)

    @property
    def is_begun(self) -> bool:
        """Whether cards are out of a deck that is never refilled."""
        return isinstance(self.shoe, HomemadeShoe) and self.shoe.is_begun

    def is_used_up(self, seats: int) -> bool:
        """Whether no other round, for so many seats at the most, is dealt from it."""
        is_for_one = self._house.shoe == "every_round" and self.shoe.dealt > 0
        is_over = self.is_shuffle_wanted or is_for_one or self.shoe.is_cut_card_out
        return is_over or self.is_too_small(seats)

    def is_too_small(self, seats: int) -> bool:
        """Whether a deck that is never refilled may lack cards to be dealt."""
        left = self.shoe.left
        if self._house.shoe != "never_refilled" or left is None:
            return False
        return left < 2 * (seats + 1)  # a player who is away may be back by then
