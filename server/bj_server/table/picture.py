"""The picture: all that one player may see of a table, made anew for a snapshot."""

import math
from typing import assert_never

from bj_game.round import Round
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.messages import Snapshot
from bj_protocol.views import (
    PaceView,
    Phase,
    SeatView,
    TableView,
    Turn,
    You,
)
from bj_server.table import redact
from bj_server.table.betting import Betting
from bj_server.table.calling import Calling
from bj_server.table.felt import Felt, Pace
from bj_server.table.playing import Playing
from bj_server.table.seat import Seat

_Phase = Betting | Calling | Playing | None


def picture(
    felt: Felt, phase: _Phase, seat: Seat | None, notices: tuple[str, ...]
) -> Snapshot:
    """Return the whole picture for the player of ``seat``, or for one who watches."""
    deal = phase.deal if isinstance(phase, Playing) else None
    return Snapshot(
        version=PROTOCOL_VERSION,
        table=felt.name,
        seq=felt.seq,
        you=None if seat is None else You(handle=seat.handle, seat=seat.number),
        house=redact.house_view(felt.house, felt.source.remarks),
        pace=_pace_view(felt.pace),
        seat_count=felt.seats.count,
        phase=phase_of(phase),
        round=felt.round,
        seats=tuple(_seat_view(felt, phase, deal, other) for other in felt.seats),
        dealer=redact.dealer_view(felt.house, deal),
        shoe=redact.shoe_view(felt.house, felt.shoe),
        turn=turn_of(felt, phase),
        story=None if felt.story is None else felt.story.view,
        seal=felt.seal if isinstance(phase, Betting) else None,
        notices=(*felt.source.remarks, *_of_host(felt), *notices),
    )


def _of_host(felt: Felt) -> tuple[str, ...]:
    said = f"The host says: {felt.notice}" if felt.notice else ""
    return tuple(filter(None, (said, felt.draining)))


def phase_of(phase: _Phase) -> Phase:
    """Return the name of a phase; None is waiting."""
    match phase:
        case None:
            return Phase.WAITING
        case Betting():
            return Phase.BETTING
        case Calling():
            return Phase.CALLING
        case Playing():
            return Phase.PLAYING
        case _:
            assert_never(phase)


def turn_of(felt: Felt, phase: _Phase) -> Turn | None:
    """Return who must decide now, and how long that may take."""
    asks = tuple(seat.ask for seat in felt.seats if seat.ask)
    if phase is None or not asks:
        return None
    if math.isinf(phase.deadline):
        return Turn(asks=asks, milliseconds=None)
    left = phase.deadline - felt.clock.now()
    return Turn(asks=asks, milliseconds=max(0, round(left * 1000)))


def table_view(
    felt: Felt, phase: _Phase, *, is_private: bool, is_open: bool
) -> TableView:
    """Return the table as a list of tables shows it."""
    handles = tuple(seat.handle for seat in felt.seats)
    return TableView(
        name=felt.name,
        house=felt.house.name,
        title=felt.house.title,
        phase=phase_of(phase),
        seat_count=felt.seats.count,
        handles=handles if is_open and not is_private else (),
        seats_taken=len(handles),
        watchers=len(felt.watchers),
        minimum_bet=felt.house.minimum_bet,
        maximum_bet=felt.house.maximum_bet or None,
        private=is_private,
    )


def _pace_view(pace: Pace) -> PaceView:
    has_clock = pace.has_clock
    return PaceView(
        bet_seconds=pace.bet_seconds if has_clock else None,
        insurance_seconds=pace.insurance_seconds if has_clock else None,
        turn_seconds=pace.turn_seconds if has_clock else None,
        hold_seconds=pace.hold_seconds,
    )


def _seat_view(felt: Felt, phase: _Phase, deal: Round | None, seat: Seat) -> SeatView:
    players = deal.players if deal else []
    hands = [redact.hand_views(p) for p in players if p.seat == seat.number]
    return SeatView(
        seat=seat.number,
        handle=seat.handle,
        balance=felt.till.balance(seat.handle),
        presence=seat.presence,
        bet=seat.bet if isinstance(phase, Betting | Calling) else 0,
        spots=seat.spots,
        hands=hands[0] if hands else (),
    )
