"""Our own seats: whose each is, and how it has fared since we sat down."""

from dataclasses import dataclass, field

from bj_client.record import Record
from bj_client.seat import Seat
from bj_protocol.events import HandSettled, InsuranceSettled
from bj_protocol.recall import PastRound, RoundEnd


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
    last_round: int = 0
    """The last round that was closed."""

    @property
    def has_money_in_play(self) -> bool:
        """Whether there is a bet, or a hand that is not settled."""
        live = [hand for hand in self.seat.hands if hand.outcome is None and hand.stake]
        return bool(live or self.seat.bet)

    def settle(self, event: HandSettled | InsuranceSettled) -> None:
        """Count what was settled for this seat."""
        match event:
            case HandSettled():
                self.record.hand(event)
                self.has_played = True
            case InsuranceSettled():
                self.record.insurance(event)

    def close_round(self, number: int, *, counts: bool) -> bool:
        """Close a round; tell whether it counts as one that this seat has played."""
        self.last_round = number
        played, self.has_played = counts and self.has_played, False
        self.record.rounds += played
        if played:
            self.record.last_net = self.record.net - self.net_before
        self.net_before = self.record.net
        return played

    def play_past(self, past: PastRound) -> bool:
        """Count a round as the bank has it; tell whether it was not counted before."""
        if past.round <= self.last_round:
            return False
        self.last_round = past.round
        for hand in past.hands:
            if hand.insured is not None:
                self.record.net += hand.insured.payout - hand.insured.amount
            if hand.outcome is not None:
                self.record.count(hand.outcome, hand.payout - hand.stake)
        if past.end is RoundEnd.SETTLED:
            self.record.rounds += 1
            self.record.last_net = self.record.net - self.net_before
        self.net_before = self.record.net
        return True
