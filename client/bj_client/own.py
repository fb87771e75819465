"""Our own seats: whose each is, and how it has fared since we sat down."""

from dataclasses import dataclass, field

from bj_client.record import Record
from bj_client.seat import Seat
from bj_protocol.events import HandSettled, InsuranceSettled

__all__ = ["Own"]


@dataclass(slots=True)
class Own:
    """One of the seats that are played at this keyboard."""

    handle: str
    seat: Seat
    """As it was last known, once it is given up."""
    record: Record = field(default_factory=Record)
    has_played: bool = False
    """Whether a hand was settled in the round that is not over yet."""
    net_before: int = 0
    """The net of the record before that round."""

    def settle(self, event: HandSettled | InsuranceSettled) -> None:
        """Count what was settled for this seat."""
        match event:
            case HandSettled():
                self.record.hand(event)
                self.has_played = True
            case InsuranceSettled():
                self.record.insurance(event)

    def close_round(self, *, counts: bool) -> bool:
        """Close a round; tell whether it counts as one that this seat has played."""
        played, self.has_played = counts and self.has_played, False
        self.record.rounds += played
        if played:
            self.record.last_net = self.record.net - self.net_before
        self.net_before = self.record.net
        return played
