"""The known shoe: the contents of the shoe on the table, followed from round to round.

A server that knows the order of the cards has a choice if it may shuffle sooner than is
due, or later, or twice. So the end of each round fixes what must come before the next
deal, and a full shoe is due only where one is told.
"""

from collections import Counter
from collections.abc import Iterable
from math import comb

from bj_client.fair.finding import RefutedError
from bj_game.card import CARDS, PACK, RANKS, Card
from bj_game.house import House
from bj_game.shoe import Shoe, ShoeContents, new_shoe, shoe_of
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.model import HIDDEN
from bj_protocol.recall import PastDraw

_NO_CHANCE = 1e-9
"""Less than for other things, since long rounds have more small cards in them."""
_GROUPS = (*RANKS, "23456", "TJQKA")


class KnownShoe:
    """The shoe, as far as it is known."""

    def __init__(self) -> None:
        self._out: Counter[str] = Counter()
        """How often each card has come out since it was shuffled."""
        self.contents: ShoeContents | None = None
        """The contents before a round; None if they are not known."""
        self.left: int | None = None
        self.until_cut: int | None = None
        self.is_left_known = False
        """Whether ``left`` and ``until_cut`` count what is in it for certain."""
        self.is_believed = False
        """Whether we have only the server's word for the contents at the call."""
        self._is_chosen = False
        """Whether others alone have drawn from it since its counts were weighed."""
        self._is_shuffle_due = False
        self._is_shuffled_by_hand = False
        self._seats = 0

    def join(self, picture: Snapshot, house: House | None, *, is_playing: bool) -> None:
        """Go on from a picture."""
        self.forget()
        self._seats = picture.seat_count
        self._count(picture.shoe.cards_left, picture.shoe.until_cut)
        if house is None or is_playing:
            return
        full = new_shoe(house)
        if (full.left, full.until_cut) == (self.left, self.until_cut):
            self.contents = full.contents

    def _count(self, left: int | None, until_cut: int | None) -> None:
        self.left, self.until_cut, self.is_left_known = left, until_cut, True

    def forget(self) -> None:
        """Forget the contents."""
        self.contents, self.is_left_known = None, False
        self._is_shuffle_due = self._is_shuffled_by_hand = False
        self._out.clear()

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture between two rounds has the cards that are known."""
        shown = picture.shoe.cards_left, picture.shoe.until_cut
        return not self.is_left_known or shown == (self.left, self.until_cut)

    def shuffle(
        self,
        event: events.ShoeShuffled,
        house: House | None,
        *,
        is_bet: bool,
        is_here: bool,
    ) -> str:
        """Put a new shoe on the table, or shuffle the rest by hand.

        Where nobody ``is_here``, a deck is put away with its game.

        Returns:
            That a shoe was taken away of which cards could still be dealt; "" if none.

        Raises:
            RefutedError: if that was not due, or the shoe is none of the house.
        """
        before = self.left if self.is_left_known else event.cards
        self._count(event.cards, event.until_cut)
        if event.by_hand:
            is_again, self._is_shuffled_by_hand = self._is_shuffled_by_hand, True
            if is_again or (house is not None and house.shoe != "never_refilled"):
                raise RefutedError("the shoe is shuffled sooner than is due")
            if before != event.cards:
                raise RefutedError("cards are gone after a shuffle by hand")
            return ""
        was_due, self._is_shuffle_due = self._is_shuffle_due, False
        self._is_chosen = False
        self._out.clear()
        if house is None:
            return ""
        known, full = self.contents, new_shoe(house).contents
        self.contents = full
        cards = None if house.shoe == "endless" else 52 * house.decks
        if event.cards != cards or event.decks != house.decks:
            raise RefutedError("the new shoe has not the cards that the house has")
        if is_bet:
            raise RefutedError("the shoe is changed after the bets")
        if was_due or known in (None, full):
            return ""
        if house.shoe == "never_refilled" and is_here:
            return "the deck is taken away while enough of it is left"
        is_cut = house.shoe == "cut_card"
        return "the shoe is taken away before its cut card came out" if is_cut else ""

    def call(self, event: events.BetsClosed, house: House) -> None:
        """Compare the contents in a call, and know them from now on.

        Raises:
            RefutedError: if that cannot be.
        """
        known, self.contents = self.contents, None
        told = contents_of(event)
        try:
            shoe = shoe_of(house, told)
        except ValueError as flaw:
            raise RefutedError(f"the shoe is none of this house: {flaw}") from None
        self.contents = told
        self._is_shuffle_due |= self._is_used_up(house, shoe.left, shoe.until_cut)
        self._check_shuffled(house)
        is_counted = not self.is_left_known or self.left == shoe.left
        if known not in (None, told) or not is_counted:
            raise RefutedError("the cards in the shoe were counted wrong")
        self.is_believed = known is None and told != new_shoe(house).contents
        is_weighed, self._is_chosen = self.is_believed or self._is_chosen, False
        if is_weighed and told.left and not could_be_left(told.left, house):
            raise RefutedError("no chance leaves such cards in a shoe")

    def _check_shuffled(self, house: House) -> None:
        if self._is_shuffle_due:
            what = "a round is dealt from a shoe that was to be shuffled before"
            by_seats = house.shoe == "never_refilled"  # a picture has told how many
            raise RefutedError(what, is_alone=by_seats)

    def begin(
        self, event: events.RoundBegan, house: House, own_seat: int | None
    ) -> None:
        """See that nothing is due before the first card.

        A server that knows all links of a round without ours may have chosen its cards.

        Raises:
            RefutedError: if there is.
        """
        self._is_chosen |= own_seat not in {link.seat for link in event.links}
        by_hand, self._is_shuffled_by_hand = self._is_shuffled_by_hand, False
        self.until_cut = event.until_cut
        self._check_shuffled(house)
        if house.shoe == "never_refilled" and not by_hand:
            raise RefutedError("the deck was not shuffled by hand before the round")

    def show(self, event: events.Event, house: House | None) -> None:
        """Count a card that is shown.

        Raises:
            RefutedError: if there are more of it than the house has.
        """
        if not isinstance(event, events.CardDealt | events.HoleRevealed):
            return
        card = event.card
        if house is None or house.shoe == "endless" or card == HIDDEN:
            return
        self._out[card] += 1
        if self._out[card] > house.decks:
            what = f"there are more of {card} than the decks of the shoe have"
            told = f"{self._out[card]} of {card}"
            raise RefutedError(what, told, f"at most {house.decks}")

    def refill(self, cards: Iterable[str | None]) -> None:
        """Have all cards in it again but these, which lie on the table."""
        self._out = Counter(card for card in cards if card not in (None, HIDDEN))

    def end(
        self, event: events.RoundEnded, house: House | None, shoe: Shoe | None
    ) -> None:
        """Know the contents after a round; ``shoe`` is the proven one."""
        self.contents = None if shoe is None else shoe.contents
        self._count(event.cards_left, event.until_cut)
        self._is_shuffle_due = house is not None and self._is_used_up(
            house, event.cards_left, event.until_cut
        )

    def _is_used_up(
        self, house: House, left: int | None, until_cut: int | None
    ) -> bool:
        """Whether no more rounds are dealt from what is left of a shoe."""
        match house.shoe:
            case "cut_card":
                return until_cut == 0
            case "every_round":
                return left != 52 * house.decks
            case "never_refilled":
                return (left or 0) < 2 * (self._seats + 1)
            case _:
                return False

    def void(self, event: events.RoundVoided, house: House | None) -> None:
        """Have the shoe be as it was before a round that is void.

        Raises:
            RefutedError: if the server says otherwise.
        """
        self._is_shuffled_by_hand = False
        self._out.clear()
        self._count(event.cards_left, event.until_cut)
        if house is not None and self.contents is not None:
            shoe = shoe_of(house, self.contents)
            if (shoe.left, shoe.until_cut) != (self.left, self.until_cut):
                raise RefutedError("the shoe is not as it was before the round")


def could_be_left(counts: tuple[int, ...], house: House) -> bool:
    """Whether ``counts`` of the cards of a pack may be left of a shoe of ``house``."""
    cards, left = 52 * house.decks, sum(counts)
    most = _NO_CHANCE / (2 * len(_GROUPS))
    for ranks in _GROUPS:
        in_shoe = 4 * house.decks * len(ranks)
        places = zip(PACK, counts, strict=True)
        there = sum(count for card, count in places if card.rank in ranks)
        least = max(0, left - cards + in_shoe)
        below = _tail(cards, in_shoe, left, range(least, there + 1))
        above = _tail(cards, in_shoe, left, range(there, min(in_shoe, left) + 1))
        if min(below, above) < most:
            return False
    return True


def _tail(cards: int, in_shoe: int, left: int, counts: range) -> float:
    """Return the chance that so many of a group of cards are left."""
    ways = sum(comb(in_shoe, n) * comb(cards - in_shoe, left - n) for n in counts)
    return ways / comb(cards, left)


def contents_of(told: events.BetsClosed | PastDraw) -> ShoeContents:
    """Return the contents of the shoe in a call, or in the recall of a round.

    Raises:
        RefutedError: if there is a hidden card in it.
    """
    deck: list[Card] = []
    for text in told.deck:
        if text not in CARDS:
            raise RefutedError("the deck has a card in it that is hidden")
        deck.append(CARDS[text])
    return ShoeContents(left=told.left, deck=tuple(deck), below_cut=told.below_cut)
