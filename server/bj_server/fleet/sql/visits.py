"""Visits in SQL: a player buys in, and is paid out; each once, whatever is repeated.

A transaction locks the epoch of its server, then the player, then the visit, in this
order, so that none waits for another in a ring.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

from bj_server.bank.key import is_same
from bj_server.bank.visit import Arrival, Departure, Membership
from bj_server.fleet.sql.connections import Connection, rows
from bj_server.fleet.sql.players import (
    add,
    claim,
    give,
    leave_notices,
    lock,
    open_account,
)
from bj_server.fleet.sql.servers import fence

NO_KEY = "0" * 64
"""Stands for the key of a handle whose key was reset; nobody has it."""


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


@dataclass(eq=False)
class _TurnedAwayError(Exception):
    """Undoes a transaction in which somebody is not let in."""

    why: Why


async def buy_in(
    connection: Connection, me: Membership, order: Order, *, is_waiting: bool
) -> Arrival | Why:
    """Take all money off an account at rest, for a visit at this server.

    Who repeats an order whose answer was lost gets the same answer. While it
    ``is_waiting``, nobody buys in before all servers have compared their visits with
    this PostgreSQL.
    """
    try:
        async with connection.transaction():
            await fence(connection, me)
            if is_waiting and not await _have_compared(connection, me):
                raise _TurnedAwayError(Why.COMPARING)
            return await _buy_in(connection, me, order)
    except _TurnedAwayError as turned:
        return turned.why


async def _have_compared(connection: Connection, me: Membership) -> bool:
    return not await rows(
        connection,
        "SELECT FROM counters WHERE is_running AND name <> %s "
        "AND compared <> (SELECT start FROM this_start)",
        me.name,
    )


async def _buy_in(connection: Connection, me: Membership, order: Order) -> Arrival:
    handle, gift = order.handle, None
    if await open_account(connection, handle, order.sha256):
        gift = await give(connection, f"opening/{handle}", handle, order.opening)
    player = await lock(connection, handle)
    if player.sha256 is None:
        await claim(connection, handle, order.sha256)
    elif not is_same(player.sha256, order.sha256):
        raise _TurnedAwayError(Why.WRONG_KEY)
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
        raise _TurnedAwayError(Why.SEATED)
    if player.cents < 0:
        raise _TurnedAwayError(Why.FROZEN)
    cents = player.cents
    for visit in visits:
        if not cents and gift is None:  # one stake for each outage
            gift = await give(connection, f"outage/{visit.id}", handle, order.opening)
            cents += gift[1] if gift else 0
    told = await rows(
        connection,
        "WITH told AS (UPDATE notices SET visit = %s "
        "WHERE handle = %s AND visit IS NULL RETURNING id, text) "
        "SELECT text FROM told ORDER BY id",
        order.id,
        handle,
    )
    arrival = Arrival(
        id=order.id,
        handle=handle,
        sha256=order.sha256,
        cents=cents,
        gift=gift,
        notices=tuple(row.text for row in told),
    )
    await open_visit(connection, me, arrival, order.table)
    return arrival


async def open_visit(
    connection: Connection,
    me: Membership,
    arrival: Arrival,
    table: str,
    *,
    is_stranded: bool = False,
) -> None:
    """Take the money of a visit off the account at rest."""
    gift = arrival.gift and arrival.gift[0]
    await connection.execute(
        "INSERT INTO visits (id, handle, server, at, cents_in, gift, stranded) "
        "VALUES (%s, %s, %s, %s, %s, %s, CASE WHEN %s THEN now() END)",
        (arrival.id, arrival.handle, me.name, table, arrival.cents, gift, is_stranded),
    )
    await add(connection, arrival.handle, -arrival.cents)


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
            cents=row.cents_in,
            gift=(row.gift, row.cents) if row.gift else None,
            notices=tuple(row.notices),
        )
        for row in found
    ]


async def close(
    connection: Connection, me: Membership, departure: Departure
) -> int | None:
    """Close a visit and credit the account, once; return what it was closed with.

    The transaction has locked the epoch. None is for a visit that SQL does not know:
    the journal has to enter it again.
    """
    handle, id, cents = departure.handle, departure.id, departure.cents
    await lock(connection, handle)
    closed = await connection.execute(
        "UPDATE visits SET cents_out = %s, closed = now() "
        "WHERE id = %s AND server = %s AND cents_out IS NULL",
        (cents, id, me.name),
    )
    if not closed.rowcount:
        found = await rows(connection, "SELECT cents_out FROM visits WHERE id = %s", id)
        return found[0].cents_out if found else None
    await add(connection, handle, cents)
    await connection.execute("DELETE FROM notices WHERE visit = %s", (id,))
    await leave_notices(connection, handle, departure.notices)
    return cents
