"""Past rounds, as the player who has played them may recall them.

A player's own hands and the dealer's are here, as they lay on the table when the round
ended, and nothing of what the other seats were dealt. A proven round has its draw, too:
``docs/fairness.md`` tells what that proves, and how to check it.
"""

from enum import StrEnum

from pydantic import Field

from bj_protocol.action import Action, By, SettleReason
from bj_protocol.model import CardCounts, Cards, Hex, Model, SeatNumber
from bj_protocol.views import ClosedBet, DealerView, HandView, Outcome, SeatLink

MOST_RECALLED = 20
"""The most rounds that are told at once."""


class PastPlay(Model):
    """A decision of a seat in a past round, in the order of play."""

    seat: SeatNumber
    action: Action
    by: By
    amount: int = 0
    """Cents, of an insurance."""


class PastDraw(Model):
    """All that the cards and results of a past round follow from."""

    secret: Hex
    """The secret that the server had sealed."""
    seal: Hex | None
    """None where a server of before has sealed it, and is gone."""
    head: Hex
    """The head of the story after the call."""
    bets: tuple[ClosedBet, ...]
    links: tuple[SeatLink, ...]
    left: CardCounts | None
    """The cards in the shoe before; None where it has no end, or is a ``deck``."""
    deck: Cards = ()
    """The deck of a house that never refills it, from its top."""
    below_cut: int | None
    """The cards under the cut card; None if it was drawn with the round, or is none."""
    plays: tuple[PastPlay, ...]


class RoundEnd(StrEnum):
    """How a round ended for a player."""

    SETTLED = "settled"
    VOID = "void"
    """It was dealt and could not be played to its end: every stake came back."""
    RETURNED = "returned"
    """The bet came back before a card was dealt."""


class PastDecision(Model):
    """A decision about a hand, in the order of play."""

    hand: int = Field(ge=0)
    """The hand of the seat, from 0, as they were numbered then."""
    action: Action
    by: By
    amount: int | None = None
    """Cents, of an insurance."""


class PastInsurance(Model):
    """The end of an insurance."""

    outcome: Outcome
    amount: int
    payout: int


class PastHand(HandView):
    """One of the player's hands, at the end of the round."""

    outcome: Outcome | None = None
    """None where the round was not settled."""
    reason: SettleReason | None = None
    payout: int = 0
    """Cents that were handed back for the stake, the stake included."""
    insured: PastInsurance | None = None
    """The settlement of the insurance; None where there was none."""


class PastRound(Model):
    """A round that is over."""

    table: str
    round: int
    time: str
    """When it was over, as in ``2024-05-01T12:30:00.000Z``."""
    seat: SeatNumber | None
    """None where no card was dealt."""
    bet: int
    """Cents that were staked on each spot before the deal; where no card was dealt, on
    all of them together."""
    spots: int = Field(ge=1)
    end: RoundEnd
    is_retold: bool
    """Whether the cards could be made again from what is written down; if not, only
    the money is told."""
    hands: tuple[PastHand, ...]
    dealer: DealerView | None
    """A hole card that was never turned is ``??``. None where there are no cards."""
    decisions: tuple[PastDecision, ...]
    balance_before: int
    """The player's free cents before the bet."""
    balance_after: int
    """The player's free cents once the round was over."""
    draw: PastDraw | None
    """The draw of the round; None where nothing of it is proven."""
