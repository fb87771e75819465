"""The shoe as it is known at a table: how many cards there are."""

from collections import deque
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.model import HIDDEN
from bj_protocol.views import ShoeView


class Shoe:
    """Kept true from event to event."""

    def __init__(self, view: ShoeView) -> None:
        """Start from a picture."""
        self.decks = view.decks
        self.cards_left = view.cards_left
        """None for a shoe without end."""
        self.until_cut = view.until_cut
        """None if there is no cut card, or it is placed with the next round."""

    def fold(self, event: events.Event) -> None:
        """Fold one event in."""
        match event:
            case events.CardDealt():
                self.cards_left = _one_less(self.cards_left)
                self.until_cut = _one_less(self.until_cut)
            case events.ShoeShuffled():
                self.decks = event.decks
                self.cards_left = event.cards
                self.until_cut = event.until_cut
            case events.RoundBegan():
                self.until_cut = event.until_cut
            case events.CutCardReached():
                self.until_cut = 0
            case events.DiscardsShuffled(cards=cards):
                self.cards_left = cards
            case events.RoundEnded() | events.RoundVoided():
                self.cards_left = event.cards_left
                self.until_cut = event.until_cut
            case _:
                pass


def _one_less(cards: int | None) -> int | None:
    return cards - 1 if cards else cards


_MOST = 8 * 52
"""The cards of the largest shoe; one without an end would be remembered for ever."""


@dataclass(eq=False)
class SeenCards:
    """The cards seen since the last shuffle; the hole card not before it is turned."""

    shuffles: int = 0
    """How often the shoe was shuffled, and perhaps: after news was missed."""
    _cards: deque[str] = field(default_factory=partial(deque, maxlen=_MOST))
    _before: int = 0
    """How many of them came in rounds before this one."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, oldest first."""
        return tuple(self._cards)

    def reset(self, snapshot: Snapshot) -> None:
        """Start again from the cards on the table; earlier ones were missed."""
        self.shuffles += 1
        self._cards.clear()
        self._before = 0
        hands = (hand.cards for seat in snapshot.seats for hand in seat.hands)
        shown = chain(*hands, snapshot.dealer.cards)
        self._cards.extend(card for card in shown if card != HIDDEN)

    def fold(self, event: events.Event) -> None:
        """Fold one event in."""
        match event:
            case events.CardDealt(card=card) | events.HoleRevealed(card=card):
                if card != HIDDEN:
                    self._cards.append(card)
            case events.ShoeShuffled():
                self.shuffles += 1
                self._cards.clear()
            case events.RoundBegan():
                self._before = len(self._cards)
            case events.DiscardsShuffled():
                self.shuffles += 1
                for _ in range(min(self._before, len(self._cards))):
                    self._cards.popleft()
                self._before = 0
            case _:
                pass
