"""The retelling: a round that was found, as its player may see it.

The cards come from playing the round again; what was face down at the end stays so.
Only the player's own hands are told, and the dealer's; and, where the round was proven,
what all of it follows from, which was told to everyone when it was over.
"""

import logging
from typing import TYPE_CHECKING

from bj_game import event as game
from bj_protocol.draw import PastDraw
from bj_protocol.proof import NO_HEAD
from bj_protocol.recall import PastDecision, PastHand, PastRound, RoundEnd
from bj_server.bank.line import Line
from bj_server.bank.posting import Kind
from bj_server.recall.difference import Differs
from bj_server.recall.found import Found
from bj_server.recall.replay import Replay, is_of_before, replay_of
from bj_server.table.records import DealtSeat, DealtSeats
from bj_server.table.redact import (
    dealer_view,
    decision_view,
    draw_view,
    hand_views,
    past_hands,
    play_view,
)

if TYPE_CHECKING:
    from bj_protocol.views import DealerView

_log = logging.getLogger(__name__)


class _Cards:
    """What lay on the table for one seat."""

    def __init__(self) -> None:
        self.hands: tuple[PastHand, ...] = ()
        self.dealer: DealerView | None = None
        self.decisions: tuple[PastDecision, ...] = ()
        self.is_retold = True
        self.draw: PastDraw | None = None


def retell(handle: str, found: Found) -> PastRound:
    """Return a round that was found for a handle."""
    end, bet = found.end, found.bet
    assert bet is not None
    seat = None if found.deal is None else _seat(found.deal, handle)
    cards = _cards(found, seat)
    spots = 1 if seat is None else seat.spots
    return PastRound(
        table=str(end.table),
        round=end.round or 0,
        time=end.time,
        seat=None if seat is None else seat.seat,
        bet=sum(move.amount for move in bet.moves) // spots,
        spots=spots,
        end=_end(found),
        is_retold=cards.is_retold,
        hands=cards.hands,
        dealer=cards.dealer,
        decisions=cards.decisions,
        balance_before=found.balance_before,
        balance_after=found.balance_after,
        draw=_returned(end) if found.deal is None else cards.draw,
    )


def _end(found: Found) -> RoundEnd:
    if found.end.kind == Kind.SETTLE:
        return RoundEnd.SETTLED
    return RoundEnd.RETURNED if found.deal is None else RoundEnd.VOID


def _seat(deal: Line, handle: str) -> DealtSeat | None:
    try:
        seats = DealtSeats.model_validate(deal.data).seats
    except ValueError:
        return None
    return next((seat for seat in seats if seat.handle == handle), None)


def _cards(found: Found, seat: DealtSeat | None) -> _Cards:
    cards = _Cards()
    if found.deal is None:
        return cards
    if is_of_before(found.deal):
        cards.is_retold = False
        return cards
    try:
        if seat is None:
            raise Differs("The handle was not dealt in")
        _replay(found, found.deal, seat.seat, cards)
    except Differs as error:
        known = {"table": found.end.table, "round": found.end.round}
        _log.warning("a past round is told without its cards: %s", error, extra=known)
        cards = _Cards()
        cards.is_retold = False
    return cards


def _replay(found: Found, deal: Line, seat: int, cards: _Cards) -> None:
    replay = replay_of(str(found.end.table), found.house, deal)
    happened = list(replay.happened)
    decisions, plays = [], []
    for line in found.answers:
        hand = replay.hand_asked(line)
        answer = replay.answer(line)
        happened += replay.happened
        plays.append(play_view(answer))
        if answer.seat == seat:
            decisions.append(decision_view(hand, answer))
    if found.end.kind == Kind.SETTLE:
        replay.settle(found.end)
    cards.hands = _hands(replay, seat, happened)
    cards.dealer = dealer_view(replay.house, replay.round)
    cards.decisions = tuple(decisions)
    if found.end.kind == Kind.SETTLE or "secret" in found.end.data:
        cards.draw = draw_view(replay.deal, plays)


def _hands(
    replay: Replay, seat: int, happened: list[game.Event]
) -> tuple[PastHand, ...]:
    player = next(each for each in replay.round.players if each.seat == seat)
    return past_hands(hand_views(player), seat, happened)


def _returned(end: Line) -> PastDraw | None:
    """Return the secret of a round without cards, if the line that ended it has it."""
    try:
        return PastDraw(
            secret=str(end.data.get("secret")),
            seal=None,
            head=NO_HEAD,
            bets=(),
            links=(),
            left=None,
            below_cut=None,
            plays=(),
        )
    except ValueError:
        return None
