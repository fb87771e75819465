"""The heard shoe: cards in the order in which a table has told of them."""

from collections.abc import Sequence

from bj_game.card import Card
from bj_game.shoe import Shoe, ShoeEmpty


class HeardShoe(Shoe):
    """The cards of one round, in a shoe of which no more is known than its size."""

    def __init__(
        self,
        cards: Sequence[Card],
        left: int | None,
        until_cut: int | None,
        decks: int,
    ) -> None:
        """Lay out ``cards``.

        ``left`` and ``until_cut`` are counted before the round, None where the shoe
        has no end, or no cut card.
        """
        super().__init__(cards)
        self._all = 52 * decks
        self._left_before = left
        self._until_before = until_cut

    @property
    def left(self) -> int | None:
        """Cards in the shoe after those that were drawn."""
        return None if self._left_before is None else self._left_before - self.dealt

    @property
    def until_cut(self) -> int | None:
        """Cards above the cut card; None if there is none."""
        if self._until_before is None:
            return None
        return max(0, self._until_before - self.dealt)

    @property
    def just_reached_cut(self) -> bool:
        """Whether the card drawn last was the one above the cut card."""
        return self.dealt == self._until_before

    def refill(self, on_table: int) -> int:
        """Count what is not on the table as left; the cards to come are those heard.

        Raises:
            ShoeEmpty: if everything is on the table.
        """
        discards = self._all - on_table
        if discards <= 0:
            raise ShoeEmpty
        self._left_before = self.dealt + discards
        return discards
