"""The shoe as it is known at a table: how many cards it has, and which were seen."""

from collections import deque
from itertools import chain

from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.model import HIDDEN

_MOST = 8 * 52
"""The cards of the largest shoe; one without an end would be remembered for ever."""


class Shoe:
    """Kept true from event to event."""

    def __init__(self) -> None:
        self.shuffles = 0
        """How often it was shuffled, and perhaps: after news was missed."""
        self._seen = deque[str](maxlen=_MOST)
        self._before = 0
        """How many of them came in rounds before this one."""

    @property
    def seen(self) -> tuple[str, ...]:
        """The cards seen since the last shuffle, oldest first.

        The hole card is not among them before it is turned.
        """
        return tuple(self._seen)

    def reset(self, snapshot: Snapshot) -> None:
        """Start again from a picture: cards that are not on the table were missed."""
        self.decks = snapshot.shoe.decks
        self.cards_left = snapshot.shoe.cards_left
        """None for a shoe without end."""
        self.until_cut = snapshot.shoe.until_cut
        """None if there is no cut card, or it is placed with the next round."""
        self._shuffle()
        hands = (hand.cards for seat in snapshot.seats for hand in seat.hands)
        shown = chain(*hands, snapshot.dealer.cards)
        self._seen.extend(card for card in shown if card != HIDDEN)

    def fold(self, event: events.Event) -> None:
        """Fold one event in."""
        match event:
            case events.CardDealt():
                self.cards_left = _one_less(self.cards_left)
                self.until_cut = _one_less(self.until_cut)
                self._see(event.card)
            case events.HoleRevealed():
                self._see(event.card)
            case events.ShoeShuffled():
                self.decks = event.decks
                self.cards_left = event.cards
                self.until_cut = event.until_cut
                self._shuffle()
            case events.RoundBegan():
                self.until_cut = event.until_cut
                self._before = len(self._seen)
            case events.CutCardReached():
                self.until_cut = 0
            case events.DiscardsShuffled():
                self.cards_left = event.cards
                here = [*self._seen][self._before :]
                self._shuffle()
                self._seen.extend(here)
            case events.RoundEnded() | events.RoundVoided():
                self.cards_left = event.cards_left
                self.until_cut = event.until_cut
            case _:
                pass

    def _see(self, card: str) -> None:
        if card != HIDDEN:
            self._seen.append(card)

    def _shuffle(self) -> None:
        self.shuffles += 1
        self._seen.clear()
        self._before = 0


def _one_less(cards: int | None) -> int | None:
    return cards - 1 if cards else cards
