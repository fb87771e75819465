"""Contact: what is asked of PostgreSQL, and that it is one which has all that it had.

PostgreSQL may go back: a standby takes over without the last commits, or an old copy is
restored. So each new connection is looked at before anything is asked on it. If this is
another PostgreSQL than the one that was compared last, or it knows less than it has
acknowledged, all visits after the line up to which it has them are entered again from
the journal.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from bj_server.bank.bank import Bank
from bj_server.bank.visit import Arrival, Departure, Membership, read_stays
from bj_server.fleet.error import FencedError, FleetAwayError
from bj_server.fleet.sql.connections import Connection, Connections, Times, answering
from bj_server.fleet.sql.migration import check_schema
from bj_server.fleet.sql.recovery import enter_again
from bj_server.fleet.sql.servers import fence, find_server, restore_server

_AT_ONCE = 50
"""Visits that are entered again in one transaction."""

_T = TypeVar("_T")

CatchUp = Callable[
    [Connection, Sequence[Arrival | Departure], Mapping[str, str]], Awaitable[None]
]
"""Is called with what was entered again, and sentences about what does not fit."""

_log = logging.getLogger(__name__)


class Contact:
    """The lines of one server to its fleet's PostgreSQL."""

    def __init__(
        self,
        bank: Bank,
        url: str,
        me: Membership,
        address: str,
        *,
        clock: Callable[[], float],
        lease: float,
        times: Times,
        catch_up: CatchUp,
    ) -> None:
        """Speak for the server ``me`` at ``address``, whose journal ``bank`` has."""
        self._bank = bank
        self._me = me
        self._address = address
        self._clock = clock
        self._lease = lease
        self._times = times
        self._catch_up = catch_up
        self._connections = Connections(url, self._greet, times=times)
        self._comparing = asyncio.Lock()
        self._reads_all = False
        """Whether all of the journal is compared, wherever PostgreSQL says it is."""
        self._waits_until = 0.0
        self.is_up = False
        """Whether PostgreSQL has answered when it was asked last."""
        self.start = ""
        """Names the PostgreSQL with which the visits are compared."""
        self.counter = 0
        """The last checkpoint that it has acknowledged."""

    @property
    def is_waiting(self) -> bool:
        """Whether others may have to compare with this PostgreSQL yet."""
        return self._clock() < self._waits_until

    async def do(self, work: Callable[[Connection], Awaitable[_T]]) -> _T:
        """Do something that may be repeated; once more if the line was cut.

        Raises:
            FleetAwayError: if there is no answer; it may have been done or not.
        """
        try:
            return await self._do_once(work)
        except FleetAwayError:
            # The other lines may have been cut, too.
            await self._connections.close()
        return await self._do_once(work)

    async def write(self, work: Callable[[Connection], Awaitable[_T]]) -> _T:
        """Do something in one transaction, unless this server has been taken over.

        Raises:
            FencedError: if it has.
            FleetAwayError: if there is no answer; it may have been done or not.
        """

        async def fenced(connection: Connection) -> _T:
            async with connection.transaction():
                await fence(connection, self._me)
                return await work(connection)

        return await self.do(fenced)

    async def compare_again(self, *, is_whole: bool = False) -> None:
        """Have the visits compared before anything else, perhaps the whole journal."""
        self._reads_all |= is_whole
        self.start = ""
        await self._connections.close()

    async def close(self) -> None:
        """Close all lines."""
        await self._connections.close()

    async def _do_once(self, work: Callable[[Connection], Awaitable[_T]]) -> _T:
        try:
            async with self._connections.use() as connection:
                done = await work(connection)
        except FleetAwayError:
            self.is_up = False
            raise
        self.is_up = True
        return done

    async def _greet(self, connection: Connection) -> None:
        async with self._comparing:
            async with answering(connection, self._times.reply):
                found = await find_server(connection, self._me.name)
            if (
                found is None
                or found.start != self.start
                or found.epoch != self._me.epoch
                or found.counter < self.counter
            ):
                await self._compare(connection)

    async def _compare(self, connection: Connection) -> None:
        reply = self._times.reply
        async with answering(connection, reply):
            await check_schema(connection)
            found = await restore_server(connection, self._me, self._address)
        if found.counter < self.counter:
            what = "PostgreSQL has lost transactions that it had acknowledged"
            _log.error("%s; visits are entered again from the journal", what)
        journal = self._bank.journal
        await journal.durable(journal.seq)
        folder, last = journal.folder, journal.synced
        head = await asyncio.to_thread(read_stays, folder, found.seq, last)
        if found.seq and head.digest != found.hash:
            raise FencedError(self._me.name)
        settled = 0 if self._reads_all else found.settled
        stays = await asyncio.to_thread(read_stays, folder, settled, last)
        after, faults = [stay for _, stay in stays.after], dict[str, str]()
        for at in range(0, len(after), _AT_ONCE):
            async with answering(connection, reply):
                part = after[at : at + _AT_ONCE]
                faults |= await enter_again(connection, self._me, part)
        async with answering(connection, reply):
            await self._catch_up(connection, after, faults)
        if self.start != found.start:
            self._waits_until = self._clock() + self._lease
        self.start, self.counter = found.start, found.counter
        self._reads_all = False
