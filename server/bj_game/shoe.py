"""The shoe: shuffled decks with a cut card, dealt one card at a time."""

from collections import Counter
from collections.abc import Sequence

from bj_game.card import PACK, RANKS, SUITS, Card
from bj_game.homemade import modified_overhand, mongean
from bj_game.house import House
from bj_game.shuffle import Randomness, shuffled

__all__ = ["EndlessShoe", "HomemadeShoe", "Shoe", "ShoeEmpty", "UncutShoe", "fill_shoe"]

_ENDLESS_RANKS = "A23456789TJQK"
"""The order of ``CARD_LABELS`` in ``specs/cs1114.txt``, from which it draws."""


_ASCENDING = tuple(
    sorted(PACK, key=lambda card: (RANKS.index(card.rank), "cdhs".index(card.suit)))
)
"""One deck by rank, two to ace, then by suit: clubs, diamonds, hearts, spades."""


_REFILL = b"blackjack table, refill 1"
"""What tells the numbers of a refill from all others of their source."""


class ShoeEmpty(Exception):
    """A card was wanted and none is left, or there is none to be shuffled."""


class Shoe:
    """Cards in the order in which they come out.

    >>> from bj_game.card import parse_cards
    >>> shoe = Shoe(parse_cards("As 9d Kh 7c"), below_cut=2)
    >>> str(shoe.draw()), shoe.left, shoe.until_cut
    ('As', 3, 1)
    """

    def __init__(
        self,
        cards: Sequence[Card],
        *,
        below_cut: int | None = None,
        dealt: int = 0,
        refills: Randomness | None = None,
    ) -> None:
        """Lay ``cards`` in the shoe, the first ``dealt`` of them already out.

        The cut card lies above the last ``below_cut``; with None there is none. From
        the numbers of ``refills`` the discards are shuffled; with None they never are.
        """
        self._cards = tuple(cards)
        self._below_cut = below_cut
        self._refills = refills
        self.dealt = dealt
        self.discards: int | None = None
        """The discards that were shuffled into it when it was empty."""

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

    def refill(self, on_table: int) -> int:
        """Shuffle the discards of an empty shoe into it, and return how many they are.

        Those are all cards but the last ``on_table`` that were dealt, in the order in
        which they came out before they are shuffled. The cut card stays out.

        Raises:
            ShoeEmpty: if there are none, or they are not to be shuffled.
        """
        count = len(self._cards) - on_table
        if self._refills is None or count == 0:
            raise ShoeEmpty
        discards = shuffled(self._cards[:count], self._refills)
        self._cards = (*self._cards[count:], *discards)
        self.dealt, self.discards = on_table, count
        if self._below_cut is not None:
            self._below_cut = len(self._cards)
        return count


class UncutShoe(Shoe):
    """The decks of a house before they are shuffled; nothing can be dealt from them."""

    def __init__(self, house: House) -> None:
        """Lay the decks of ``house`` on the table."""
        super().__init__(PACK * house.decks)
        self._is_endless = house.shoe == "endless"

    @property
    def left(self) -> int | None:
        """All the cards; None for a shoe that will have no end."""
        return None if self._is_endless else super().left

    def draw(self) -> Card:
        """Refuse, since the shoe is not shuffled.

        Raises:
            ShoeEmpty: always.
        """
        raise ShoeEmpty


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


class HomemadeShoe(Shoe):
    """One deck that is never refilled; what is left is shuffled by hand.

    It starts in ascending order, by rank and then by suit (``specs/dsc20.txt``). Cards
    that are stacked on top are dealt before anything is shuffled.
    """

    def __init__(self, top: Sequence[Card] = ()) -> None:
        """Lay the deck out in order, below the cards of ``top``."""
        rest = [card for card in _ASCENDING if card not in top]
        super().__init__([*top, *rest])
        self._stacked = len(top)

    @property
    def is_begun(self) -> bool:
        """Whether cards are dealt, and none that is stacked is still to come."""
        return self.dealt > 0 and self.dealt >= self._stacked

    def shuffle(self, randomness: Randomness) -> None:
        """Shuffle what is left: overhand, then mongean, each 0 to 5 times.

        The number for mongean is drawn first. The overhand moves so many cards, then
        one fewer, down to one.
        """
        mongean_times, overhand_times = randomness.below(6), randomness.below(6)
        if self.dealt < self._stacked:
            return
        cards = list(self._cards[self.dealt :])
        cards = modified_overhand(cards, min(overhand_times, len(cards)))
        for _ in range(mongean_times):
            cards = mongean(cards)
        self._cards = (*self._cards[: self.dealt], *cards)


def fill_shoe(house: House, randomness: Randomness, top: Sequence[Card] = ()) -> Shoe:
    """Shuffle the decks of ``house``, place the cut card, and return the shoe.

    The order is drawn first, then the place of the cut card. What a refill needs comes
    of a branch, named after the place in the source at which the shoe begins, so the
    shoes that follow are the same with it and without. ``top`` stacks the shoe
    for teaching and tests: its cards come out first, and the rest of the decks after
    them in the shuffled order, so that no card is ever too many.

    Raises:
        ValueError: if ``top`` has more of a card than the decks.
    """
    if house.shoe == "endless":
        return EndlessShoe(randomness, top)
    _check_stack(house, top)
    if house.shoe == "never_refilled":
        homemade = HomemadeShoe(top)
        homemade.shuffle(randomness)
        return homemade
    refills = randomness.branch(_REFILL + randomness.words.to_bytes(8, "big"))
    order = shuffled(PACK * house.decks, randomness)
    below_cut = None
    if house.shoe == "cut_card":
        span = house.cut_card_max - house.cut_card_min
        below_cut = house.cut_card_min + randomness.below(span + 1)
    for card in top:
        order.remove(card)
    return Shoe([*top, *order], below_cut=below_cut, refills=refills)


def _check_stack(house: House, top: Sequence[Card]) -> None:
    for card, times in Counter(top).items():
        if times > house.decks:
            raise ValueError(f"there are only {house.decks} of {card} in the shoe")
