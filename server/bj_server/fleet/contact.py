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
from dataclasses import dataclass, field
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

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Contact:
    """The lines of one server to its fleet's PostgreSQL; ``bank`` has its journal."""

    bank: Bank
    url: str = field(repr=False)
    me: Membership
    address: str
    clock: Callable[[], float]
    lease: float
    times: Times
    catch_up: Callable[
        [Connection, Sequence[Arrival | Departure], Mapping[str, str]], Awaitable[None]
    ]
    """Is called with what was entered again, and sentences about what does not fit."""
    is_up: bool = field(default=False, init=False)
    """Whether PostgreSQL has answered when it was asked last."""
    start: str = field(default="", init=False)
    """Names the PostgreSQL with which the visits are compared."""
    counter: int = field(default=0, init=False)
    """The last checkpoint that it has acknowledged."""

    def __post_init__(self) -> None:
        self._connections = Connections(self.url, self._greet, times=self.times)
        self._comparing = asyncio.Lock()
        self._reads_all = False
        """Whether all of the journal is compared, wherever PostgreSQL says it is."""
        self._waits_until = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether others may have to compare with this PostgreSQL yet."""
        return self.clock() < self._waits_until

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
                await fence(connection, self.me)
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
            async with answering(connection, self.times.reply):
                found = await find_server(connection, self.me.name)
            if (
                found is None
                or found.start != self.start
                or found.epoch != self.me.epoch
                or found.counter < self.counter
            ):
                await self._compare(connection)

    async def _compare(self, connection: Connection) -> None:
        reply = self.times.reply
        async with answering(connection, reply):
            await check_schema(connection)
            found = await restore_server(connection, self.me, self.address)
        if found.counter < self.counter:
            what = "PostgreSQL has lost transactions that it had acknowledged"
            _log.error("%s; visits are entered again from the journal", what)
        journal = self.bank.journal
        await journal.durable(journal.seq)
        folder, last = journal.folder, journal.synced
        head = await asyncio.to_thread(read_stays, folder, found.seq, last)
        if found.seq and head.digest != found.hash:
            raise FencedError(self.me.name)
        settled = 0 if self._reads_all else found.settled
        stays = await asyncio.to_thread(read_stays, folder, settled, last)
        after, faults = stays.after, dict[str, str]()
        for at in range(0, len(after), _AT_ONCE):
            async with answering(connection, reply):
                part = after[at : at + _AT_ONCE]
                faults |= await enter_again(connection, self.me, part)
        async with answering(connection, reply):
            await self.catch_up(connection, after, faults)
        if self.start != found.start:
            self._waits_until = self.clock() + self.lease
        self.start, self.counter = found.start, found.counter
        self._reads_all = False
