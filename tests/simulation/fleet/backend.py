"""PostgreSQL in a world: real statements on real connections, at the world's moments.

A statement travels, is carried out in one go, and its answer travels back. Nothing in
the world waits for PostgreSQL: where a row is locked by a transaction that is open, the
statement gives up at once and is tried again later, for as long as the server lets it.
The time of PostgreSQL's own clock is kept from the world.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

import psycopg
from psycopg import errors
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Loader
from psycopg.pq import TransactionStatus

from bj_server.fleet.sql.connections import ADAPTERS, TIMES
from simulation.agenda import Agenda, Entry
from simulation.fleet.road import Road

_MOMENT = datetime(2030, 1, 1, tzinfo=UTC)
_LOCK_PAUSE = 0.02
"""Seconds until a lock is tried for again; they double."""
_OF_TRANSACTIONS = ("COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
_ENDS = (0.0, 0.05, TIMES.idle)
"""Seconds after which PostgreSQL notices that a line is gone."""


class _SomeTime(Loader):
    """Reads every point in time as the same one."""

    def load(self, data: Buffer) -> datetime:
        return _MOMENT


class Rows(NamedTuple):
    """What a statement has brought."""

    rows: list[Any]
    number: int


class Backend:
    """PostgreSQL, as all servers of a world reach it."""

    def __init__(self, agenda: Agenda, url: str) -> None:
        self.agenda, self._url = agenda, url
        self._idle: list[psycopg.Connection[Any]] = []
        self._used: list[psycopg.Connection[Any]] = []
        self.roads: dict[asyncio.AbstractEventLoop, Road] = {}
        """The road of each process that lives, by its loop."""
        self.ends = self.waits = 0
        """Transactions that were closed, and statements that found a row locked."""

    async def connect(
        self, _: str = "", *, autocommit: bool, context: AdaptContext
    ) -> "Line":
        """Stand for ``psycopg.AsyncConnection.connect``."""
        assert autocommit
        assert context is ADAPTERS
        road = self.roads.get(asyncio.get_running_loop())
        if road is None or road.is_closed:
            await asyncio.sleep(0.001 if road is None else road.delay())
            raise psycopg.OperationalError("the connection is refused")
        line = Line(self, road)
        why = "the time to connect is up"
        timer = self.agenda.after(TIMES.connect, lambda: line.break_down(why))
        await line.ask("SELECT")
        timer.cancel()
        return line

    # For lines.

    def open(self) -> psycopg.Connection[Any]:
        if self._idle:
            real = self._idle.pop()
        else:
            options = "-c lock_timeout=1"
            real = psycopg.connect(
                self._url, autocommit=True, options=options, context=ADAPTERS
            )
            real.adapters.register_loader("timestamptz", _SomeTime)
        self._used.append(real)
        return real

    def end(self, real: psycopg.Connection[Any]) -> None:
        """Undo what is open, as the end of a connection does."""
        self._used.remove(real)
        if _is_open(real):
            real.rollback()
        real.execute("UNLISTEN *")
        self._idle.append(real)

    def carry_out(
        self, real: psycopg.Connection[Any], query: Any, values: Any, row_factory: Any
    ) -> Rows:
        """Carry a statement out; one that finds a lock has done nothing.

        Raises:
            LockNotAvailable: then.
        """
        is_guarded = (
            _is_open(real)
            and not str(query).startswith(_OF_TRANSACTIONS)
            and any(_is_open(other) for other in self._used if other is not real)
        )
        if is_guarded:
            real.execute("SAVEPOINT of_the_world")
        try:
            cursor = (
                real.cursor(row_factory=row_factory) if row_factory else real.cursor()
            )
            cursor.execute(query, values)
        except errors.LockNotAvailable:
            self.waits += 1
            if is_guarded:
                real.execute("ROLLBACK TO SAVEPOINT of_the_world")
            raise
        rows = cursor.fetchall() if cursor.description is not None else []
        if is_guarded:
            real.execute("RELEASE SAVEPOINT of_the_world")
        return Rows(rows, cursor.rowcount)

    def close(self) -> None:
        for real in (*self._idle, *self._used):
            real.close()


def _is_open(real: psycopg.Connection[Any]) -> bool:
    return real.pgconn.transaction_status != TransactionStatus.IDLE


class Line:
    """One connection; stands for ``psycopg.AsyncConnection``."""

    def __init__(self, backend: Backend, road: Road) -> None:
        self._backend, self._road, self._agenda = backend, road, backend.agenda
        self._real: psycopg.Connection[Any] | None = backend.open()
        self._notes: list[object] = []
        self._real.add_notify_handler(self._notes.append)
        road.lines.append(self)
        self._is_used = True
        self.is_garbled = False
        """Whether an answer has come twice, which the next statement notices."""
        self.last_at = self._agenda.now
        """When the last message arrives that is on its way."""
        self._waiting: asyncio.Future[Any] | None = None
        self._depth = 0
        self.moves_money = False
        """Whether the transaction that is open has moved money."""
        self._timer: Entry | None = None
        """Ends a transaction to which nothing more is said."""

    # As psycopg has it.

    @property
    def closed(self) -> bool:
        return not self._is_used

    async def execute(self, query: Any, values: Any = None) -> "Cursor":
        return await Cursor(self).execute(query, values)

    def cursor(self, *, row_factory: Any = None) -> "Cursor":
        return Cursor(self, row_factory)

    def transaction(self) -> AbstractAsyncContextManager[None]:
        return self._transaction()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        inner = f"level_{self._depth}" if self._depth else ""
        await self.ask(f"SAVEPOINT {inner}" if inner else "BEGIN")
        self._depth += 1
        self.moves_money &= self._depth > 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            with suppress(psycopg.Error):
                await self.ask(f"ROLLBACK TO {inner}" if inner else "ROLLBACK")
            raise
        self._depth -= 1
        await self.ask(f"RELEASE {inner}" if inner else "COMMIT")

    async def notifies(
        self,
        *,
        timeout: float,  # noqa: ASYNC109 - as psycopg has it
    ) -> AsyncIterator[object]:
        """Give what was told until two moments, of which the last is the end."""
        early = timeout * self._road.chance.random()
        for seconds in (early, timeout - early):
            await self._rest(seconds)
            await self.ask("SELECT")
            while self._notes:
                yield self._notes.pop(0)

    async def close(self) -> None:
        self.break_down("the line is closed", is_told=True)

    # On its way.

    async def ask(self, query: Any, values: Any = None, row_factory: Any = None) -> Any:
        """Have a statement carried out; return what it brings."""
        if self.is_garbled:
            self.break_down("an answer has come that belongs to no question")

        def arrive() -> None:
            if self._timer is not None:
                self._timer.cancel()
            ends = self._agenda.now + TIMES.lock
            self._try(query, values, row_factory, waiting, ends, _LOCK_PAUSE)

        waiting = self._new_waiting()
        self.moves_money |= "cents" in str(query)
        self._road.carry(self, arrive)
        return await self._wait(waiting)

    async def _rest(self, seconds: float) -> None:
        waiting = self._new_waiting()
        self._agenda.after(seconds, lambda: self._answer(waiting, None))
        await self._wait(waiting)

    def _new_waiting(self) -> "asyncio.Future[Any]":
        if not self._is_used:
            raise psycopg.OperationalError("the connection is closed")
        self._waiting = asyncio.get_running_loop().create_future()
        return self._waiting

    async def _wait(self, waiting: "asyncio.Future[Any]") -> Any:
        try:
            return await waiting
        except asyncio.CancelledError:
            self.break_down("nobody waits for the answer")
            raise
        finally:
            self._waiting = None

    def _try(
        self,
        query: Any,
        values: Any,
        row_factory: Any,
        waiting: "asyncio.Future[Any]",
        ends: float,
        pause: float,
    ) -> None:
        """Carry a statement out at PostgreSQL, once no row is locked that it wants."""
        real, backend = self._real, self._backend
        if real is None:
            return
        found: Any
        try:
            found = backend.carry_out(real, query, values, row_factory)
        except errors.LockNotAvailable as error:
            if self._agenda.now + pause < ends:
                self._agenda.after(
                    pause,
                    lambda: self._try(
                        query, values, row_factory, waiting, ends, 2 * pause
                    ),
                )
                return
            found = error
        except psycopg.Error as error:
            found = error
        if _is_open(real):
            self._timer = self._agenda.after(TIMES.idle, self._end)
        else:
            backend.ends += 1
        self._road.carry(self, lambda: self._answer(waiting, found))

    def _answer(self, waiting: "asyncio.Future[Any]", found: Any) -> None:
        if waiting.done() or not self._is_used:
            return
        if isinstance(found, Exception):
            waiting.set_exception(found)
        else:
            waiting.set_result(found)

    def break_down(self, why: str, *, is_told: bool = False) -> None:
        """Have the server use it no more; PostgreSQL notices in time."""
        if not self._is_used:
            return
        self._is_used = False
        self._road.lines.remove(self)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(psycopg.OperationalError(why))
        late = 0.0 if is_told else self._road.chance.choice(_ENDS)
        self._agenda.at(max(self.last_at, self._agenda.now) + late, self._end)

    def _end(self) -> None:
        """End it at PostgreSQL."""
        real, self._real = self._real, None
        if real is not None:
            self.break_down("PostgreSQL has ended the line")
            real.remove_notify_handler(self._notes.append)
            self._backend.end(real)


class Cursor:
    """Stands for ``psycopg.AsyncCursor``."""

    def __init__(self, line: Line, row_factory: Any = None) -> None:
        self._line, self._row_factory = line, row_factory
        self._rows: list[Any] = []
        self.rowcount = -1

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def execute(self, query: Any, values: Any = None) -> Self:
        found = await self._line.ask(query, values, self._row_factory)
        self._rows, self.rowcount = found.rows, found.number
        return self

    async def fetchone(self) -> Any:
        return self._rows.pop(0) if self._rows else None

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows
