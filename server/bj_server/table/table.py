"""The table: its seats, its running phase, and the pictures and updates of both.

Theory of operation. A table is a machine without I/O. ``handle`` takes one command at a
time; its messages gather in ``outgoing``, its money in the till. It waits for nobody
and knows the time only from its clock. ``Dealer`` runs it: commands in, commit
the till, then speak.

          a player is here       bets closed, links awaited         all here
      waiting ─────────▶ betting ───────────────────────▶ calling ─────────▶ playing
         ▲               │  ▲  ▲  ▲                         │                   │
         └───────────────┘  └──┘  └─────────────────────────┴───────────────────┘
         nobody is here   no bet                no link    settled or void

If nobody has committed to a link, there is nothing to wait for, and no calling.
"""

import logging
from functools import partial
from typing import assert_never

from bj_game.money import dollars
from bj_protocol.chat import clean_chat
from bj_protocol.commands import AnyAnswer, Chat, Leave, Link, Resync, Watch
from bj_protocol.events import Announced, GiftGiven
from bj_protocol.messages import Signed, Snapshot, Update
from bj_protocol.proof import NO_HEAD, StatementKind
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Turn
from bj_server.table import inbox
from bj_server.table.betting import Betting
from bj_server.table.calling import SITS_OUT, Calling
from bj_server.table.context import TableContext
from bj_server.table.outgoing import chat, proclaim
from bj_server.table.playing import Playing
from bj_server.table.refusal import RefusalError
from bj_server.table.seat import LastAnswer, Seat
from bj_server.table.seating import Seating
from bj_server.table.snapshot import AnyPhase, phase_of, picture, turn_of
from bj_server.table.state import StateKeeper

_log = logging.getLogger(__name__)

_NO_LINK = (
    "No player's part in the draw came in time, so no card is dealt and the bets go "
    "back."
)


class Table:
    """One table: its seats and the phase that it is in."""

    def __init__(self, context: TableContext, phase: AnyPhase = None) -> None:
        """Go on with ``context`` in a phase; callers use ``open_table``."""
        self.context = context
        self.phase = phase
        self.is_closed = False
        """Whether the table carries out nothing more."""
        self._seating = Seating(context, lambda: self.phase)
        self._keeper = StateKeeper(context)

    # Commands.

    def handle(self, command: inbox.Command) -> None:  # noqa: C901 - one flat match
        """Carry out one command, then whatever follows from it."""
        match command:
            case inbox.FromLine(line=line, command=said):
                self._hear(line, said)
            case inbox.Join():
                self._seating.welcome(command)
            case inbox.ConnectionLost(line=line):
                self._seating.drop(line)
            case inbox.SendAway(handle=handle, why=why):
                self._seating.send_away(handle, why)
            case inbox.Dissolve():
                self.is_closed = True
                self._seating.send_all_away()
            case inbox.Proclaim(text=text):
                proclaim(self.context, text)
            case inbox.Notice(text=text):
                self.context.notice = clean_chat(text)
                proclaim(self.context, text)
            case inbox.Mute(handle=handle, is_muted=is_muted):
                self.context.mute(handle, is_muted=is_muted)
            case inbox.Linked():
                pass  # the next step deals
            case inbox.Give():
                self._give(command)
            case inbox.ResetKey(handle=handle, done=done):
                if self.context.till.key_of(handle) is not None:
                    self.context.till.forget_key(handle)
                self.context.outgoing.reports.append(partial(inbox.report, done, True))
            case inbox.ChangePace(pace=pace):
                self.context.pace = pace
            case inbox.Reshuffle():
                self._reshuffle()
            case inbox.Drain():
                self._drain(command)
            case inbox.TimeUp():
                self._time_up()
            case inbox.Halt():
                self.is_closed = True
                return  # all is in the bank; the next server goes on from here
            case _:
                assert_never(command)
        self._step()

    def void(self, text: str) -> None:
        """Give every stake of the running round back, and call for bets again."""
        self._return_stakes(text)
        self._step()

    def put_off(self, seconds: float) -> None:
        """Give everyone back the time in which the table could not go on."""
        if self.phase is not None:
            self.phase.deadline += seconds
        for seat in self.context.seats:
            seat.away_since += seconds

    @property
    def wake_at(self) -> float | None:
        """When the table next has something to do by itself; None for never."""
        wake_at = self._due
        for seat in self.context.seats.taken:
            if seat.line is None and self._seating.is_held(seat):
                ends = self.context.hold_ends(seat)
                wake_at = ends if wake_at is None else min(wake_at, ends)
        return wake_at

    @property
    def _due(self) -> float | None:
        """When the table decides for somebody by itself; None for never."""
        if self.phase is None:
            return None
        if self.context.pace.has_clock or isinstance(self.phase, Calling):
            return self.phase.deadline
        missed = (seat for seat in self.context.seats if seat.is_missed)
        return min(map(self.context.hold_ends, missed), default=None)

    def _hear(self, line: int, said: Watch | Leave | Resync | Chat | AnyAnswer) -> None:
        try:
            match said:
                case Watch():
                    self.context.watchers.add(line)
                    self.context.outgoing.welcome(line)
                case Leave():
                    self._seating.leave(line)
                case Resync(seq=seq):
                    self.context.outgoing.welcome(line, seq)
                case Chat(text=text):
                    chat(self.context, line, text)
                case _:
                    self._answer(line, said)
        except RefusalError as refusal:
            self._refuse(line, refusal, getattr(said, "prompt", None))

    # Deciding.

    def _answer(self, line: int, answer: AnyAnswer) -> None:
        seat = self.context.seats.of_line(line)
        if seat is None:
            raise RefusalError(RefusalCode.NOT_SEATED)
        last = seat.last_answer
        if last is not None and last.prompt == answer.prompt:
            self.context.outgoing.tell(line, last.message)
        else:
            self._accept(seat, answer)

    def _accept(self, seat: Seat, answer: AnyAnswer) -> None:
        ask = seat.ask
        if ask is None or ask.prompt != answer.prompt:
            raise RefusalError(self._why_not_asked(answer.prompt))
        if isinstance(self.phase, (Betting, Playing)):  # a call asks nothing
            self.phase.answer(seat, ask, answer)
        seat.missed_bets = 0
        seq = self.context.seq + 1
        seat.last_answer = LastAnswer(answer.prompt, answer.type, seq)

    def _why_not_asked(self, prompt: int) -> RefusalCode:
        is_anothers = any(s.ask and s.ask.prompt == prompt for s in self.context.seats)
        was_asked = 0 < prompt <= self.context.last_prompt and not is_anothers
        return RefusalCode.PROMPT_OVER if was_asked else RefusalCode.NOT_ASKED

    def _refuse(self, line: int, refusal: RefusalError, prompt: int | None) -> None:
        self.context.gauges.refused(refusal.code)
        self.context.outgoing.tell(line, refusal.message(prompt))

    def _time_up(self) -> None:
        phase, due, now = self.phase, self._due, self.context.clock.now()
        if phase is None or due is None or due > now:
            return
        if isinstance(phase, Calling):
            phase.time_up()
            return
        missed = [seat for seat in self.context.seats if seat.is_missed]
        overdue = [seat for seat in missed if self.context.hold_ends(seat) <= now]
        for seat in missed if self.context.pace.has_clock else overdue:
            if seat.line is None:  # not back since the server was
                self._seating.hold(seat)
        if self.context.pace.has_clock:
            phase.time_up()
            self._seating.stand_up_idle()
            return
        for seat in overdue:
            phase.excuse(seat, is_overdue=True)

    # The draw.

    def hear_link(self, line: int, command: Link) -> bool:
        """Take the link of a player; return whether it is the last of the call.

        It is kept in memory alone: nothing is written down or told before the deal.

        Raises:
            RefusalError: if it is not waited for, or another than was committed to.
        """
        seat = self.context.seats.of_line(line)
        if seat is None:
            raise RefusalError(RefusalCode.NOT_SEATED)
        if not isinstance(self.phase, Calling):
            raise RefusalError(RefusalCode.LINK_OVER)
        return self.phase.hear(seat, command)

    def _close_bets(self, betting: Betting) -> None:
        """Call the round; deal it if nobody has a link, and none without bets."""
        if not betting.has_bets:
            self.phase = None
        elif betting.is_to_be_called:
            self.phase = Calling.call(self.context)
        else:
            self.phase = Playing.open(self.context)

    def _draw(self, calling: Calling) -> None:
        """Deal to those whose links are here, if there are any."""
        if not calling.has_round:
            late = calling.missing
            for seat in late:
                seat.sits_out = SITS_OUT
            self._return_stakes(_NO_LINK, tuple(seat.number for seat in late))
            return
        missing = calling.return_missing()
        self.context.head = calling.head or NO_HEAD
        self.phase = Playing.open(self.context, calling.links, missing)

    def _reshuffle(self) -> None:
        """Have another shoe as soon as no cards are out and no bets are placed."""
        self.context.source.is_shuffle_wanted = True
        is_betting = isinstance(self.phase, Betting) and not self.phase.has_bets
        if self.phase is None or is_betting:
            self.phase = None
            for seat in self.context.seats:
                seat.ask = None
            self.context.freshen()

    # The host.

    def _give(self, gift: inbox.Give) -> None:
        self.context.till.give(gift.handle, gift.amount)
        done = partial(inbox.report, gift.done, True)
        self.context.outgoing.reports.append(done)
        seat = self.context.seats.of_handle(gift.handle)
        if seat is None:
            return
        balance = self.context.till.balance(seat.handle)
        self.context.outgoing.post(
            GiftGiven(
                seat=seat.number, amount=gift.amount, balance=balance, by_host=True
            )
        )
        if isinstance(self.phase, Betting) and not (seat.ask and seat.ask.wager):
            self.phase.invite(seat)  # who was broke can bet now

    def _drain(self, drain: inbox.Drain) -> None:
        """Begin no round any more; one that is dealt is played to its end."""
        self.context.draining, self.context.rested = drain.text, drain.rested
        self.context.outgoing.post(Announced(text=drain.text))
        if not isinstance(self.phase, Playing):
            self._return_stakes(drain.text)

    # The phases.

    def _step(self) -> None:
        if isinstance(self.phase, Betting) and self.phase.is_over:
            self._close_bets(self.phase)
        if isinstance(self.phase, Calling) and self.phase.is_over:
            self._draw(self.phase)
        if isinstance(self.phase, Playing) and self.phase.is_over:
            self._clear()
        self._seating.release_expired()
        self._call_for_bets()
        if not self.context.seats.taken and self.context.source.is_begun:
            # A deck that is never refilled makes a game: the next player begins another
            # one, unless cards are stacked for that player.
            self.context.replace_shoe()
        if self.context.rested is not None and self.phase is None:
            self.context.outgoing.reports.append(self.context.rested)
            self.context.rested = None

    def _clear(self) -> None:
        self.phase = None
        self.context.round += 1
        for seat in self.context.seats:
            seat.bet, seat.sits_out = 0, max(0, seat.sits_out - 1)
            seat.rounds_broke += bool(seat.rounds_broke)
        self.context.freshen()

    def _call_for_bets(self) -> None:
        if self.context.draining or isinstance(self.phase, Calling | Playing):
            return
        is_anyone_here = bool(self.context.seats.here)
        if self.phase is None and is_anyone_here:
            self.phase = Betting.call(self.context)
        elif isinstance(self.phase, Betting) and not is_anyone_here:
            self.phase = None

    def _return_stakes(self, text: str, missing: tuple[int, ...] = ()) -> None:
        """Give all back that is staked on the round, and write its secret down."""
        data = {"secret": self.context.secret}
        back = self.context.till.refund(self.context.round, data=data)
        self.phase = None
        self.context.source.restore()
        if back:
            self.context.void_round(text, missing)
        for seat in self.context.seats:
            seat.ask, seat.bet = None, 0
            if seat.handle in back:
                known = {"seat": seat.number, "handle": seat.handle}
                extra = {"table": self.context.name, **known}
                _log.info("%s goes back", dollars(back[seat.handle]), extra=extra)
                self.context.post_return(seat, back[seat.handle])
        self.context.freshen()

    # Updates and snapshots.

    def close_update(self) -> Update | None:
        """Return the update of all that has happened, if anything has."""
        events = tuple(self.context.outgoing.events)
        if not events:
            return None
        self.context.outgoing.events.clear()
        self.context.seq += 1
        name, seq, turn = self.context.name, self.context.seq, self.turn
        return Update.model_construct(  # of what is ours, so nothing is validated again
            type="update", table=name, seq=seq, events=events, turn=turn
        )

    def tell(self, update: Update, text: str) -> list[Signed]:
        """Note that an update is told, as this text; return the signed statements."""
        story = self.context.story
        if story is None:
            return []
        signed = story.tell(update, text)
        for each in signed:
            if each.kind is StatementKind.CALL and isinstance(self.phase, Calling):
                self.phase.head = story.head
        return signed

    @property
    def turn(self) -> Turn | None:
        """The open asks; None while there are none."""
        return turn_of(self.context, self.phase)

    def interrupt(self, text: str, turn: Turn | None) -> Update:
        """Return an update that says ``text`` alone; all else is not safe yet.

        ``turn`` is the one that was announced last.
        """
        context = self.context
        context.seq += 1
        for seat in context.seats:
            last = seat.last_answer
            if last is not None and last.seq == context.seq:
                # Its effect is still untold, and is in the update after this one.
                seat.last_answer = last._replace(seq=context.seq + 1)
        event = Announced(text=text)
        return Update(table=context.name, seq=context.seq, events=(event,), turn=turn)

    def snapshot(self, line: int) -> Snapshot | None:
        """Return the picture for ``line``; None if it neither plays nor watches."""
        seat = self.context.seats.of_line(line)
        if seat is not None:
            notices = self.context.till.take_notices(seat.handle)
            if seat.notice:
                notices, seat.notice = (*notices, seat.notice), ""
            return picture(self.context, self.phase, seat, notices)
        watches = line in self.context.watchers
        return picture(self.context, self.phase, None, ()) if watches else None

    def changes(self) -> dict[str, object]:
        """Return what the bank does not know yet of the state of the table."""
        return self._keeper.changes(phase_of(self.phase))
