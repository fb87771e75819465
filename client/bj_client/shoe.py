"""The shoe as it is known at a table: how many cards, and where they come from."""

from bj_protocol import events
from bj_protocol.cut import CutStep, StreamView
from bj_protocol.views import ShoeView

__all__ = ["Shoe", "StreamEvent"]

StreamEvent = (
    events.SeedCommitted | events.CutsCommitted | events.ShoeCut | events.SeedRevealed
)


class Shoe:
    """Kept true from event to event."""

    def __init__(self, view: ShoeView) -> None:
        """Start from a picture."""
        self.decks = view.decks
        self.cards_left = view.cards_left
        """None for a shoe without end."""
        self.until_cut = view.until_cut
        """None if there is no cut card."""
        self.stream = view.stream
        """None if the cards are known beforehand, or nothing was cut yet."""

    def fold(self, event: events.Event) -> None:
        """Fold one event in."""
        match event:
            case (
                events.SeedCommitted()
                | events.CutsCommitted()
                | events.ShoeCut()
                | events.SeedRevealed()
            ):
                self.stream = _after(self.stream, event)
            case events.ShoeShuffled():
                self.decks = event.decks
                self.cards_left = event.cards
                self.until_cut = event.until_cut
            case events.CutCardReached():
                self.until_cut = 0
            case events.DiscardsShuffled(cards=cards):
                self.cards_left = cards
            case events.RoundEnded():
                self.cards_left = event.cards_left
                self.until_cut = event.until_cut
            case events.CardDealt():
                self.cards_left = _one_less(self.cards_left)
                self.until_cut = _one_less(self.until_cut)
            case _:
                pass


def _one_less(cards: int | None) -> int | None:
    return None if cards is None else max(0, cards - 1)


def _after(stream: StreamView | None, event: StreamEvent) -> StreamView | None:
    seed = event.seed_sha256
    match event:
        case events.SeedCommitted():
            return StreamView(step=CutStep.COMMIT, seed_sha256=seed)
        case events.CutsCommitted(committed=committed):
            return StreamView(
                step=CutStep.REVEAL, seed_sha256=seed, committed=committed
            )
        case events.ShoeCut(cuts=cuts):
            return StreamView(step=CutStep.CUT, seed_sha256=seed, cuts=cuts)
        case events.SeedRevealed():
            is_ours = stream is not None and stream.seed_sha256 == seed
            return None if is_ours else stream
