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
* *On each new connection*, before all else, visits that PostgreSQL has lost are entered
  again: ``bj_server.fleet.contact``.

Everything here belongs to the thread of the event loop.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalStalledError, MispostedError
from bj_server.bank.visit import Arrival, Departure, Membership
from bj_server.fleet.beat import LEASE, Checkpoints, Neighbours
from bj_server.fleet.contact import Contact
from bj_server.fleet.error import FencedError, FleetAwayError
from bj_server.fleet.sql import visits
from bj_server.fleet.sql.connections import TIMES, Connection, Times
from bj_server.fleet.sql.players import Standing, claim, frozen, look_up
from bj_server.fleet.sql.recovery import difference, lost_end, strand
from bj_server.fleet.sql.servers import Checkpoint, Heard, checkpoint
from bj_server.fleet.sql.visits import Order, Why

_OVER = "Your visit was over while this server was not heard"

_log = logging.getLogger(__name__)


async def _no_orders(changes: int) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What the cage asks of the tables of its server."""

    is_seated: Callable[[str], bool] = lambda handle: False
    """Whether a handle has a seat."""
    is_coming: Callable[[str], bool] = lambda handle: False
    """Whether a seat is kept for a handle that is about to have it."""
    table_of: Callable[[str], str] = lambda handle: ""
    """The table at which a handle is."""
    send_away: Callable[[str, str], None] = lambda handle, why: None
    """Has a handle leave its seat, and tells why."""
    follow: Callable[[int], Awaitable[None]] = _no_orders
    """Does here what was ordered anywhere, if the number of changes tells of more."""


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
    floor: Floor = field(default_factory=Floor)
    times: Times = TIMES
    lease: float = LEASE
    heard: Heard | None = field(default=None, init=False)
    """What was heard last."""
    bought_in: int = field(default=0, init=False)
    """Visits that have begun here since the start."""
    paid_out: int = field(default=0, init=False)
    """Visits that PostgreSQL has closed since the start."""
    beaten_at: float = field(default=0.0, init=False)
    """When it had a checkpoint last, by ``clock``."""
    faults: int = field(default=0, init=False)
    """Visits that ended, or arrived, in another way than PostgreSQL has it."""
    ended: set[str] = field(default_factory=set, init=False)
    """Handles that are here, though PostgreSQL has paid their visits: they must go."""

    def __post_init__(self) -> None:
        self.contact = Contact(
            self.bank,
            self.url,
            self.me,
            self.address,
            self.clock,
            self.lease,
            self.times,
            self._catch_up,
        )
        self._in_motion: set[str] = set()
        """The visits that are bought in for just now."""
        self._loose = set(self.bank.books.visits)
        """Handles on a visit that may have no seat."""
        self._unpaid: dict[str, tuple[int, Departure]] = {}
        """Departures that SQL has not confirmed, with their lines."""
        self._paid: set[str] | None = None
        """Visits that SQL has closed since a sweep began; None without a sweep."""
        self._sweeping = asyncio.Lock()
        self._sought: set[str] = set()
        """Visits that SQL does not know, for which all of the journal is read."""
        self._missing: set[str] = set()
        """Those of them that the journal has no more, which a host has to see to."""
        self._lost: set[str] = set()
        """Handles with a visit that SQL may have, and of which no reply has come."""
        self._settling = asyncio.Lock()
        self._unsure: set[int] = set()
        """Lines of arrivals that another PostgreSQL than this one has confirmed."""
        self._suspects: set[str] = set()
        """Handles whose money was taken again to this PostgreSQL."""
        self.checkpoints = Checkpoints(self.bank, lambda h: self.floor.table_of(h))
        self.neighbours = Neighbours(self.clock, self.lease)
        self.work = asyncio.Event()
        """Is set when somebody may have to be paid out."""

    # Players.

    async def look_up(self, handle: str) -> Standing:
        """Return what the fleet knows of a handle."""
        return await self.contact.do(lambda connection: look_up(connection, handle))

    async def buy_in(
        self,
        handle: str,
        sha256: str,
        table: str,
        opening: int,
        told: tuple[str, ...] = (),
    ) -> Arrival | Why:
        """Have a handle come with all its money; it is on the disk when this returns.

        The player is told its notices, and ``told``.

        Raises:
            FleetError: if PostgreSQL does not answer, or this server is fenced.
            JournalStalledError: if the journal cannot be written; the money goes home.
        """
        id = secrets.token_hex(12)
        order = Order(id=id, handle=handle, sha256=sha256, table=table, opening=opening)
        start = ""

        async def work(line: Connection) -> Arrival | Why:
            nonlocal start
            start = self.contact.start
            is_waiting = self.contact.is_waiting
            return await visits.buy_in(line, self.me, order, is_waiting=is_waiting)

        self._in_motion.add(id)
        try:
            found = await self.contact.do(work)
            if isinstance(found, Why):
                return found
            seq = self._arrive(replace(found, notices=(*found.notices, *told)))
            self.bought_in += 1
        except BaseException:
            self._lost.add(handle)
            raise
        finally:
            self._in_motion.discard(id)
        if start != self.contact.start:  # which may not have what the one before had
            self._unsure.add(seq)
            await self.contact.compare_again()
        await self.bank.journal.durable(seq)
        return found

    def _arrive(self, arrival: Arrival) -> int:
        seq = self.bank.arrive(arrival)
        self._loose.add(arrival.handle)
        return seq

    async def take_key(self, handle: str, sha256: str) -> None:
        """Have a handle that is here known by the key which the fleet knows it by.

        One that was reset in the fleet is claimed there by whoever comes first.
        """
        await self.contact.write(lambda line: claim(line, handle, sha256))
        self.note_key(handle, sha256)

    def note_key(self, handle: str, sha256: str | None) -> None:
        """Have a handle that is here known by its key in the fleet, or by none."""
        books = self.bank.books
        if handle in books.visits and books.keys.get(handle) != sha256:
            self.bank.reset_key(handle)
            if sha256 is not None:
                self.bank.claim(handle, sha256)

    def has_more(self, handle: str) -> bool:
        """Whether a handle has money in the fleet that is not here."""
        return self.heard is not None and handle in self.heard.rich

    @property
    def unconfirmed(self) -> int:
        """How many visits have ended here that PostgreSQL has not closed."""
        return len(self._unpaid)

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
        for handle in tuple(self._loose):
            if handle not in self.bank.books.visits or self.floor.is_seated(handle):
                self._loose.discard(handle)
            elif self.contact.is_up and not self.floor.is_coming(handle):
                try:
                    seq, departure = self.bank.depart(handle)
                except MispostedError:
                    continue  # stakes are held for it yet
                self._loose.discard(handle)
                self._unpaid[departure.id] = (seq, departure)

    async def _pay(self, seq: int, departure: Departure) -> None:
        await self.bank.journal.durable(seq)
        paid = await self.contact.write(
            lambda line: visits.close(line, self.me, departure)
        )
        if paid is not None:
            if paid != departure.cents:
                self._report([difference(departure, paid)])
            self.paid_out += self._unpaid.pop(departure.id, None) is not None
            if self._paid is not None:
                self._paid.add(departure.id)
        elif departure.id not in self._sought:  # SQL has lost the arrival
            self._sought.add(departure.id)
            await self.contact.compare_again(is_whole=True)
        elif departure.id not in self._missing:
            self._missing.add(departure.id)
            self._report([difference(departure, paid)])

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
        self.heard = heard = await self._say(is_running=True)
        self.ended &= self.bank.books.visits.keys()
        unwanted = {*self.ended}
        if not self.contact.is_waiting:  # all others have compared by now
            unwanted |= {*heard.stranded}
            await self._name_frozen()
        for handle in unwanted:
            self.floor.send_away(handle, _OVER)
        self.neighbours.see(
            server
            for server in heard.servers
            if server.name != self.me.name and not server.is_written_off
        )
        for name in self.neighbours.unheard:
            await self._strand(name)
        await self.floor.follow(heard.changes)
        if self._lost:
            await self.contact.do(self._sweep)
        if self._loose or self._unpaid:
            self.work.set()

    async def _say(self, *, is_running: bool) -> Heard:
        async def work(connection: Connection) -> tuple[Checkpoint, Heard]:
            unsettled = {seq for seq, _ in self._unpaid.values()} | self._unsure
            settled = min(unsettled, default=self.bank.journal.seq + 1) - 1
            start = self.contact.start
            said = self.checkpoints.take(settled, start, is_running=is_running)
            return said, await checkpoint(connection, self.me, said)

        said, heard = await self.contact.do(work)
        self.checkpoints.acknowledge(said)
        self.contact.counter, self.beaten_at = heard.counter, self.clock()
        return heard

    async def _name_frozen(self) -> None:
        """Name those who have spent money twice that PostgreSQL had lost."""
        if not self._suspects:
            return
        suspects, self._suspects = self._suspects, set[str]()
        found = await self.contact.do(lambda connection: frozen(connection, suspects))
        self._report(
            f"{handle} has {cents} cents at rest, for money was spent twice that "
            "PostgreSQL had lost: nobody buys in with it until it is not below 0."
            for handle, cents in found.items()
        )

    async def _strand(self, name: str) -> None:
        count = await self.contact.write(lambda line: strand(line, name))
        if count:
            what = "server %s is unheard: %d visits there are stranded until it is back"
            _log.warning(what, name, count)

    async def close(self) -> None:
        """Pay out who has left, and say that this server stops on purpose."""
        try:
            await self.settle()
            self.bank.journal.sync()
            await self._say(is_running=False)
        except (FleetAwayError, JournalStalledError, FencedError) as error:
            _log.warning("the fleet was not told that this server stops: %s", error)
        await self.contact.close()

    @property
    def unpaid(self) -> list[str]:
        """The handles whose money is here yet, or not known to have come home."""
        leaving = {departure.handle for _, departure in self._unpaid.values()}
        return sorted(self.bank.books.visits.keys() | leaving)

    async def _catch_up(
        self,
        connection: Connection,
        after: Sequence[Arrival | Departure],
        faults: Mapping[str, str],
    ) -> None:
        """Go on with a PostgreSQL in which ``after`` was entered again."""
        # Those that are not paid are asked for by themselves, and told of then.
        self._report(faults[id] for id in faults.keys() - self._unpaid.keys())
        await self._sweep(connection)
        self._suspects |= {stay.handle for stay in after}
        self._unsure.clear()
        self.checkpoints.forget()

    async def _sweep(self, connection: Connection) -> None:
        """Adopt visits that are open in SQL, and that nobody waits for any more."""
        async with self._sweeping:
            lost, self._lost = self._lost, set[str]()
            self._paid = paid = set[str]()
            try:
                found = await visits.open_visits(connection, self.me, lost)
            except BaseException:
                self._lost |= lost
                raise
            finally:
                self._paid = None
        known = self._in_motion | self._unpaid.keys() | paid
        for arrival in found:
            id, handle = arrival.id, arrival.handle
            here = self.bank.books.visits.get(handle)
            if here == id or id in known:
                continue
            if here is not None:
                self._lost.add(handle)  # until that visit is over
                continue
            who = {"handle": handle}
            _log.info("a visit that nobody waits for goes home", extra=who)
            self._arrive(arrival)
            self.work.set()
        if self.heard is None:
            self._find_ended({arrival.id for arrival in found})

    def _find_ended(self, is_open: set[str]) -> None:
        """Name the visits that this journal, as it was at the start, has not ended."""
        for handle, id in self.bank.books.visits.items():
            if id not in is_open and handle not in self.ended:
                self.ended.add(handle)
                self._report([lost_end(id, handle)])
