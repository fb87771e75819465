"""The shoe: shuffled decks with a cut card, dealt one card at a time."""

from collections.abc import Sequence

from bj_game.card import PACK, SUITS, Card
from bj_game.house import House
from bj_game.shuffle import Randomness, shuffled

__all__ = ["EndlessShoe", "Shoe", "ShoeEmpty", "fill_shoe"]

_ENDLESS_RANKS = "A23456789TJQK"
"""The order of ``CARD_LABELS`` in ``specs/cs1114.txt``, from which it draws."""


class ShoeEmpty(Exception):
    """A card was wanted and none is left."""


class Shoe:
    """Cards in the order in which they come out.

    >>> from bj_game.card import parse_cards
    >>> shoe = Shoe(parse_cards("As 9d Kh 7c"), below_cut=2)
    >>> str(shoe.draw()), shoe.left, shoe.until_cut
    ('As', 3, 1)
    """

    def __init__(
        self, cards: Sequence[Card], *, below_cut: int | None = None, dealt: int = 0
    ) -> None:
        """Lay ``cards`` in the shoe, the first ``dealt`` of them already out.

        The cut card lies above the last ``below_cut``; with None there is none.
        """
        self._cards = tuple(cards)
        self._below_cut = below_cut
        self.dealt = dealt

    @property
    def left(self) -> int | None:
        """Cards not yet dealt; None for a shoe without end."""
        return len(self._cards) - self.dealt

    @property
    def until_cut(self) -> int | None:
        """Cards above the cut card; 0 once it has come out, None if there is none."""
        if self._below_cut is None:
            return None
        return max(0, len(self._cards) - self.dealt - self._below_cut)

    @property
    def is_cut_card_out(self) -> bool:
        """Whether the shoe must be shuffled after the round."""
        return self.until_cut == 0

    @property
    def just_reached_cut(self) -> bool:
        """Whether the card drawn last was the one above the cut card."""
        return len(self._cards) - self.dealt == self._below_cut

    @property
    def order(self) -> tuple[Card, ...]:
        """Every card of the shoe, dealt or not, in order."""
        return self._cards

    def draw(self) -> Card:
        """Take the next card.

        Raises:
            ShoeEmpty: if there is none.
        """
        if self.dealt == len(self._cards):
            raise ShoeEmpty
        card = self._cards[self.dealt]
        self.dealt += 1
        return card


class EndlessShoe(Shoe):
    """A shoe in which every card is as likely as ever, whatever came before.

    The rank is drawn, by one number from 0 to 12 in the order ace to king; the suits
    take turns, since none of them counts.
    """

    def __init__(self, randomness: Randomness, top: Sequence[Card] = ()) -> None:
        """Draw from ``randomness``, after the cards of ``top``."""
        super().__init__(top)
        self._randomness = randomness

    @property
    def left(self) -> None:
        """None: it has no end."""
        return

    def draw(self) -> Card:
        """Take the next card; there always is one."""
        if self.dealt < len(self._cards):
            return super().draw()
        rank = _ENDLESS_RANKS[self._randomness.below(13)]
        card = Card(rank=rank, suit=SUITS[self.dealt % 4])
        self.dealt += 1
        return card


def fill_shoe(house: House, randomness: Randomness, top: Sequence[Card] = ()) -> Shoe:
    """Shuffle the decks of ``house``, place the cut card, and return the shoe.

    The order is drawn first, then the place of the cut card. ``top`` stacks the shoe
    for teaching and tests: its cards come out first, and the rest of the decks after
    them in the shuffled order, so that no card is ever too many.

    Raises:
        ValueError: if ``top`` has more of a card than the decks.
    """
    if house.shoe == "endless":
        return EndlessShoe(randomness, top)
    order = shuffled(PACK * house.decks, randomness)
    below_cut = None
    if house.shoe == "cut_card":
        span = house.cut_card_max - house.cut_card_min
        below_cut = house.cut_card_min + randomness.below(span + 1)
    for card in top:
        if card not in order:
            raise ValueError(f"there are only {house.decks} of {card} in the shoe")
        order.remove(card)
    return Shoe([*top, *order], below_cut=below_cut)
