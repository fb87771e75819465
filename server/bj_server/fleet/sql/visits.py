"""Visits in SQL: a player buys in, and is paid out; each once, whatever is repeated.

A transaction locks the epoch of its server, then the player, then the visit, in this
order, so that none waits for another in a ring.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from typing import Any, LiteralString

from psycopg import Rollback
from psycopg.rows import namedtuple_row

from bj_server.bank.key import is_same
from bj_server.bank.visit import Arrival, Departure, Membership
from bj_server.fleet.error import FencedError
from bj_server.fleet.sql.connections import Connection

NO_KEY = "0" * 64
"""Stands for the key of a handle whose key was reset; nobody has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenVisit:
    """A visit that is not closed."""

    id: str
    server: str
    table: str
    cents_in: int
    chips: int
    """What the player had there by the last checkpoint, stakes among it."""
    opened: datetime
    stranded: datetime | None
    """Since when its server is unheard; None while the server is heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the fleet knows of a handle; nothing of one that nobody has claimed."""

    sha256: str | None = None
    """The hash of its key; None if it may be claimed."""
    is_new: bool = True
    """Whether it has no account."""
    cents: int = 0
    """What it has at rest; below 0 for an account that is frozen."""
    visits: tuple[OpenVisit, ...] = ()

    @property
    def seat(self) -> OpenVisit | None:
        """The one visit that keeps the handle from another one."""
        return next((visit for visit in self.visits if not visit.stranded), None)


class Why(Enum):
    """Why nobody may buy in with a handle here and now."""

    WRONG_KEY = auto()
    SEATED = auto()
    """It is on a visit already."""
    FROZEN = auto()
    """It has spent money twice that PostgreSQL had lost."""
    COMPARING = auto()
    """PostgreSQL has started anew, and a server has not compared its visits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What one wants who buys in."""

    id: str
    """The id of the visit, drawn before anything is asked."""
    handle: str
    sha256: str = field(repr=False)
    table: str
    opening: int
    """The opening balance of the house, for a handle that is claimed now."""
    amount: int | None = None
    """The cents to take along; None for all."""


async def fence(connection: Connection, me: Membership) -> None:
    """Lock the epoch of a server, so that nobody takes it over before the commit.

    Raises:
        FencedError: if somebody has.
    """
    found = await connection.execute(
        "SELECT FROM servers "
        "WHERE name = %s AND epoch = %s AND written_off IS NULL FOR SHARE",
        (me.name, me.epoch),
    )
    if await found.fetchone() is None:
        raise FencedError(me.name)


async def frozen(connection: Connection, handles: Iterable[str]) -> dict[str, int]:
    """Return those of the handles that are below zero at rest, with their cents."""
    found = await rows(
        connection,
        "SELECT handle, cents FROM players WHERE handle = ANY(%s) AND cents < 0",
        list(handles),
    )
    return {row.handle: int(row.cents) for row in found}


async def look_up(connection: Connection, handle: str) -> Standing:
    """Return what the fleet knows of a handle."""
    found = await rows(
        connection,
        "SELECT p.sha256, p.cents, v.id, v.server, v.at, v.cents_in, v.opened, "
        "v.stranded, coalesce(v.free + v.held, v.cents_in) AS chips "
        "FROM players p LEFT JOIN visits v "
        "ON v.handle = p.handle AND v.cents_out IS NULL "
        "WHERE p.handle = %s ORDER BY v.opened",
        handle,
    )
    if not found:
        return Standing()
    visits = tuple(
        OpenVisit(
            id=row.id,
            server=row.server,
            table=row.at,
            cents_in=int(row.cents_in),
            chips=int(row.chips),
            opened=row.opened,
            stranded=row.stranded,
        )
        for row in found
        if row.id is not None
    )
    first = found[0]
    return Standing(
        sha256=first.sha256, is_new=False, cents=int(first.cents), visits=visits
    )


async def buy_in(
    connection: Connection, me: Membership, order: Order, *, is_waiting: bool
) -> Arrival | Why:
    """Take money off an account at rest, for a visit at this server.

    Who repeats an order whose answer was lost gets the same answer. While it
    ``is_waiting``, nobody buys in before all servers have compared their visits with
    this PostgreSQL.
    """
    found: Arrival | Why = Why.COMPARING
    async with connection.transaction() as transaction:
        await fence(connection, me)
        if not is_waiting or await _have_compared(connection, me):
            found = await _buy_in(connection, me, order)
        if isinstance(found, Why):
            raise Rollback(transaction)
    return found


async def _have_compared(connection: Connection, me: Membership) -> bool:
    return not await rows(
        connection,
        "SELECT FROM counters WHERE is_running AND name <> %s "
        "AND compared <> (SELECT start FROM this_start)",
        me.name,
    )


async def _buy_in(
    connection: Connection, me: Membership, order: Order
) -> Arrival | Why:
    handle, gift = order.handle, None
    claimed = await rows(
        connection,
        "INSERT INTO players (handle, cents, sha256) VALUES (%s, 0, %s) "
        "ON CONFLICT DO NOTHING RETURNING handle",
        handle,
        order.sha256,
    )
    if claimed:
        gift = await give(connection, f"opening/{handle}", handle, order.opening)
    (player,) = await rows(
        connection,
        "SELECT sha256, cents FROM players WHERE handle = %s FOR UPDATE",
        handle,
    )
    if player.sha256 is None:
        await execute(
            connection,
            "UPDATE players SET sha256 = %s WHERE handle = %s",
            order.sha256,
            handle,
        )
    elif not is_same(player.sha256, order.sha256):
        return Why.WRONG_KEY
    visits = await rows(
        connection,
        "SELECT id, stranded FROM visits "
        "WHERE handle = %s AND cents_out IS NULL ORDER BY opened",
        handle,
    )
    if any(visit.id == order.id for visit in visits):
        (arrival,) = await _open_visits(connection, me, order.id)
        return arrival
    if any(visit.stranded is None for visit in visits):
        return Why.SEATED
    if player.cents < 0:
        return Why.FROZEN
    cents = int(player.cents)
    for visit in visits:
        if not cents and gift is None:  # one stake for each outage
            gift = await give(connection, f"outage/{visit.id}", handle, order.opening)
            cents += gift[1] if gift else 0
    taken = cents if order.amount is None else min(cents, order.amount)
    await open_visit(connection, me, order.id, handle, order.table, taken, gift)
    told = await rows(
        connection,
        "WITH told AS (UPDATE notices SET visit = %s "
        "WHERE handle = %s AND visit IS NULL RETURNING id, text) "
        "SELECT text FROM told ORDER BY id",
        order.id,
        handle,
    )
    return Arrival(
        id=order.id,
        handle=handle,
        sha256=order.sha256,
        cents=taken,
        gift=gift,
        notices=tuple(row.text for row in told),
    )


async def give(
    connection: Connection, id: str, handle: str, cents: int
) -> tuple[str, int] | None:
    """Give the donor's cents to an account at rest, once by ``id``; return the gift."""
    if not cents or not await rows(
        connection,
        "INSERT INTO gifts (id, handle, cents) VALUES (%s, %s, %s) "
        "ON CONFLICT DO NOTHING RETURNING id",
        id,
        handle,
        cents,
    ):
        return None
    await _add(connection, handle, cents)
    return id, cents


async def _add(connection: Connection, handle: str, cents: int) -> None:
    await execute(
        connection,
        "UPDATE players SET cents = cents + %s WHERE handle = %s",
        cents,
        handle,
    )


async def open_visit(
    connection: Connection,
    me: Membership,
    id: str,
    handle: str,
    table: str,
    cents: int,
    gift: tuple[str, int] | None,
    *,
    is_stranded: bool = False,
) -> None:
    """Take the money of a visit off the account at rest."""
    await execute(
        connection,
        "INSERT INTO visits (id, handle, server, at, cents_in, gift, stranded) "
        "VALUES (%s, %s, %s, %s, %s, %s, CASE WHEN %s THEN now() END)",
        id,
        handle,
        me.name,
        table,
        cents,
        gift and gift[0],
        is_stranded,
    )
    await _add(connection, handle, -cents)


async def open_visits(
    connection: Connection, me: Membership, unsure: Iterable[str]
) -> list[Arrival]:
    """Return the open visits of a server, as they arrived.

    For those of the handles that are ``unsure``, what was asked for has been done by
    then, or never will be.
    """
    async with connection.transaction():
        # Who buys in has locked the player up to the end.
        for handle in sorted(unsure):
            await lock(connection, handle)
        return await _open_visits(connection, me, None)


async def _open_visits(
    connection: Connection, me: Membership, id: str | None
) -> list[Arrival]:
    found = await rows(
        connection,
        "SELECT v.id, v.handle, v.cents_in, p.sha256, g.id AS gift, g.cents, "
        "ARRAY(SELECT n.text FROM notices n WHERE n.visit = v.id ORDER BY n.id) "
        "AS notices FROM visits v JOIN players p USING (handle) "
        "LEFT JOIN gifts g ON g.id = v.gift "
        "WHERE v.server = %s AND v.cents_out IS NULL "
        "AND (%s::text IS NULL OR v.id = %s) ORDER BY v.opened",
        me.name,
        id,
        id,
    )
    return [
        Arrival(
            id=row.id,
            handle=row.handle,
            sha256=row.sha256 or NO_KEY,
            cents=int(row.cents_in),
            gift=(row.gift, int(row.cents)) if row.gift else None,
            notices=tuple(row.notices),
        )
        for row in found
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidOut:
    """What SQL has as the end of a visit that the journal has ended."""

    cents: int | None
    """None if SQL does not know the visit, which the journal has to enter again."""


async def cash_out(
    connection: Connection, me: Membership, departure: Departure
) -> PaidOut:
    """Close a visit and credit the account, once; return what it was closed with."""
    async with connection.transaction():
        await fence(connection, me)
        return await close(connection, me, departure)


async def close(
    connection: Connection, me: Membership, departure: Departure
) -> PaidOut:
    """Do so within a transaction that has locked the epoch."""
    handle, id, cents = departure.handle, departure.id, departure.cents
    await lock(connection, handle)
    closed = await rows(
        connection,
        "UPDATE visits SET cents_out = %s, closed = now() "
        "WHERE id = %s AND server = %s AND cents_out IS NULL RETURNING id",
        cents,
        id,
        me.name,
    )
    if not closed:
        found = await rows(connection, "SELECT cents_out FROM visits WHERE id = %s", id)
        return PaidOut(cents=int(found[0].cents_out) if found else None)
    await _add(connection, handle, cents)
    await execute(connection, "DELETE FROM notices WHERE visit = %s", id)
    for text in departure.notices:
        await execute(
            connection,
            "INSERT INTO notices (handle, text) VALUES (%s, %s)",
            handle,
            text,
        )
    return PaidOut(cents=cents)


async def lock(connection: Connection, handle: str) -> Any:
    """Lock the account of a handle; return it, or None where there is none."""
    found = await rows(
        connection, "SELECT sha256 FROM players WHERE handle = %s FOR UPDATE", handle
    )
    return found[0] if found else None


async def rows(connection: Connection, query: LiteralString, *values: object) -> Any:
    """Return all rows of a query, each with its columns as attributes."""
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall()


async def execute(
    connection: Connection, query: LiteralString, *values: object
) -> None:
    """Carry out a statement without an answer."""
    await connection.execute(query, values)
