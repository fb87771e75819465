"""The dealer: the one task that runs a table; how it draws is in ``bj_game.round``.

Theory of operation. Commands wait in the inbox. The dealer takes all that have come,
lets the table carry them out one by one, seals their records, commits the money that
has moved, and only then speaks: one update for everyone, a snapshot for each newcomer,
messages for single lines, dismissals last. It awaits its inbox and the bank, and never
a client.

If a fault of ours comes while a command is carried out, it is logged, the round is
void, every stake goes back, and the table plays on. If it comes later, the round goes
on if all of it is sealed, and else is void; everyone is shown the table anew. A second
fault on the way there ends the dealer, and with it the server.

While the bank cannot write, the table waits: everyone is told, answers are refused, and
all else waits. Commands that were carried out are told once they are safe, and the time
that passed counts for nobody. Only a ``Halt`` ends the wait; lines that are not on the
disk then were told to nobody. Books that contradict themselves end the dealer at once.
"""

import asyncio
import logging
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bj_game.money import dollars
from bj_protocol.codec import encode
from bj_protocol.commands import Answer, Link, Watch
from bj_protocol.events import Announced
from bj_protocol.messages import Update
from bj_protocol.proof import StatementKind
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import TableView
from bj_server.bank.error import (
    BankError,
    FolderLockedError,
    JournalError,
    JournalStalledError,
    UnbalancedError,
)
from bj_server.bank.pending import Bookmark
from bj_server.table import inbox
from bj_server.table.outgoing import Outlet
from bj_server.table.playing import Playing
from bj_server.table.refusal import RefusalError
from bj_server.table.seat import has_key
from bj_server.table.snapshot import table_view
from bj_server.table.table import Table

if TYPE_CHECKING:
    from bj_protocol.views import Turn
    from bj_server.table.clock import Alarm

_log = logging.getLogger(__name__)

_PAUSES = (
    "The bank cannot write to its disk just now, so the table pauses. Your stakes are "
    "safe; play goes on by itself when it can."
)
_GOES_ON = "The bank can write again, and play goes on. Nobody has lost any time."
_STOPS = (
    "The server stops while its bank cannot write. All that you were told is safe; "
    "join again later."
)
_VOID = "Something went wrong with this round; it is void."
_UNBALANCED = (
    "The books of the bank contradict themselves, so no bet is taken any more and the "
    "server stops. Nothing was changed; ask the host."
)


class Dealer:
    """Runs one table; everything that is to happen there is submitted to it."""

    def __init__(self, table: Table, outlet: Outlet) -> None:
        """Take over ``table``, and speak through ``outlet``."""
        self._table = table
        self._context = table.context
        self._outlet = outlet
        self._inbox = inbox.Inbox()
        self.has_room, self.room = self._inbox.has_room, self._inbox.room
        """Tell whether there is little to do for a line, and wait until there is."""
        self._alarm: Alarm | None = None
        self._alarm_at = math.inf
        self._joining: set[str] = set()
        self._told_turn: Turn | None = table.turn
        self.is_gone = False
        """Whether the task has ended, on purpose or not."""
        self._seal()  # the setting of the table wrote down its shoe

    @property
    def is_playing(self) -> bool:
        """Whether a round is on."""
        return isinstance(self._table.phase, Playing)

    @property
    def is_draining(self) -> bool:
        """Whether no round begins any more."""
        return bool(self._context.draining)

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._context.name

    @property
    def _known(self) -> dict[str, str]:
        return {"table": self.name}

    def submit(self, command: inbox.Command) -> None:
        """Queue a command; it is carried out in turn."""
        if isinstance(command, inbox.Join):
            self._joining.add(command.handle)
        self._inbox.submit(command)

    def hear_link(self, line: int, link: Link) -> None:
        """Take the link of a player at once; only the last one wakes the table.

        Raises:
            RefusalError: if it is not waited for, or another than was committed to.
        """
        if self._table.hear_link(line, link):
            self.submit(inbox.Linked())

    def keep_seat(self, handle: str) -> int | None:
        """Keep a seat for a handle; return its opening balance, None if it is full."""
        is_free = not self.is_gone and not self.is_seated(handle)
        if not is_free or not self._context.seats.keep(handle):
            return None
        self._joining.add(handle)
        return self._context.house.opening_balance

    def give_up(self, handle: str) -> None:
        """Keep no seat for a handle, which is not about to have one."""
        self._joining.discard(handle)
        self._context.seats.give_up(handle)

    @property
    def handles(self) -> list[str]:
        """The handles that have a seat here."""
        return [seat.handle for seat in self._context.seats]

    def is_seated(self, handle: str) -> bool:
        """Whether a player has a seat here, or is about to."""
        is_joining = handle in self._joining
        return is_joining or self._context.seats.of_handle(handle) is not None

    def balance(self, handle: str) -> int | None:
        """Return the free cents of a handle; None if it has no account."""
        return self._context.till.account(handle)

    @property
    def largest_gift(self) -> int:
        """The most cents that a player may be given now."""
        return self._context.till.room // 2

    def bank_of(self, handle: str) -> str:
        """Return a blank and a sentence about the bank of a handle; "" for no one's."""
        balance = self.balance(handle)
        return "" if balance is None else f" You have {dollars(balance)}."

    def bookmark(self, line: int) -> Bookmark:
        """Return the end of the bank's journal, for a player who looks back.

        Raises:
            RefusalError: if nobody plays on that line, or the bank cannot write.
        """
        context = self._context
        seat = context.seats.of_line(line)
        if seat is None:
            raise RefusalError(RefusalCode.NOT_SEATED)
        try:
            return context.till.bookmark(seat.handle)
        except JournalStalledError:
            raise RefusalError(RefusalCode.BANK_STALLED) from None

    def view(self, *, is_private: bool, is_open: bool = True) -> TableView:
        """Return the table as a list of tables shows it."""
        context, phase = self._context, self._table.phase
        return table_view(context, phase, is_private=is_private, is_open=is_open)

    def has_key(self, handle: str, sha256: str) -> bool:
        """Whether a handle has this key, or none yet."""
        return has_key(self._context.till, handle, sha256)

    async def run(self) -> None:
        """Deal until a ``Halt`` or ``Dissolve`` comes.

        Raises:
            JournalStalledError: if a ``Halt`` comes while the bank cannot write.
            FolderLockedError: if another server has taken the place of a deleted bank.
            UnbalancedError: if the bank finds that its books contradict themselves.
        """
        try:
            await self._deal()
        except BankError as error:
            sentence = _UNBALANCED if isinstance(error, UnbalancedError) else _STOPS
            self._interrupt(sentence)
            raise
        finally:
            self.is_gone = True
            self._inbox.close()

    async def _deal(self) -> None:
        self._set_alarm()  # a table that was resumed is waiting for somebody
        while not self._table.is_closed:
            batch = await self._inbox.take()
            try:
                self.carry_out(batch)
                await self._commit_and_speak(batch)
                if self._context.gauges.is_on:
                    self._measure(batch)
            except (FolderLockedError, JournalError, UnbalancedError):
                raise
            except Exception:  # noqa: BLE001 - a fault of ours must not end the table
                self._note_fault("a fault of ours interrupts the table")
                self._mend_round()
                await self._commit_and_speak(batch)

    async def _commit_and_speak(self, batch: Iterable[inbox.Command]) -> None:
        """Tell of a batch once it is safe; one with a ``Halt`` waits for no disk."""
        till = self._context.till
        while True:
            try:
                await till.commit()
                break
            except JournalStalledError as stalled:
                if not any(isinstance(command, inbox.Halt) for command in batch):
                    await self._sit_out(stalled)
                elif not await till.mend_once():
                    raise
        self.speak()
        self._set_alarm()

    def _mend_round(self) -> None:
        """Go on if all is sealed, else void the round; show everyone the table."""
        context = self._context
        if not context.till.is_sealed:
            self._table.void(_VOID)
            self._seal()
        seated = {seat.line for seat in context.seats if seat.line is not None}
        for line in sorted(seated | context.watchers):
            context.outgoing.welcome(line)

    def _note_fault(self, what: str) -> None:
        """Log the exception that is being handled, and count it."""
        self._context.gauges.failed("dealer")
        _log.exception(what, extra=self._known)

    def _measure(self, batch: Iterable[inbox.Command]) -> None:
        """Report how long the answers took that have just been told."""
        gauges = self._context.gauges
        now = gauges.now()
        for command in batch:
            if isinstance(command, inbox.FromLine) and command.received_at is not None:
                gauges.answer_told(self.name, now - command.received_at)

    async def _sit_out(self, stalled: JournalStalledError) -> None:
        """Wait until the bank can write again; take no answers until then."""
        context = self._context
        since = context.clock.now()
        _log.debug("the table pauses: %s", stalled, extra=self._known)
        self._interrupt(_PAUSES)
        waiting: list[inbox.Command] = []
        mended = asyncio.ensure_future(context.till.mended())
        try:
            while not mended.done():
                for command in await self._next_commands(mended):
                    if isinstance(command, inbox.Halt):
                        raise stalled
                    match command:
                        case inbox.FromLine(line=line, command=Answer(prompt=prompt)):
                            self._refuse(line, prompt)
                        case inbox.Join(line=line, handle=handle):
                            self.give_up(handle)
                            self._turn_away(line)
                        case inbox.FromLine(line=line, command=Watch()):
                            self._turn_away(line)
                        case inbox.Give(done=done) | inbox.ResetKey(done=done):
                            inbox.report(done, False)
                        case _:
                            waiting.append(command)
        finally:
            mended.cancel()
        await mended
        _log.debug("the table goes on", extra=self._known)
        self._inbox.return_first(waiting)
        self._table.put_off(context.clock.now() - since)
        context.outgoing.events.insert(0, Announced(text=_GOES_ON))

    async def _next_commands(self, mended: asyncio.Future[None]) -> list[inbox.Command]:
        """Return the commands that come before the bank is mended; none once it is."""
        taking = asyncio.ensure_future(self._inbox.take())
        try:
            await asyncio.wait((taking, mended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            taking.cancel()
        return taking.result() if taking.done() else []

    def _interrupt(self, sentence: str) -> None:
        """Say something to everyone, ahead of all that is not safe yet."""
        self._announce(self._table.interrupt(sentence, self._told_turn))

    def _refuse(self, line: int, prompt: int | None) -> None:
        refusal = RefusalError(RefusalCode.BANK_STALLED)
        self._context.gauges.refused(refusal.code)
        self._outlet.tell(line, refusal.message(prompt))

    def _turn_away(self, line: int) -> None:
        """Turn newcomers away who would wait without being told for how long."""
        self._refuse(line, None)
        sentence = "The bank cannot write to its disk just now; join again later."
        self._outlet.dismiss(line, CloseCode.REFUSED, sentence)

    def carry_out(self, batch: Iterable[inbox.Command]) -> None:
        """Carry out commands in order; none of them is told to anyone yet."""
        for command in batch:
            try:
                self._table.handle(command)
            except (JournalError, UnbalancedError):
                raise
            except Exception:  # noqa: BLE001 - a fault of ours must not close the table
                self._note_fault("a fault of ours voids the round")
                self._table.void(_VOID)
            if isinstance(command, inbox.Join):
                self.give_up(command.handle)
        self._seal()

    def _seal(self) -> None:
        """Write down all that the commands have done, and what they have changed."""
        till, change = self._context.till, self._table.changes()
        if change or not till.is_sealed:
            till.seal(change)

    def speak(self) -> None:
        """Tell all that has happened; it must be safe by now."""
        outgoing = self._context.outgoing
        update = self._table.close_update()
        if update is not None:
            self._told_turn = update.turn
            self._announce(update)
        # Each is taken off first, so that a fault in one of them keeps the others.
        while outgoing.newcomers:
            self._show(*outgoing.newcomers.pop(0))
        while outgoing.words:
            self._outlet.tell(*outgoing.words.pop(0))
        while outgoing.dismissals:
            line, code, reason, handle = outgoing.dismissals.pop(0)
            if handle is not None:
                self._say_goodbye(line, handle)
            self._outlet.dismiss(line, code, reason)
        while outgoing.reports:
            outgoing.reports.pop(0)()

    def _announce(self, update: Update) -> None:
        """Tell everyone an update, and sign it if need be."""
        text = encode(update)
        signed = [(each, encode(each)) for each in self._table.tell(update, text)]
        self._outlet.announce((update, text), *signed)

    def _say_goodbye(self, line: int, handle: str) -> None:
        """Sign the balance of a player who goes, once all that follows is done."""
        context = self._context
        if context.story is not None:
            note = f"{handle} {context.till.balance(handle)}"
            word = context.story.sign(
                StatementKind.GOODBYE, context.seq, context.round, note
            )
            self._outlet.tell(line, word)

    def _show(self, line: int, seq: int | None) -> None:
        """Send the updates after ``seq``, or else the whole picture."""
        if seq is not None and self._outlet.catch_up(line, seq):
            return
        snapshot = self._table.snapshot(line)
        if snapshot is None:
            return
        self._outlet.tell(line, snapshot)
        story = self._context.story
        if story is not None and story.began is not None:
            self._outlet.tell(line, story.began)

    def _set_alarm(self) -> None:
        """See that the dealer is woken in time.

        One that rings too early does no harm, so the one that is set is left alone when
        a deadline only moves away, as it does with every answer.
        """
        wake_at = self._table.wake_at
        if wake_at is None or self._alarm_at <= wake_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._context.clock.alarm(wake_at, self._ring)
        self._alarm_at = wake_at

    def _ring(self) -> None:
        self._alarm_at = math.inf
        self.submit(inbox.TimeUp())
