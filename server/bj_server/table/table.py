"""The table: who sits, which phase is on, and what everyone may see of it.

Theory of operation. A table is a machine without I/O. ``handle`` takes one command at a
time; what it has to say gathers in the bulletin, what it owes in the till. It waits for
nobody and knows the time only from its clock. ``Dealer`` runs it: commands in, commit
the till, then speak.

                 a player is here                bets closed with a bet
      waiting ──────────────────────▶ betting ───────────────────────▶ playing
         ▲                            │  ▲  ▲                              │
         └────────────────────────────┘  └──┼──────────────────────────────┘
               nobody is here     bets closed without one         settled or void
"""

from collections.abc import Mapping
from typing import assert_never

from bj_protocol.close import CloseCode
from bj_protocol.commands import AnyAnswer
from bj_protocol.events import (
    Announced,
    BetReturned,
    PlayerJoined,
    PlayerLeft,
    PresenceChanged,
    RoundVoided,
)
from bj_protocol.messages import Answered, Refused, Snapshot, Update
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Presence, Turn
from bj_server.table import inbox
from bj_server.table.betting import Betting
from bj_server.table.claim import check_key, claim
from bj_server.table.felt import Felt
from bj_server.table.picture import phase_of, picture, turn_of
from bj_server.table.playing import Playing
from bj_server.table.refusal import Refusal
from bj_server.table.seat import Seat
from bj_server.table.state import taken_down

__all__ = ["Table"]


class Table:
    """One table: its seats and the phase that it is in."""

    def __init__(self, felt: Felt, phase: Betting | Playing | None = None) -> None:
        """Go on with ``felt`` in a phase; callers use ``open_table``."""
        self.felt = felt
        self._phase = phase

    # What can happen.

    def handle(self, command: inbox.Command) -> None:
        """Carry out one command, then whatever follows from it."""
        match command:
            case inbox.Join():
                self._welcome(command)
            case inbox.Drop(line=line):
                self._drop(line)
            case inbox.Quit(line=line):
                self._quit(line)
            case inbox.Show(line=line):
                self.felt.bulletin.welcome(line)
            case inbox.Say(line=line, answer=answer):
                self._answer(line, answer)
            case inbox.TimeUp():
                self._time_up()
            case inbox.Halt():
                return  # all is in the bank; the next server goes on from here
            case _:
                assert_never(command)
        self._step()

    def void(self, text: str) -> None:
        """Give every stake of the running round back, and call for bets again."""
        self._return_stakes(self.felt.till.refund(self.felt.round), text)
        if self.felt.shoe.is_cut_card_out or self.felt.shoe.left == 0:
            self.felt.shuffle()
        self._step()

    def put_off(self, seconds: float) -> None:
        """Give everyone back the time in which the table could not go on."""
        if self._phase is not None:
            self._phase.deadline += seconds
        for seat in self.felt.seats:
            seat.away_since += seconds

    @property
    def wake_at(self) -> float | None:
        """When the table next has something to do by itself; None for never."""
        moments = [self._release_at(seat) for seat in self.felt.seats]
        if self._phase is not None:
            moments.append(self._phase.deadline)
        return min((moment for moment in moments if moment is not None), default=None)

    # Coming and going.

    def _welcome(self, join: inbox.Join) -> None:
        try:
            self._join(join)
        except Refusal as refusal:
            self._refuse(join.line, refusal, None)
            self.felt.bulletin.dismiss(join.line, CloseCode.REFUSED, refusal.text)

    def _join(self, join: inbox.Join) -> None:
        till, handle = self.felt.till, join.handle
        check_key(till, handle, join.sha256)
        seat = self.felt.seats.of_handle(handle)
        if seat is not None:
            claim(till, handle, join.sha256)
            self._take_over(seat, join.line)
            return
        seat = self.felt.seats.take(handle, join.line)
        if seat is None:
            raise Refusal(RefusalCode.TABLE_FULL)
        till.open(handle, self.felt.house.opening_balance)
        claim(till, handle, join.sha256)
        balance = till.balance(handle)
        self.felt.bulletin.post(
            PlayerJoined(seat=seat.number, handle=handle, balance=balance)
        )
        self._arrive(seat, join.line)

    def _take_over(self, seat: Seat, line: int) -> None:
        if seat.line is not None:
            self.felt.bulletin.dismiss(
                seat.line,
                CloseCode.TAKEN_OVER,
                "This handle has joined again from another connection.",
            )
        seat.line = line
        if not seat.is_here:
            self._set_presence(seat, Presence.HERE)
        self._arrive(seat, line)

    def _arrive(self, seat: Seat, line: int) -> None:
        self.felt.bulletin.welcome(line)
        if self._phase is not None and seat.ask is None:
            self._phase.invite(seat)

    def _drop(self, line: int) -> None:
        seat = self.felt.seats.of_line(line)
        if seat is not None:
            seat.line = None
            self._lose(seat)

    def _lose(self, seat: Seat) -> None:
        """Hold the seat of a player who cannot be reached."""
        if seat.is_here:
            seat.away_since = self.felt.clock.now()
            self._set_presence(seat, Presence.AWAY)

    def _quit(self, line: int) -> None:
        seat = self.felt.seats.of_line(line)
        self.felt.bulletin.dismiss(line, CloseCode.LEFT, "You have left the table.")
        if seat is None:
            return
        seat.line = None
        if isinstance(self._phase, Betting) and seat.bet:
            self._phase.take_back(seat)
        if seat.bet:
            self._set_presence(seat, Presence.LEAVING)
        else:
            self._release(seat)

    def _set_presence(self, seat: Seat, presence: Presence) -> None:
        seat.presence = presence
        self.felt.bulletin.post(PresenceChanged(seat=seat.number, presence=presence))
        if self._phase is not None and not seat.is_here:
            self._phase.excuse(seat)

    def _release(self, seat: Seat) -> None:
        self.felt.seats.free(seat)
        self.felt.bulletin.post(PlayerLeft(seat=seat.number, handle=seat.handle))

    def _release_at(self, seat: Seat) -> float | None:
        if seat.presence is Presence.AWAY and not seat.bet:
            return seat.away_since + self.felt.pace.hold_seconds
        return None

    def _release_expired(self) -> None:
        now = self.felt.clock.now()
        for seat in self.felt.seats:
            release_at = self._release_at(seat)
            is_gone = seat.presence is Presence.LEAVING and not seat.bet
            if is_gone or (release_at is not None and release_at <= now):
                self._release(seat)

    # Deciding.

    def _answer(self, line: int, answer: AnyAnswer) -> None:
        seat = self.felt.seats.of_line(line)
        if seat is None:
            self._refuse(line, Refusal(RefusalCode.NOT_ASKED), answer.prompt)
            return
        last = seat.last_answer
        if last is not None and last.prompt == answer.prompt:
            self.felt.bulletin.tell(line, last)
            return
        try:
            self._accept(seat, answer)
        except Refusal as refusal:
            self._refuse(line, refusal, answer.prompt)

    def _accept(self, seat: Seat, answer: AnyAnswer) -> None:
        if seat.ask is None or seat.ask.prompt != answer.prompt:
            raise Refusal(self._why_not_asked(answer.prompt))
        if self._phase is not None:
            self._phase.answer(seat, answer)
        seat.last_answer = Answered(
            prompt=answer.prompt, answer=answer.type, seq=self.felt.seq + 1
        )

    def _why_not_asked(self, prompt: int) -> RefusalCode:
        is_anothers = any(s.ask and s.ask.prompt == prompt for s in self.felt.seats)
        was_asked = 0 < prompt <= self.felt.last_prompt and not is_anothers
        return RefusalCode.PROMPT_OVER if was_asked else RefusalCode.NOT_ASKED

    def _refuse(self, line: int, refusal: Refusal, prompt: int | None) -> None:
        self.felt.bulletin.tell(
            line, Refused(code=refusal.code, text=refusal.text, prompt=prompt)
        )

    def _time_up(self) -> None:
        is_due = (
            self._phase is not None and self._phase.deadline <= self.felt.clock.now()
        )
        if self._phase is not None and is_due:
            for seat in self.felt.seats:
                if seat.ask and seat.line is None:  # not back since the server was
                    self._lose(seat)
            self._phase.time_up()

    # What follows.

    def _step(self) -> None:
        if isinstance(self._phase, Betting) and self._phase.is_over:
            self._phase = Playing.open(self.felt) if self._phase.has_bets else None
        if isinstance(self._phase, Playing) and self._phase.is_over:
            self._clear()
        self._release_expired()
        self._call_for_bets()

    def _clear(self) -> None:
        self._phase = None
        self.felt.round += 1
        for seat in self.felt.seats:
            seat.bet = 0
        self.felt.freshen()

    def _call_for_bets(self) -> None:
        is_anyone_here = bool(self.felt.seats.here)
        if self._phase is None and is_anyone_here:
            self._phase = Betting.call(self.felt)
        elif isinstance(self._phase, Betting) and not is_anyone_here:
            self._phase = None

    def _return_stakes(self, back: Mapping[str, int], text: str) -> None:
        self._phase = None
        if back:
            self.felt.bulletin.post(RoundVoided(round=self.felt.round, text=text))
            self.felt.round += 1
        for seat in self.felt.seats:
            seat.ask, seat.bet = None, 0
            if seat.handle in back:
                self._post_return(seat, back[seat.handle])

    def _post_return(self, seat: Seat, amount: int) -> None:
        balance = self.felt.till.balance(seat.handle)
        self.felt.bulletin.post(
            BetReturned(seat=seat.number, amount=amount, balance=balance)
        )

    # What can be seen.

    def close_update(self) -> Update | None:
        """Return the update of all that has happened, if anything has."""
        events = tuple(self.felt.bulletin.events)
        if not events:
            return None
        self.felt.bulletin.events.clear()
        self.felt.seq += 1
        return Update(
            table=self.felt.name, seq=self.felt.seq, events=events, turn=self.turn
        )

    @property
    def turn(self) -> Turn | None:
        """Who must decide now; None while nobody must."""
        return turn_of(self.felt, self._phase)

    def interrupt(self, text: str, turn: Turn | None) -> Update:
        """Return an update that says ``text``, and nothing that is not safe yet.

        ``turn`` is the one that was announced last.
        """
        felt = self.felt
        felt.seq += 1
        for seat in felt.seats:
            last = seat.last_answer
            if last is not None and last.seq == felt.seq:
                # Its effect is still untold, and is in the update after this one.
                seat.last_answer = last.model_copy(update={"seq": felt.seq + 1})
        event = Announced(text=text)
        return Update(table=felt.name, seq=felt.seq, events=(event,), turn=turn)

    def snapshot(self, line: int) -> Snapshot | None:
        """Return the whole picture for ``line``; None if it has no seat."""
        seat = self.felt.seats.of_line(line)
        if seat is None:
            return None
        return picture(self.felt, self._phase, seat, self._take_notices(seat))

    def state(self) -> dict[str, object]:
        """Return what the bank is to keep of the table between two commands."""
        return taken_down(self.felt, phase_of(self._phase))

    def _take_notices(self, seat: Seat) -> tuple[str, ...]:
        notices = self.felt.till.take_notices(seat.handle)
        if seat.notice:
            notices, seat.notice = (*notices, seat.notice), ""
        return notices
