"""Seating: players come to a table and leave it, on purpose or not."""

import logging
from collections.abc import Callable
from functools import partial

from bj_game.money import dollars
from bj_protocol.events import PlayerJoined, PlayerLeft, PresenceChanged
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import Presence
from bj_server.table.betting import Betting
from bj_server.table.context import TableContext
from bj_server.table.inbox import Join
from bj_server.table.refusal import RefusalError
from bj_server.table.seat import Seat, has_key
from bj_server.table.snapshot import AnyPhase

_log = logging.getLogger(__name__)

MISSED_BETS = 3
"""Calls for bets in a row after which a player who is here but silent stands up."""

_IDLE = (
    f"You have not answered {MISSED_BETS} calls for bets in a row, so your seat is "
    "free again; your money is safe. Join again to play."
)

_TAKEN_OVER = "This handle has joined again from another connection."


class Seating:
    """Seats players, holds the seats of lost players, and frees them."""

    def __init__(self, context: TableContext, phase: Callable[[], AnyPhase]) -> None:
        """Seat players at a table; ``phase`` returns the running phase."""
        self._context = context
        self._phase = phase

    def hold(self, seat: Seat) -> None:
        """Hold the seat of a player who cannot be reached."""
        if seat.is_here:
            seat.away_since = self._context.clock.now()
            self._note("is away", seat)
            self._set_presence(seat, Presence.AWAY)

    def stand_up_idle(self) -> None:
        """Free the seats of those who have let too many calls for bets pass."""
        for seat in self._context.seats:
            if seat.missed_bets >= MISSED_BETS and not seat.bet:
                self._note("does not answer", seat)
                self._close(seat, CloseCode.IDLE, _IDLE)
                self._release(seat)

    def release_expired(self) -> None:
        """Free the seats of those who have left, or were away for too long."""
        context = self._context
        for seat in context.seats.taken:
            if seat.line is not None:
                continue
            is_gone = seat.presence is Presence.LEAVING and not seat.bet
            is_held = self.is_held(seat)
            if is_gone or (is_held and context.hold_ends(seat) <= context.clock.now()):
                self._release(seat)

    def is_held(self, seat: Seat) -> bool:
        """Whether a seat is held for a player who may come back.

        So is that of one who has not been back since the server was, until the table
        asks somebody.
        """
        if seat.bet or seat.line is not None:
            return False
        return seat.presence is Presence.AWAY or self._phase() is None

    def welcome(self, join: Join) -> None:
        """Seat a player, or say why not."""
        try:
            self._join(join)
        except RefusalError as refusal:
            known = {"table": self._context.name, "line": join.line}
            extra = known | {"handle": join.handle, "code": refusal.code}
            extra["address"] = join.address
            _log.info("join refused", extra=extra)
            self._context.gauges.refused(refusal.code)
            self._context.outgoing.tell(join.line, refusal.message())
            self._context.outgoing.dismiss(join.line, CloseCode.REFUSED, refusal.text)

    def drop(self, line: int) -> None:
        """Hold the seat of a line that is gone, or forget a watcher."""
        self._context.watchers.discard(line)
        seat = self._context.seats.of_line(line)
        if seat is not None:
            self.hold(seat)
            seat.line = None

    def leave(self, line: int) -> None:
        """Let somebody go who wants to."""
        self._context.watchers.discard(line)
        seat = self._context.seats.of_line(line)
        handle = None if seat is None else seat.handle
        left = "You have left the table."
        self._context.outgoing.dismiss(line, CloseCode.LEFT, left, handle)
        if seat is not None:
            self._leave(seat)
            seat.line = None

    def send_away(self, handle: str, why: str) -> None:
        """Have a player leave, who is told ``why``."""
        seat = self._context.seats.of_handle(handle)
        if seat is not None:
            self._note("is sent away", seat)
            self._close(seat, CloseCode.SENT_AWAY, f"{why}; your money is safe.")
            self._leave(seat)

    def send_all_away(self) -> None:
        """Free all seats of a table that the host has closed, between two rounds."""
        closed = f"The host has closed table {self._context.name}"
        for seat in self._context.seats:
            bank = dollars(self._context.till.balance(seat.handle))
            reason = f"{closed}; you have {bank}."
            self._close(seat, CloseCode.TABLE_CLOSED, reason)
            self._release(seat)
        for line in sorted(self._context.watchers):
            self._context.outgoing.dismiss(line, CloseCode.TABLE_CLOSED, f"{closed}.")
        self._context.watchers.clear()

    def _join(self, join: Join) -> None:
        till, handle = self._context.till, join.handle
        if not has_key(till, handle, join.sha256):
            raise RefusalError(RefusalCode.WRONG_KEY)
        seat = self._context.seats.of_handle(handle)
        if seat is not None:
            self._take_over(seat, join)
            return
        seat = self._context.seats.take(handle, join.line)
        if seat is None:
            raise RefusalError(RefusalCode.TABLE_FULL)
        if till.account(handle) is None:
            try:
                join.open_account()
            except RefusalError:
                self._context.seats.free(seat)
                raise
        till.open(handle, self._context.house.opening_balance)
        self._note("joins", seat, address=join.address)
        balance = till.balance(handle)
        self._context.outgoing.post(
            PlayerJoined(seat=seat.number, handle=handle, balance=balance)
        )
        self._arrive(seat, join)

    def _take_over(self, seat: Seat, join: Join) -> None:
        what = "is back" if seat.line is None else "is taken over"
        self._close(seat, CloseCode.TAKEN_OVER, _TAKEN_OVER)
        seat.line = join.line
        self._note(what, seat, address=join.address)
        if not seat.is_here:
            self._set_presence(seat, Presence.HERE)
        self._arrive(seat, join)

    def _arrive(self, seat: Seat, join: Join) -> None:
        if self._context.till.key_of(seat.handle) is None:
            self._context.till.claim(seat.handle, join.sha256)
        self._context.outgoing.welcome(join.line)
        phase = self._phase()  # a call, or a round, goes on as it is
        if isinstance(phase, Betting):
            if seat.ask is None:
                phase.invite(seat)
            seat.notice = seat.notice or phase.wait_of(seat)

    def _leave(self, seat: Seat) -> None:
        phase = self._phase()
        if isinstance(phase, Betting) and seat.bet:
            phase.take_back(seat)
        if seat.bet:
            self._note("leaves after the round", seat)
            self._set_presence(seat, Presence.LEAVING)
        else:
            self._release(seat)

    def _close(self, seat: Seat, code: CloseCode, reason: str) -> None:
        if seat.line is not None:
            handle = None if code is CloseCode.TAKEN_OVER else seat.handle
            self._context.outgoing.dismiss(seat.line, code, reason, handle)
            seat.line = None

    def _set_presence(self, seat: Seat, presence: Presence) -> None:
        seat.presence = presence
        change = PresenceChanged(seat=seat.number, presence=presence)
        self._context.outgoing.post(change)
        phase = self._phase()
        if phase is not None and not seat.is_here:
            phase.excuse(seat)

    def _note(self, what: str, seat: Seat, address: str | None = None) -> None:
        extra = {
            "table": self._context.name,
            "seat": seat.number,
            "handle": seat.handle,
            "line": seat.line,
            "address": address,
        }
        _log.info(what, extra=extra)

    def _release(self, seat: Seat) -> None:
        self._note("leaves", seat)
        self._context.seats.free(seat)
        self._context.outgoing.post(PlayerLeft(seat=seat.number, handle=seat.handle))
        if self._context.cage is not None:  # once all is told
            left = partial(self._context.cage.left, seat.handle)
            self._context.outgoing.reports.append(left)
