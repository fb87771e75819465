"""The cage: players buy in at this server, and are paid out when they leave.

Theory of operation. Money is in one of two places: at rest in PostgreSQL, or here, in
the journal, for the length of a visit. SQL says what came in, the journal what goes
out. Between the two nothing is asked of PostgreSQL, and play goes on without it.

* *In:* SQL opens the visit, then the line ``arrive`` is on the disk, then the player is
  let in. A visit of which no reply came is asked for by its id; one that nobody waits
  for any more is adopted, and goes home.
* *Out:* the line ``depart`` is on the disk, then SQL closes the visit. It is repeated
  until SQL has confirmed it.
* *Once a second* a checkpoint says how far the journal is on the disk, and up to which
  line all visits are in SQL.
* *On each new connection*, before all else: if this is another PostgreSQL than the one
  that was compared last, or it knows less than it has acknowledged, all visits in the
  journal after that line are entered again.

Everything here belongs to the thread of the event loop.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalStalledError, MispostedError
from bj_server.bank.visit import Arrival, Departure, Membership, read_stays
from bj_server.fleet.checkpoints import Checkpoints
from bj_server.fleet.error import FencedError, FleetAwayError
from bj_server.fleet.neighbours import Neighbours
from bj_server.fleet.sql.connections import (
    TIMES,
    Connection,
    Connections,
    Times,
    answering,
)
from bj_server.fleet.sql.migration import check_schema
from bj_server.fleet.sql.recovery import difference, enter_again
from bj_server.fleet.sql.servers import (
    Checkpoint,
    Heard,
    checkpoint,
    find_server,
    restore_server,
    strand,
)
from bj_server.fleet.sql.visits import (
    Order,
    PaidOut,
    Standing,
    Why,
    buy_in,
    cash_out,
    look_up,
    open_visits,
)

LEASE = 5.0
"""Seconds without a sign after which a server is unheard, by one's own clock."""

_AT_ONCE = 50
"""Visits that are entered again in one transaction."""

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


def _nobody(handle: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What the cage asks of the tables of its server."""

    is_seated: Callable[[str], bool] = _nobody
    """Whether a handle has a seat."""
    is_coming: Callable[[str], bool] = _nobody
    """Whether a seat is kept for a handle that is about to have it."""
    table_of: Callable[[str], str] = lambda handle: ""
    """The table at which a handle is."""
    send_away: Callable[[str], None] = lambda handle: None
    """Has a handle leave its seat."""


@dataclass(eq=False, kw_only=True)
class Cage:
    """The half of a fleet's bank that is at one server."""

    bank: Bank
    url: str = field(repr=False)
    me: Membership
    address: str
    """The address that leads to this server alone."""
    clock: Callable[[], float]
    """Seconds that only go forward."""
    floor: Floor = Floor()
    times: Times = TIMES
    lease: float = LEASE
    is_up: bool = field(default=False, init=False)
    """Whether PostgreSQL has answered when it was asked last."""
    heard: Heard | None = field(default=None, init=False)
    """What was heard last."""
    faults: int = field(default=0, init=False)
    """Visits that ended, or arrived, in another way than PostgreSQL has it."""
    counted: dict[str, int] = field(default_factory=dict, init=False)
    """The last round of each table that is sure to count."""

    def __post_init__(self) -> None:
        self._connections = Connections(self.url, self._greet, times=self.times)
        self._in_motion: set[str] = set()
        """The visits that are bought in for just now."""
        self._loose = set(self.bank.books.visits)
        """Handles on a visit that may have no seat."""
        self._unpaid: dict[str, tuple[int, Departure]] = {}
        """Departures that SQL has not confirmed, with their lines."""
        self._paid: set[str] = set()
        """Visits that SQL has confirmed the end of since the last sweep."""
        self._start = ""
        """The start of the PostgreSQL with which the visits are compared."""
        self._waits_until = 0.0
        """Until then nobody buys in unless all servers have compared."""
        self._counter = 0
        self._is_in_doubt = False
        """Whether a visit may be open in SQL that the journal does not know."""
        self._comparing = asyncio.Lock()
        self._settling = asyncio.Lock()
        self._unsure: set[int] = set()
        """Lines of arrivals that another PostgreSQL than this one has confirmed."""
        self._reads_all = False
        """Whether all of the journal is to be compared, wherever SQL says it is."""
        self._checkpoints = Checkpoints(self.bank, self.floor.table_of)
        self.neighbours = Neighbours(self.clock, self.lease)
        self.work = asyncio.Event()
        """Is set when somebody may have to be paid out."""

    # Players.

    async def look_up(self, handle: str) -> Standing:
        """Return what the fleet knows of a handle."""
        return await self._do(lambda connection: look_up(connection, handle))

    async def buy_in(
        self, handle: str, sha256: str, table: str, opening: int
    ) -> Arrival | Why:
        """Have a handle come with all its money; it is on the disk when this returns.

        Raises:
            FleetError: if PostgreSQL does not answer, or this server is fenced.
            JournalStalledError: if the journal cannot be written; the money goes home.
        """
        id = secrets.token_hex(12)
        order = Order(id=id, handle=handle, sha256=sha256, table=table, opening=opening)
        start = ""

        async def work(connection: Connection) -> Arrival | Why:
            nonlocal start
            start = self._start
            is_waiting = self.clock() < self._waits_until
            return await buy_in(connection, self.me, order, is_waiting=is_waiting)

        self._in_motion.add(id)
        self._is_in_doubt = True
        try:
            found = await self._do(work)
            if isinstance(found, Why):
                return found
            seq = self._arrive(found)
        finally:
            self._in_motion.discard(id)
        if start != self._start:  # which may have lost what the one before has said
            self._unsure.add(seq)
            await self._compare_again()
        await self.bank.journal.durable(seq)
        return found

    def _arrive(self, arrival: Arrival) -> int:
        seq = self.bank.arrive(arrival)
        self._loose.add(arrival.handle)
        return seq

    async def _compare_again(self) -> None:
        """Have the visits compared before anything else is done."""
        self._start = ""
        await self._connections.close()

    def left(self, handle: str) -> None:
        """Note that a handle may have left its seat."""
        self._loose.add(handle)
        self.work.set()

    async def settle(self) -> None:
        """Send home who has left, and have SQL close the visits."""
        async with self._settling:
            self._send_home()
            unpaid = list(self._unpaid.values())
            results = await asyncio.gather(
                *(self._pay(*each) for each in unpaid), return_exceptions=True
            )
        for result in results:
            if isinstance(result, BaseException):
                raise result

    def _send_home(self) -> None:
        visits = self.bank.books.visits
        for handle in tuple(self._loose):
            if handle not in visits or self.floor.is_seated(handle):
                self._loose.discard(handle)
            elif self.is_up and not self.floor.is_coming(handle):
                try:
                    seq, departure = self.bank.depart(handle)
                except MispostedError:
                    continue  # stakes are held for it yet
                self._loose.discard(handle)
                self._unpaid[departure.id] = (seq, departure)

    async def _pay(self, seq: int, departure: Departure) -> None:
        await self.bank.journal.durable(seq)
        paid = await self._do(
            lambda connection: cash_out(connection, self.me, departure)
        )
        if paid.cents is None:  # SQL has lost the arrival
            self._reads_all = True
            await self._compare_again()
            return
        self._confirm(departure, paid)

    def _confirm(self, departure: Departure, paid: PaidOut) -> None:
        if paid.cents != departure.cents:
            self._report([difference(departure, paid)])
        self._unpaid.pop(departure.id, None)
        self._paid.add(departure.id)

    def _report(self, faults: Iterable[str]) -> None:
        for sentence in faults:
            self.faults += 1
            _log.error("%s", sentence)

    # Once a second.

    async def beat(self) -> None:
        """Say that this server lives, and hear who else does.

        Raises:
            FencedError: if this server has been taken over, and may do no more.
            FleetAwayError: if PostgreSQL does not answer.
        """
        rounds = dict(self.bank.books.over)
        heard = await self._say(is_running=True)
        self.heard, self.counted = heard, rounds
        for handle in heard.stranded:
            self.floor.send_away(handle)
        self.neighbours.see(
            server
            for server in heard.servers
            if server.name != self.me.name and not server.is_written_off
        )
        for name in self.neighbours.unheard:
            await self._strand(name)
        if self._is_in_doubt and not self._in_motion:
            self._is_in_doubt = False
            await self._do(self._sweep)
        if self._loose or self._unpaid:
            self.work.set()

    async def _say(self, *, is_running: bool) -> Heard:
        async def work(connection: Connection) -> tuple[Checkpoint, Heard]:
            unsettled = {seq for seq, _ in self._unpaid.values()} | self._unsure
            settled = min(unsettled, default=self.bank.journal.seq + 1) - 1
            said = self._checkpoints.take(settled, self._start, is_running=is_running)
            return said, await checkpoint(connection, self.me, said)

        said, heard = await self._do(work)
        self._checkpoints.acknowledge(said)
        self._counter = heard.counter
        return heard

    async def _strand(self, name: str) -> None:
        count = await self._do(lambda connection: strand(connection, self.me, name))
        if count:
            what = "server %s is unheard: %d visits there are stranded until it is back"
            _log.warning(what, name, count)

    async def run(self) -> None:
        """Beat once a second and pay out in between, until this server is fenced.

        Raises:
            FencedError: then.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(self._beat_on())
            group.create_task(self._settle_on())

    async def _beat_on(self) -> None:
        while True:
            await self._try(self.beat)
            await asyncio.sleep(1)

    async def _settle_on(self) -> None:
        while True:
            await self.work.wait()
            self.work.clear()
            await self._try(self.settle)

    async def _try(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except (FleetAwayError, JournalStalledError) as error:
            _log.debug("the fleet has to wait: %s", error)

    async def close(self) -> None:
        """Pay out who has left, and say that this server stops on purpose."""
        try:
            await self.settle()
            self.bank.journal.sync()
            await self._say(is_running=False)
        except (FleetAwayError, JournalStalledError, FencedError) as error:
            _log.warning("the fleet was not told that this server stops: %s", error)
        await self._connections.close()

    # Comparing.

    async def _do(self, work: Callable[[Connection], Awaitable[_T]]) -> _T:
        """Do something that may be repeated; once more if the line was cut."""
        try:
            return await self._do_once(work)
        except FleetAwayError:
            # The other lines may have been cut, too.
            await self._connections.close()
        return await self._do_once(work)

    async def _do_once(self, work: Callable[[Connection], Awaitable[_T]]) -> _T:
        try:
            async with self._connections.use() as connection:
                done = await work(connection)
        except FleetAwayError:
            self.is_up = False
            raise
        if not self.is_up:
            self.is_up = True
            _log.info("PostgreSQL answers")
            self.work.set()
        return done

    async def _greet(self, connection: Connection) -> None:
        """See that a PostgreSQL to which there is a new line has all that it had."""
        async with self._comparing:
            async with answering(connection, self.times.reply):
                found = await find_server(connection, self.me.name)
            if (
                found is None
                or found.start != self._start
                or found.epoch != self.me.epoch
                or found.counter < self._counter
            ):
                await self._compare(connection)

    async def _compare(self, connection: Connection) -> None:
        """Enter again what is missing, and adopt what the journal does not know."""
        async with answering(connection, self.times.reply):
            await check_schema(connection)
            found = await restore_server(connection, self.me, self.address)
        if found.counter < self._counter:
            what = "PostgreSQL has lost transactions that it had acknowledged"
            _log.error("%s; visits are entered again from the journal", what)
        journal = self.bank.journal
        await journal.durable(journal.seq)
        last = journal.synced
        head = await asyncio.to_thread(read_stays, journal.folder, found.seq, last)
        if found.seq and head.digest != found.hash:
            raise FencedError(self.me.name)
        settled = 0 if self._reads_all else found.settled
        stays = await asyncio.to_thread(read_stays, journal.folder, settled, last)
        after = [stay for _, stay in stays.after]
        for at in range(0, len(after), _AT_ONCE):
            async with answering(connection, self.times.reply):
                part = after[at : at + _AT_ONCE]
                self._report(await enter_again(connection, self.me, part))
        for stay in after:
            if isinstance(stay, Departure) and stay.id in self._unpaid:
                self._confirm(stay, PaidOut(cents=stay.cents))
        async with answering(connection, self.times.reply):
            await self._sweep(connection)
        if self._start != found.start:
            self._waits_until = self.clock() + self.lease
        self._start, self._counter = found.start, found.counter
        self._reads_all = False
        self._unsure = {seq for seq in self._unsure if seq > last}
        self._checkpoints.forget()

    async def _sweep(self, connection: Connection) -> None:
        """Adopt visits that are open in SQL, and that nobody waits for any more."""
        self._paid.clear()
        for arrival in await open_visits(connection, self.me):
            id, handle = arrival.id, arrival.handle
            here = self.bank.books.visits.get(handle)
            if here == id or id in self._in_motion | self._unpaid.keys() | self._paid:
                continue
            if here is not None:
                self._is_in_doubt = True  # until that visit is over
                continue
            known = {"handle": handle}
            _log.info("a visit that nobody waits for goes home", extra=known)
            self._arrive(arrival)
            self.work.set()
