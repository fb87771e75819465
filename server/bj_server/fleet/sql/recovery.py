"""Recovery: visits of which one side is lost, for a while or for ever.

A PostgreSQL that has lost visits has them again from the journals. The visits at a
server that is unheard are stranded, and wait for its journal. Only the word of a host,
that the server is gone for ever, writes them off.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from bj_game.money import dollars
from bj_server.bank.store import Pause
from bj_server.bank.visit import Arrival, Departure, Membership
from bj_server.fleet.error import FleetError
from bj_server.fleet.sql.connections import Connection, records, rows
from bj_server.fleet.sql.players import add, give, leave_notices, lock, open_account
from bj_server.fleet.sql.servers import fence, find_server
from bj_server.fleet.sql.visits import close, open_visit


async def enter_again(
    connection: Connection, me: Membership, stays: Iterable[Arrival | Departure]
) -> dict[str, str]:
    """Enter what the journal has and SQL may have lost.

    Returns a sentence for each visit that does not fit, by its id.

    The money of a visit is taken off whatever is at rest, so that an account that was
    spent twice is below zero then.
    """
    faults = dict[str, str]()
    async with connection.transaction():
        await fence(connection, me)
        # All servers may do this at once, and lock players in one order.
        for stay in sorted(stays, key=lambda stay: stay.handle):
            if isinstance(stay, Arrival):
                if fault := await _arrive_again(connection, me, stay):
                    faults[stay.id] = fault
                continue
            paid = await close(connection, me, stay)
            if paid != stay.cents:
                faults[stay.id] = difference(stay, paid)
    return faults


def difference(departure: Departure, paid: int | None) -> str:
    """Return the sentence about a visit that was closed with other money."""
    known = "nothing" if paid is None else f"{paid} cents"
    return (
        f"Visit {departure.id} of {departure.handle} ends with {departure.cents} cents "
        f"in the journal, and with {known} in PostgreSQL, which counts."
    )


def lost_end(id: str, handle: str) -> str:
    """Return the sentence about a visit whose end the journal has lost."""
    return (
        f"Visit {id} of {handle} is open in the journal, which has lost its end, and "
        "was paid in PostgreSQL, which counts."
    )


async def _arrive_again(
    connection: Connection, me: Membership, arrival: Arrival
) -> str:
    handle = arrival.handle
    await open_account(connection, handle, arrival.sha256)
    player = await lock(connection, handle)
    if await rows(connection, "SELECT FROM visits WHERE id = %s", arrival.id):
        return ""
    if arrival.gift is not None:
        await give(connection, arrival.gift[0], handle, arrival.gift[1])
    others = await rows(
        connection,
        "SELECT FROM visits WHERE handle = %s AND cents_out IS NULL "
        "AND stranded IS NULL",
        handle,
    )
    await open_visit(connection, me, arrival, "", is_stranded=bool(others))
    if player.sha256 not in (None, arrival.sha256):
        return f"{handle} was claimed anew while PostgreSQL had lost visits."
    return ""


async def strand(connection: Connection, name: str) -> int:
    """Strand the visits of a server that is unheard; return how many there were.

    It moves no money. The server takes them back with its next checkpoint.
    """
    found = await connection.execute(
        "WITH theirs AS (SELECT id FROM visits WHERE server = %s "
        "AND cents_out IS NULL AND stranded IS NULL ORDER BY id FOR UPDATE) "
        "UPDATE visits SET stranded = now() FROM theirs WHERE visits.id = theirs.id",
        (name,),
    )
    return found.rowcount


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """A visit that is closed with what the last checkpoint has; in cents."""

    id: str
    handle: str
    came: int
    goes: int


async def write_server_off(
    connection: Connection,
    *,
    name: str,
    seconds: float,
    pause: Pause = asyncio.sleep,
) -> list[Paid]:
    """Close all visits at a server, which never serves again, nor does its journal.

    A server that is alive gives a sign within so many ``seconds``.

    Raises:
        FleetError: if there is no such server, or it is alive.
    """
    found = await find_server(connection, name)
    if found is None:
        raise FleetError(
            f"The fleet has no server {name}: bj-bank fleet audit lists it."
        )
    await pause(seconds)
    async with connection.transaction():
        # It waits for the transactions of the server, and fences all that come later.
        await rows(connection, "SELECT FROM servers WHERE name = %s FOR UPDATE", name)
        now = await find_server(connection, name)
        if now is None or now.counter != found.counter:
            raise FleetError(
                f"Server {name} is alive: stop it, and it pays its visits itself."
            )
        await connection.execute(
            "UPDATE servers SET written_off = coalesce(written_off, now()) "
            "WHERE name = %s",
            (name,),
        )
        await connection.execute(
            "UPDATE counters SET is_running = false WHERE name = %s", (name,)
        )
        await connection.execute("DELETE FROM tables WHERE server = %s", (name,))
        handles = await rows(
            connection,
            "SELECT p.handle FROM players p WHERE EXISTS (SELECT FROM visits v "
            "WHERE v.handle = p.handle AND v.server = %s AND v.cents_out IS NULL) "
            "ORDER BY p.handle FOR UPDATE",
            name,
        )
        paid = await records(
            connection,
            Paid,
            "UPDATE visits SET cents_out = coalesce(free + held, cents_in), "
            "closed = now() WHERE server = %s AND cents_out IS NULL "
            "AND handle = ANY(%s) "
            "RETURNING id, handle, cents_in AS came, cents_out AS goes",
            name,
            [row.handle for row in handles],
        )
        # What the server was to tell is told elsewhere.
        await connection.execute(
            "UPDATE notices SET visit = NULL WHERE visit = ANY(%s)",
            ([each.id for each in paid],),
        )
        for each in paid:
            await add(connection, each.handle, each.goes)
            sentence = (
                f"Server {name} is gone for ever, with the rounds that were played "
                f"there last: you have {dollars(each.goes)} back, as of its last word."
            )
            await leave_notices(connection, each.handle, [sentence])
    return sorted(paid, key=lambda each: each.handle)
