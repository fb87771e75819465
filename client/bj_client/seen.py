"""The cards seen: every card that was dealt face up, for those who count them."""

from collections import deque

from bj_client.card import HIDDEN
from bj_protocol import events
from bj_protocol.messages import Snapshot

_MOST = 8 * 52
"""The cards of the largest shoe; one without an end would be remembered for ever."""


class Seen:
    """The cards seen since the last shuffle; the hole card not before it is turned."""

    def __init__(self) -> None:
        """Start with none."""
        self._cards: deque[str] = deque(maxlen=_MOST)
        self.shuffles = 0
        """How often the shoe was shuffled, and perhaps: after news was missed."""
        self._before = 0
        """How many of them came in rounds before this one."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, oldest first."""
        return tuple(self._cards)

    def reset(self, snapshot: Snapshot) -> None:
        """Start again from what lies on the table; what came before was missed."""
        self.shuffles += 1
        self._cards.clear()
        self._before = 0
        for seat in snapshot.seats:
            for hand in seat.hands:
                self._cards.extend(hand.cards)
        self._cards.extend(card for card in snapshot.dealer.cards if card != HIDDEN)

    def fold(self, event: events.Event) -> None:
        """Fold one event in."""
        match event:
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
            case events.CardDealt(card=card) | events.HoleRevealed(card=card):
                if card != HIDDEN:
                    self._cards.append(card)
            case _:
                pass
