"""The shoe: shuffled decks with a cut card, dealt one card at a time."""

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bj_game.card import CARDS, PACK, RANKS, SUITS, Card
from bj_game.house import House
from bj_game.shuffle import Randomness, modified_overhand, mongean

_ENDLESS = [[CARDS[rank + suit] for rank in "A23456789TJQK"] for suit in SUITS]
"""Each suit in the order of ``CARD_LABELS`` in ``specs/cs1114.txt``."""

_ASCENDING = tuple(
    sorted(PACK, key=lambda card: (RANKS.index(card.rank), "cdhs".index(card.suit)))
)
"""One deck by rank, two to ace, then by suit: clubs, diamonds, hearts, spades."""

_PLACES = range(len(PACK))
_NONE = (0,) * len(PACK)

_REFILL = b"blackjack table, refill"
"""The label that tells the numbers of a refill from all others of their source."""


class ShoeEmptyError(Exception):
    """A card was wanted and none is left, or there is none to be shuffled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeContents:
    """The contents of a shoe between two rounds, from which it can be made again."""

    left: tuple[int, ...] | None
    """How many there are of each card of ``PACK``, stacked cards included; None for a
    shoe without end, and for a deck."""
    deck: tuple[Card, ...] = ()
    """The cards that are left of a deck that is never refilled, in its order."""
    below_cut: int | None = None
    """The cards under the cut card; None if it is not placed yet, or is none."""
    top: tuple[Card, ...] = ()
    """The cards that are stacked to come out first, for teaching and tests."""


def in_order(counts: Sequence[int]) -> list[Card]:
    """Return so many of each card in the order from which they are shuffled."""
    whole = min(counts)
    packs = range(whole, max(counts))
    rest = [PACK[place] for n in packs for place in _PLACES if counts[place] > n]
    return [*PACK * whole, *rest]


def counts_of(cards: Iterable[Card], others: Iterable[int] = _NONE) -> list[int]:
    """Return how many there are of each card of ``PACK``, with so many ``others``."""
    counts = list(others)
    for card in cards:
        counts[card.place] += 1
    return counts


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
        cut_span: tuple[int, int] | None = None,
        dealt: int = 0,
        stacked: int = 0,
        rest: Sequence[int] = _NONE,
        refills: Randomness | None = None,
    ) -> None:
        """Lay ``cards`` in the shoe, the first ``dealt`` of them already out.

        ``rest`` has how many there are of each card of ``PACK`` below them, which have
        no order before they are arranged.

        The cut card lies above the last ``below_cut``; with None there is none, unless
        it is placed within ``cut_span`` when the cards are arranged. The first
        ``stacked`` cards are never shuffled. From the numbers of ``refills`` the
        discards are shuffled; with None they never are.
        """
        self._cards = list(cards)
        """The cards that are out, and the next ones in a known order."""
        self._pile: list[Card] = []
        """The cards after those, in the order that its numbers bring."""
        self._numbers: Randomness | None = None
        self._below_cut = below_cut
        self._cut_span = cut_span
        self._stacked = stacked
        self._refills = refills
        self.dealt = dealt
        self._counts = counts_of(self._cards[dealt:], rest)
        self._left = sum(self._counts)
        self.just_reached_cut = False
        """Whether the card drawn last was the one above the cut card."""
        self.discards: int | None = None
        """The discards that were shuffled into it when it was empty."""

    def arrange(self, randomness: Randomness) -> None:
        """Place the cut card if need be, and shuffle the cards that are left.

        No card has a place before it is drawn.
        """
        self._refills = randomness.branch(_REFILL)
        if self._cut_span is not None and self._below_cut is None:
            least, most = self._cut_span
            self._below_cut = least + randomness.below(most - least + 1)
        kept = max(self.dealt, self._stacked)
        counts = list(self._counts)
        for card in self._cards[self.dealt : kept]:
            counts[card.place] -= 1
        del self._cards[kept:]
        self._pile, self._numbers = in_order(counts), randomness

    @property
    def contents(self) -> ShoeContents:
        """The cards that are left, without their order."""
        return ShoeContents(
            left=tuple(self._counts),
            below_cut=self._below_cut,
            top=tuple(self._cards[self.dealt : self._stacked]),
        )

    @property
    def left(self) -> int | None:
        """Cards not yet dealt; None for a shoe without end."""
        return self._left

    @property
    def until_cut(self) -> int | None:
        """Cards above the cut card; 0 once it has come out, None if there is none."""
        if self._below_cut is None:
            return None
        return max(0, self._left - self._below_cut)

    @property
    def is_cut_card_out(self) -> bool:
        """Whether the shoe must be shuffled after the round."""
        return self._below_cut is not None and self._left <= self._below_cut

    @property
    def order(self) -> tuple[Card, ...]:
        """Every card of the shoe, dealt or not, in the order in which they come out."""
        rest = copy.deepcopy(self, {id(card): card for card in PACK})
        rest.dealt = len(self._cards)
        return (*self._cards, *(rest.draw() for _ in self._pile))

    def draw(self) -> Card:
        """Take the next card, each that is left as likely as any other.

        The last one of the pile fills its place. So the cards are shuffled as Fisher
        and Yates have it, and no further than they are used.

        Raises:
            ShoeEmptyError: if there is none.
        """
        cards = self._cards
        if self.dealt < len(cards):
            card = cards[self.dealt]
        elif self._pile and self._numbers is not None:
            pile = self._pile
            place = self._numbers.below(len(pile))
            card, pile[place] = pile[place], pile[-1]
            pile.pop()
            cards.append(card)
        else:
            raise ShoeEmptyError
        self.dealt += 1
        self._left -= 1
        self._counts[card.place] -= 1
        self.just_reached_cut = self._left == self._below_cut
        return card

    def refill(self, on_table: int) -> int:
        """Shuffle the discards of an empty shoe into it, and return how many they are.

        Those are all cards but the last ``on_table`` that were dealt. The cut card
        stays out.

        Raises:
            ShoeEmptyError: if there are none, or they are not to be shuffled.
        """
        count = len(self._cards) - on_table
        if self._refills is None or count == 0:
            raise ShoeEmptyError
        self._counts = counts_of(self._cards[:count])
        self._pile, self._numbers = in_order(self._counts), self._refills
        del self._cards[:count]
        self.dealt, self.discards, self._left = on_table, count, count
        if self._below_cut is not None:
            self._below_cut = count + on_table
        return count


class EndlessShoe(Shoe):
    """A shoe in which every card is as likely as ever, whatever came before.

    The rank is drawn, by one number from 0 to 12 in the order ace to king; the suits
    take turns, since none of them counts.
    """

    def arrange(self, randomness: Randomness) -> None:
        """Draw from other numbers from now on."""
        self._numbers = randomness
        self._cards, self.dealt = self._cards[self.dealt :], 0

    @property
    def contents(self) -> ShoeContents:
        """Nothing but the cards that are stacked."""
        return ShoeContents(left=None, top=tuple(self._cards[self.dealt :]))

    @property
    def left(self) -> None:
        """None: it has no end."""
        return

    def draw(self) -> Card:
        """Take the next card; there always is one once the shoe is arranged.

        Raises:
            ShoeEmptyError: before that.
        """
        if self.dealt < len(self._cards):
            return super().draw()
        if self._numbers is None:
            raise ShoeEmptyError
        card = _ENDLESS[self.dealt % 4][self._numbers.below(13)]
        self.dealt += 1
        return card


class HomemadeShoe(Shoe):
    """One deck that is never refilled; the cards that are left are shuffled by hand.

    It starts in ascending order, by rank and then by suit (``specs/dsc20.txt``). Cards
    that are stacked on top are dealt before anything is shuffled.
    """

    def __init__(
        self, top: Sequence[Card] = (), deck: Sequence[Card] | None = None
    ) -> None:
        """Lay the deck out in order, below the cards of ``top``.

        ``deck`` has the cards that are left of one, in their order, ``top`` the first.

        Raises:
            ValueError: if a card is there twice.
        """
        if deck is None:
            deck = [*top, *_missing_from(top)]
        out = _missing_from(deck)
        if len(out) + len(deck) != len(_ASCENDING):
            raise ValueError("a card is in the deck twice")
        super().__init__([*out, *deck], dealt=len(out), stacked=len(out) + len(top))

    @property
    def contents(self) -> ShoeContents:
        """The cards that are left of the deck, in its order."""
        cards = tuple(self._cards)
        top = cards[self.dealt : self._stacked]
        return ShoeContents(left=None, deck=cards[self.dealt :], top=top)

    @property
    def is_begun(self) -> bool:
        """Whether cards are dealt, and none that is stacked is still to come."""
        return self.dealt > 0 and self.dealt >= self._stacked

    def arrange(self, randomness: Randomness) -> None:
        """Shuffle the rest by hand: overhand, then mongean, each 0 to 5 times.

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
        self._cards[self.dealt :] = cards


def new_shoe(house: House, top: Sequence[Card] = ()) -> Shoe:
    """Return a full shoe of ``house``, whose cards are still to be arranged.

    ``top`` stacks the shoe for teaching and tests: its cards come out first, and the
    rest of the decks after them, so that no card is ever too many.

    Raises:
        ValueError: if ``top`` has more of a card than the decks.
    """
    if house.shoe == "endless":
        return EndlessShoe(top)
    stacked = counts_of(top)
    _check_counts(house, stacked)
    if house.shoe == "never_refilled":
        return HomemadeShoe(top)
    rest = [house.decks - times for times in stacked]
    return Shoe(top, cut_span=_cut_span(house), stacked=len(top), rest=rest)


def shoe_of(house: House, contents: ShoeContents) -> Shoe:
    """Return a shoe of ``house`` with these contents, still to be arranged.

    Raises:
        ValueError: if no shoe of the house can have them.
    """
    top, left = contents.top, contents.left
    if house.shoe == "endless":
        return EndlessShoe(top)
    if house.shoe == "never_refilled":
        return HomemadeShoe(top, contents.deck)
    if left is None or len(left) != len(PACK):
        raise ValueError("there are no counts of the cards")
    _check_counts(house, left)
    rest = [times - out for times, out in zip(left, counts_of(top), strict=True)]
    if min(rest) < 0:
        raise ValueError("more cards are stacked than there are")
    discards = in_order([house.decks - times for times in left])
    span, below_cut = _cut_span(house), contents.below_cut
    if below_cut is not None and (span is None or not span[0] <= below_cut <= span[1]):
        raise ValueError("the cut card is where the house never puts it")
    if below_cut is None and span is not None and discards:
        raise ValueError("the cut card was not placed when the first card came out")
    return Shoe(
        [*discards, *top],
        below_cut=below_cut,
        cut_span=span,
        dealt=len(discards),
        stacked=len(discards) + len(top),
        rest=rest,
    )


def fill_shoe(house: House, randomness: Randomness, top: Sequence[Card] = ()) -> Shoe:
    """Return a full shoe of ``house`` that is arranged by ``randomness``.

    The place of the cut card is drawn first, then each card as it comes out. What a
    refill needs comes of a branch, so the cards are the same with it and without.

    Raises:
        ValueError: if ``top`` has more of a card than the decks.
    """
    shoe = new_shoe(house, top)
    shoe.arrange(randomness)
    return shoe


def _missing_from(cards: Sequence[Card]) -> list[Card]:
    counts = counts_of(cards)
    return [card for card in _ASCENDING if not counts[card.place]]


def _cut_span(house: House) -> tuple[int, int] | None:
    if house.shoe != "cut_card":
        return None
    return house.cut_card_min, house.cut_card_max


def _check_counts(house: House, counts: Sequence[int]) -> None:
    for card, times in zip(PACK, counts, strict=True):
        if not 0 <= times <= house.decks:
            raise ValueError(f"there are only {house.decks} of {card} in the shoe")
