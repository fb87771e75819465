"""The retelling: a round that was found, as its player may see it.

The cards come from playing the round again; what was face down at the end stays so.
Only the player's own hands are told, and the dealer's.
"""

import logging

from bj_game import event as game
from bj_protocol.recall import PastDecision, PastHand, PastRound, PastStream, RoundEnd
from bj_protocol.views import DealerView
from bj_server.bank.docket import Record
from bj_server.bank.posting import Kind
from bj_server.recall.difference import Differs
from bj_server.recall.found import Found
from bj_server.recall.replay import Replay, replay_of
from bj_server.recall.rules import house_of
from bj_server.table.records import DealRecord, DealtSeat, ShoeRecord
from bj_server.table.redact import (
    dealer_view,
    decision_view,
    hand_views,
    past_hands,
)

__all__ = ["retell"]

_log = logging.getLogger(__name__)


class _Cards:
    """What lay on the table for one seat."""

    def __init__(self) -> None:
        self.hands: tuple[PastHand, ...] = ()
        self.dealer: DealerView | None = None
        self.decisions: tuple[PastDecision, ...] = ()
        self.is_retold = True


def retell(handle: str, found: Found) -> PastRound:
    """Return a round that was found for a handle."""
    end, bet = found.end, found.bet
    assert bet is not None
    seat = None if found.deal is None else _seat(found, handle)
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
        stream=None if found.shoe is None else _stream(found.shoe, found),
    )


def _end(found: Found) -> RoundEnd:
    if found.end.kind == Kind.SETTLE:
        return RoundEnd.SETTLED
    return RoundEnd.RETURNED if found.deal is None else RoundEnd.VOID


def _seat(found: Found, handle: str) -> DealtSeat | None:
    assert found.deal is not None
    try:
        deal = DealRecord.model_validate(found.deal.data)
    except ValueError:
        return None
    return next((seat for seat in deal.seats if seat.handle == handle), None)


def _cards(found: Found, seat: DealtSeat | None) -> _Cards:
    cards = _Cards()
    if found.deal is None:
        return cards
    try:
        if seat is None:
            raise Differs("The handle was not dealt in")
        _replay(found, seat.seat, cards)
    except Differs as error:
        known = {"table": found.end.table, "round": found.end.round}
        _log.warning("a past round is told without its cards: %s", error, extra=known)
        cards = _Cards()
        cards.is_retold = False
    return cards


def _replay(found: Found, seat: int, cards: _Cards) -> None:
    assert found.deal is not None
    replay = replay_of(str(found.end.table), found.docket, found.deal)
    happened = list(replay.happened)
    decisions = []
    for line in found.answers:
        hand = replay.hand_asked(line)
        answer = replay.answer(line)
        happened += replay.happened
        if answer.seat == seat:
            decisions.append(decision_view(hand, answer))
    if found.end.kind == Kind.SETTLE:
        replay.settle(found.end)
    cards.hands = _hands(replay, seat, happened)
    cards.dealer = _dealer(replay, found)
    cards.decisions = tuple(decisions)


def _hands(
    replay: Replay, seat: int, happened: list[game.Event]
) -> tuple[PastHand, ...]:
    player = next(each for each in replay.round.players if each.seat == seat)
    return past_hands(hand_views(player), seat, happened)


def _dealer(replay: Replay, found: Found) -> DealerView:
    assert found.house is not None
    return dealer_view(house_of(found.house.data), replay.round)


def _stream(shoe: Record, found: Found) -> PastStream | None:
    try:
        record = ShoeRecord.model_validate(shoe.data)
    except ValueError:
        return None
    stream = record.stream
    if stream is None or record.stack:
        return None
    if not found.is_shoe_over:
        return PastStream(seed_sha256=stream.sha256)
    return PastStream(
        seed_sha256=stream.sha256, seed=stream.seed.hex(), cuts=stream.cuts
    )
