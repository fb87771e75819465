"""Recovery: what the journal of a server has, and PostgreSQL has lost or never had."""

from collections.abc import Iterable

from bj_server.bank.visit import Arrival, Departure, Membership
from bj_server.fleet.sql.connections import Connection, execute, rows
from bj_server.fleet.sql.players import give, lock
from bj_server.fleet.sql.servers import fence
from bj_server.fleet.sql.visits import PaidOut, close, open_visit


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
            if paid.cents != stay.cents:
                faults[stay.id] = difference(stay, paid)
    return faults


def difference(departure: Departure, paid: PaidOut) -> str:
    """Return the sentence about a visit that was closed with other money."""
    known = "nothing" if paid.cents is None else f"{paid.cents} cents"
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
    await execute(
        connection,
        "INSERT INTO players (handle, cents, sha256) VALUES (%s, 0, %s) "
        "ON CONFLICT DO NOTHING",
        handle,
        arrival.sha256,
    )
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
    await open_visit(
        connection,
        me,
        arrival.id,
        handle,
        "",
        arrival.cents,
        arrival.gift,
        is_stranded=bool(others),
    )
    if player.sha256 not in (None, arrival.sha256):
        return f"{handle} was claimed anew while PostgreSQL had lost visits."
    return ""
