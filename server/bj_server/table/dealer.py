"""The dealer: the one task that runs a table.

Theory of operation. Commands wait in the inbox. The dealer takes all that have come,
lets the table carry them out one by one, seals what they wrote down, commits the money
that has moved, and only then speaks: one update for everyone, a snapshot for each
newcomer, words for single lines, dismissals last. It awaits its inbox and the bank, and
never a client.

A fault of our own while a command is carried out is logged, the round is void, every
stake goes back, and the table plays on. A bank that cannot write ends the dealer, and
with it the server: what is not on disk has been told to nobody.
"""

import logging
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bj_server.bank.error import JournalError, Unbalanced
from bj_server.table.inbox import Command, Halt, Inbox, Join, TimeUp
from bj_server.table.outlet import Outlet
from bj_server.table.table import Table

if TYPE_CHECKING:
    from bj_server.table.clock import Alarm

__all__ = ["Dealer"]

_log = logging.getLogger(__name__)


class Dealer:
    """Runs one table; everything that is to happen there is submitted to it."""

    def __init__(self, table: Table, outlet: Outlet) -> None:
        """Take over ``table``, and speak through ``outlet``."""
        self._table = table
        self._outlet = outlet
        self._inbox = Inbox()
        self._alarm: Alarm | None = None
        self._alarm_at = math.inf
        self._joining: set[str] = set()
        self._seal()  # the setting of the table wrote down its shoe

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._table.felt.name

    def submit(self, command: Command) -> None:
        """Queue a command; it is carried out in turn."""
        if isinstance(command, Join):
            self._joining.add(command.handle)
        self._inbox.submit(command)

    async def room(self) -> None:
        """Return once there is little to do, so that a reader can slow down."""
        await self._inbox.room()

    def is_seated(self, handle: str) -> bool:
        """Whether a player has a seat here, or is about to."""
        is_joining = handle in self._joining
        return is_joining or self._table.felt.seats.of_handle(handle) is not None

    async def run(self) -> None:
        """Deal until a ``Halt`` comes.

        Raises:
            JournalError: if the bank cannot keep what has happened.
            Unbalanced: if the bank finds that its books contradict themselves.
        """
        is_open = True
        while is_open:
            batch = await self._inbox.take()
            self.carry_out(batch)
            await self._table.felt.till.commit()
            self.speak()
            self._set_alarm()
            is_open = not any(isinstance(command, Halt) for command in batch)

    def carry_out(self, batch: Iterable[Command]) -> None:
        """Carry out commands in order; none of them is told to anyone yet."""
        for command in batch:
            self._carry_out(command)
            if isinstance(command, Join):
                self._joining.discard(command.handle)
        self._seal()

    def _seal(self) -> None:
        """Close what was written down, with the state of the table after it."""
        till = self._table.felt.till
        if not till.is_sealed:
            till.seal(self._table.state())

    def _carry_out(self, command: Command) -> None:
        try:
            self._table.handle(command)
        except (JournalError, Unbalanced):
            raise
        except Exception:  # noqa: BLE001 - a fault of ours must not close the table
            _log.exception("table %s: a fault of ours voids the round", self.name)
            self._table.void("Something went wrong with this round; it is void.")

    def speak(self) -> None:
        """Say what has happened; it must be safe by now."""
        bulletin = self._table.felt.bulletin
        update = self._table.close_update()
        if update is not None:
            self._outlet.announce(update)
        for line in bulletin.newcomers:
            snapshot = self._table.snapshot(line)
            if snapshot is not None:
                self._outlet.tell(line, snapshot)
        for word in bulletin.words:
            self._outlet.tell(word.line, word.message)
        for parting in bulletin.dismissals:
            self._outlet.dismiss(parting.line, parting.code, parting.reason)
        bulletin.clear()

    def _set_alarm(self) -> None:
        """See that the dealer is woken in time.

        An alarm that rings too early does no harm, for the table looks at the clock
        itself; so the one that is set is left alone when a deadline only moves away,
        as it does with every answer.
        """
        wake_at = self._table.wake_at
        if wake_at is None or self._alarm_at <= wake_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._table.felt.clock.alarm(wake_at, self._ring)
        self._alarm_at = wake_at

    def _ring(self) -> None:
        self._alarm_at = math.inf
        self.submit(TimeUp())
