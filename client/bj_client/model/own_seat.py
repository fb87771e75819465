"""Our own seats: whose each is, and how it has fared since we sat down."""

from dataclasses import dataclass, field

from bj_client.model.seat import Seat
from bj_protocol.events import HandSettled, InsuranceSettled
from bj_protocol.recall import PastRound, RoundEnd
from bj_protocol.views import Outcome


@dataclass(frozen=True, slots=True)
class Judged:
    """A play that a person chose, held against the best one."""

    kind: str
    """The kind of hand, as in ``hard 16 against 10``."""
    play: str
    """What was done, as in ``split``."""
    best: str
    """What is worth most."""
    cost: int
    """The cents by which the play is worth less, on average; 0 for the best."""


@dataclass(slots=True)
class Score:
    """The results of one seat since it sat down."""

    rounds: int = 0
    """Rounds in which the seat had a hand."""
    won: int = 0
    lost: int = 0
    pushed: int = 0
    net: int = 0
    """Cents won less cents lost, insurance included, gifts not."""
    last_net: int | None = None
    """Cents won less cents lost in the last round that counts; None before one."""
    best: int = 0
    decisions: dict[int, bool | None] = field(default_factory=dict)
    """Whether each play that a person chose was that of basic strategy, by prompt;
    None where that has nothing to say. Empty for a bot."""
    judged: dict[int, Judged] = field(default_factory=dict)
    """Those of them that could be judged, by prompt, the last one last."""

    @property
    def last_judged(self) -> Judged | None:
        """The last play that could be judged; None before one."""
        return next(reversed(self.judged.values()), None)

    @property
    def score(self) -> int:
        """Hands won minus hands lost."""
        return self.won - self.lost

    def count(self, outcome: Outcome, net: int) -> None:
        """Count a hand that has ended so, and what it has won or lost."""
        match outcome:
            case Outcome.WIN:
                self.won += 1
            case Outcome.LOSE:
                self.lost += 1
            case Outcome.PUSH:
                self.pushed += 1
        self.net += net
        self.best = max(self.best, net)


@dataclass(slots=True)
class OwnSeat:
    """One of the seats that are played at this keyboard."""

    handle: str
    seat: Seat
    """As it was last known, once it is given up."""
    record: Score = field(default_factory=Score)
    has_played: bool = False
    """Whether a hand was settled in the round that is not over yet."""
    net_before: int = 0
    """The net of the record before that round."""
    last_round: int = 0

    @property
    def has_money_in_play(self) -> bool:
        """Whether there is a bet, or a hand that is not settled."""
        live = [hand for hand in self.seat.hands if hand.outcome is None and hand.stake]
        return bool(live or self.seat.bet)

    def settle(self, event: HandSettled | InsuranceSettled) -> None:
        """Count a settlement of this seat; insurance moves money and no score."""
        match event:
            case HandSettled():
                self.record.count(event.outcome, event.payout - event.stake)
                self.has_played = True
            case InsuranceSettled():
                self.record.net += event.payout - event.amount

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
