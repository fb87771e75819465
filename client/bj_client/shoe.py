"""The shoe as it is known at a table: how many cards there are."""

from bj_protocol import events
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
            case events.CardDealt():
                self.cards_left = _one_less(self.cards_left)
                self.until_cut = _one_less(self.until_cut)
            case _:
                pass


def _one_less(cards: int | None) -> int | None:
    return None if cards is None else max(0, cards - 1)
