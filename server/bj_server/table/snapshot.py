"""Snapshots: all that one player may see of a table, made anew each time."""

import math
from functools import lru_cache

from bj_game.house import House, rules_of
from bj_game.round import Round
from bj_game.rules import rules_card
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.messages import Snapshot
from bj_protocol.round_views import dealer_view, hand_views
from bj_protocol.views import (
    HouseView,
    PaceView,
    Phase,
    SeatView,
    ShoeView,
    TableView,
    Turn,
    You,
)
from bj_server.table.betting import Betting
from bj_server.table.calling import Calling
from bj_server.table.clock import Pace
from bj_server.table.context import TableContext
from bj_server.table.playing import Playing
from bj_server.table.seat import Seat

AnyPhase = Betting | Calling | Playing | None
"""The phase of a table that is on; None while the table waits."""


def picture(
    context: TableContext, phase: AnyPhase, seat: Seat | None, notices: tuple[str, ...]
) -> Snapshot:
    """Return the whole picture for the player of ``seat``, or for a watcher."""
    deal = phase.deal if isinstance(phase, Playing) else None
    return Snapshot(
        version=PROTOCOL_VERSION,
        table=context.name,
        seq=context.seq,
        you=None if seat is None else You(handle=seat.handle, seat=seat.number),
        house=_house_view(context.house, context.source.remarks),
        pace=_pace_view(context.pace),
        seat_count=context.seats.count,
        phase=phase_of(phase),
        round=context.round,
        seats=tuple(_seat_view(context, phase, deal, other) for other in context.seats),
        dealer=dealer_view(context.house, deal),
        shoe=ShoeView(
            decks=context.house.decks,
            cards_left=context.shoe.left,
            until_cut=context.shoe.until_cut,
        ),
        turn=turn_of(context, phase),
        story=None if context.story is None else context.story.view,
        seal=context.seal if isinstance(phase, Betting) else None,
        notices=(*context.source.remarks, *_of_host(context), *notices),
    )


def _of_host(context: TableContext) -> tuple[str, ...]:
    said = f"The host says: {context.notice}" if context.notice else ""
    return tuple(filter(None, (said, context.draining)))


def phase_of(phase: AnyPhase) -> Phase:
    """Return the name of a phase; None is waiting."""
    return Phase.WAITING if phase is None else phase.name


def turn_of(context: TableContext, phase: AnyPhase) -> Turn | None:
    """Return the open asks, and the time for them."""
    asks = tuple([seat.ask for seat in context.seats.taken if seat.ask])
    if phase is None or not asks:
        return None
    if math.isinf(phase.deadline):
        return Turn(asks=asks, milliseconds=None)
    left = phase.deadline - context.clock.now()
    return Turn(asks=asks, milliseconds=max(0, round(left * 1000)))


def table_view(
    context: TableContext, phase: AnyPhase, *, is_private: bool, is_open: bool
) -> TableView:
    """Return the table as a list of tables shows it."""
    handles = tuple(seat.handle for seat in context.seats)
    return TableView(
        name=context.name,
        house=context.house.name,
        title=f"{context.house.title}{'' if context.house.hints else ', no hints'}",
        phase=phase_of(phase),
        seat_count=context.seats.count,
        handles=handles if is_open and not is_private else (),
        seats_taken=len(handles),
        watchers=len(context.watchers),
        minimum_bet=context.house.minimum_bet,
        maximum_bet=context.house.maximum_bet or None,
        private=is_private,
    )


@lru_cache(maxsize=64)  # the same for each picture of a table
def _house_view(house: House, remarks: tuple[str, ...]) -> HouseView:
    """Return the rules card, with the table's own remarks before it."""
    return HouseView(
        name=house.name,
        title=house.title,
        rules=(*remarks, *rules_card(house)),
        minimum_bet=house.minimum_bet,
        terms=rules_of(house),
    )


def _pace_view(pace: Pace) -> PaceView:
    has_clock = pace.has_clock
    return PaceView(
        bet_seconds=pace.bet_seconds if has_clock else None,
        insurance_seconds=pace.insurance_seconds if has_clock else None,
        turn_seconds=pace.turn_seconds if has_clock else None,
        hold_seconds=pace.hold_seconds,
    )


def _seat_view(
    context: TableContext, phase: AnyPhase, deal: Round | None, seat: Seat
) -> SeatView:
    players = deal.players if deal else []
    hands = [hand_views(p) for p in players if p.seat == seat.number]
    return SeatView(
        seat=seat.number,
        handle=seat.handle,
        balance=context.till.balance(seat.handle),
        presence=seat.presence,
        bet=seat.bet if isinstance(phase, Betting | Calling) else 0,
        spots=seat.spots,
        hands=hands[0] if hands else (),
    )
