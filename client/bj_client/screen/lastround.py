"""The last round: its cards and results, which stay on view until the next deal."""

from copy import copy
from dataclasses import dataclass, field

from bj_client.seat import Hand
from bj_client.table import Table
from bj_protocol.events import (
    BettingOpened,
    Event,
    HandSettled,
    RoundBegan,
    RoundVoided,
)


@dataclass(slots=True)
class LastRound:
    """What the table forgets when bets are taken, and people still look at."""

    dealer: Hand = field(default_factory=Hand)
    hands: dict[int, list[Hand]] = field(default_factory=dict)
    """By seat number."""
    results: dict[tuple[int, int], HandSettled] = field(default_factory=dict)
    """By seat and hand; those of the running round too."""

    def note(self, event: Event, table: Table) -> None:
        """Take in an event that is about to be folded into ``table``."""
        match event:
            case HandSettled():
                self.results[event.seat, event.hand] = event
            case BettingOpened() if table.dealer.cards:
                self.dealer = copy(table.dealer)
                self.hands = {s.number: list(s.hands) for s in table.seats.values()}
            case RoundBegan() | RoundVoided():
                self.clear()
            case _:
                pass

    def clear(self) -> None:
        """Forget it."""
        self.dealer = Hand()
        self.hands = {}
        self.results = {}
