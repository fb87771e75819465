"""Connections to PostgreSQL: a few of our own, made on demand, dropped when broken.

There is no waiting between two tries: a line that was cut is made again at its next
use. Everything has a limit of time. The last one is ours: a reply that does not come is
given up by shutting the socket, which wakes the one who waits for it.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import class_row, namedtuple_row
from psycopg.types.numeric import NumericLoader

from bj_server.fleet.error import FleetAwayError, FleetError

Connection = psycopg.AsyncConnection[tuple[object, ...]]
"""An open connection; each statement is a transaction of its own unless one is open."""

Greet = Callable[[Connection], Awaitable[None]]
"""Is called with each new connection, before anything else is done on it.

What it asks has its own limits of time: between two questions a journal may be read.
"""


class _CentsLoader(NumericLoader):
    """Reads a ``numeric`` as an int, for all are whole cents; 5.00 is 5, too."""

    def load(self, data: Buffer) -> int:  # type: ignore[override]
        return int(super().load(data))


ADAPTERS = AdaptersMap(psycopg.adapters)
"""How our connections read what PostgreSQL sends."""
ADAPTERS.register_loader("numeric", _CentsLoader)

MOST = 4
"""Connections of one server that are open at once, beside the one that listens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long things may take, in seconds."""

    connect: int = 3
    statement: float = 4.0
    lock: float = 3.0
    idle: float = 4.0
    """A transaction between two statements."""
    reply: float = 6.0
    """A whole transaction, as this end sees it."""


TIMES = Times()

_T = TypeVar("_T")

_FAULTS = (psycopg.ProgrammingError, psycopg.IntegrityError, psycopg.DataError)


async def connect(url: str, times: Times = TIMES) -> Connection:
    """Return a connection to the PostgreSQL of a URL.

    Raises:
        FleetAwayError: if there is none.
        FleetError: if it is set up so that it may lose what it has acknowledged.
    """
    limits = {
        "statement_timeout": times.statement,
        "lock_timeout": times.lock,
        "idle_in_transaction_session_timeout": times.idle,
    }
    options = " ".join(f"-c {name}={int(s * 1000)}" for name, s in limits.items())
    try:
        known: dict[str, Any] = conninfo_to_dict(url)
        known["options"] = f"{known.get('options') or ''} {options}".strip()
        known.setdefault("connect_timeout", times.connect)
        known.setdefault("application_name", "blackjack")
        known["tcp_user_timeout"] = int(times.reply * 1000)
        connection = await psycopg.AsyncConnection.connect(
            make_conninfo(**known), autocommit=True, context=ADAPTERS
        )
    except (psycopg.Error, OSError) as error:
        raise FleetAwayError(error) from None
    try:
        async with answering(connection, times.reply):
            await _check_durable(connection)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _check_durable(connection: Connection) -> None:
    """Refuse a PostgreSQL that may forget what it has told."""
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        found = await connection.execute("SELECT current_setting(%s)", (name,))
        if (row := await found.fetchone()) and row[0] == "off":
            raise FleetError(
                f"PostgreSQL has {name} off, so that it may lose money which it has "
                f"acknowledged: set {name} = on in postgresql.conf."
            )


@contextlib.asynccontextmanager
async def answering(connection: Connection, seconds: float) -> AsyncIterator[None]:
    """Do something on a connection within a time; it is of no more use after an error.

    Raises:
        FleetAwayError: if the line is gone, or no reply has come in time.
    """
    timer = asyncio.get_running_loop().call_later(seconds, partial(cut, connection))
    try:
        yield
    except psycopg.Error as error:
        # A fault of ours has a state; other errors are of the line, or no answer to
        # what was asked.
        if isinstance(error, _FAULTS) and error.sqlstate is not None:
            raise
        raise FleetAwayError(error) from None
    finally:
        timer.cancel()


def cut(connection: Connection) -> None:
    """Shut the socket, so that whoever waits for a reply hears that there is none.

    To cancel the waiting task would not do: psycopg waits for a reply even then.
    """
    with contextlib.suppress(OSError, psycopg.Error):
        descriptor = os.dup(connection.pgconn.socket)
        with contextlib.closing(socket.socket(fileno=descriptor)) as line:
            line.shutdown(socket.SHUT_RDWR)


class Connections:
    """At most ``MOST`` connections to one PostgreSQL, for one event loop."""

    def __init__(self, url: str, greet: Greet, *, times: Times = TIMES) -> None:
        """Connect to ``url`` when the first is needed; ``greet`` sees each new one."""
        self._url = url
        self._greet = greet
        self._times = times
        self._places = asyncio.Semaphore(MOST)
        self._idle: list[Connection] = []

    @contextlib.asynccontextmanager
    async def use(self) -> AsyncIterator[Connection]:
        """Give a connection, which is new if there is no idle one.

        After an error that is no refusal of ours nobody uses it again.
        """
        async with self._places:
            connection = await self._take()
            try:
                async with answering(connection, self._times.reply):
                    yield connection
            except BaseException:
                await self._drop(connection)
                raise
            self._idle.append(connection)

    async def close(self) -> None:
        """Close all that are idle."""
        while self._idle:
            await self._drop(self._idle.pop())

    async def _take(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.closed:
                return connection
        connection = await connect(self._url, self._times)
        try:
            await self._greet(connection)
        except BaseException:
            await self._drop(connection)
            raise
        return connection

    async def _drop(self, connection: Connection) -> None:
        """Close a connection; a transaction that is open is undone."""
        with contextlib.suppress(psycopg.Error, OSError):
            await connection.close()


async def rows(connection: Connection, query: LiteralString, *values: object) -> Any:
    """Return all rows of a query, each with its columns as attributes."""
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall()


async def records(
    connection: Connection, kind: type[_T], query: LiteralString, *values: object
) -> list[_T]:
    """Return all rows of a query as records of a kind, whose fields are the columns."""
    async with connection.cursor(row_factory=class_row(kind)) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall()
