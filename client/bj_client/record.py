"""A player's record of one visit: rounds, hands won and lost, and the money."""

from dataclasses import dataclass, field

from bj_protocol.events import HandSettled, InsuranceSettled
from bj_protocol.views import Outcome


@dataclass(slots=True)
class Record:
    """What has happened to one seat's hands since it sat down."""

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
    """The most cents that a hand has won; 0 before one has."""
    decisions: dict[int, bool | None] = field(default_factory=dict)
    """Whether each play that a person chose was that of basic strategy, by prompt;
    None where that has nothing to say. Empty for a bot."""

    @property
    def score(self) -> int:
        """Hands won minus hands lost."""
        return self.won - self.lost

    def hand(self, event: HandSettled) -> None:
        """Count a settled hand."""
        self.count(event.outcome, event.payout - event.stake)

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

    def insurance(self, event: InsuranceSettled) -> None:
        """Count a settled insurance; it moves money and no score."""
        self.net += event.payout - event.amount
