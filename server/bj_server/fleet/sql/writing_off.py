"""Writing off: the host's word that a server and its journal are gone for ever."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bj_game.money import dollars
from bj_server.fleet.error import FleetError
from bj_server.fleet.sql.connections import Connection, execute, rows
from bj_server.fleet.sql.servers import find_server


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """A visit that is closed with what the last checkpoint has; in cents."""

    handle: str
    came: int
    goes: int


async def write_server_off(
    connection: Connection, *, name: str, pause: Callable[[], Awaitable[None]]
) -> list[Paid]:
    """Close all visits at a server, which never serves again, nor does its journal.

    ``pause`` waits for so long that a server which is alive has given a sign.

    Raises:
        FleetError: if there is no such server, or it is alive.
    """
    found = await find_server(connection, name)
    if found is None:
        raise FleetError(
            f"The fleet has no server {name}: bj-bank fleet audit lists it."
        )
    await pause()
    async with connection.transaction():
        # It waits for the transactions of the server, and fences all that come later.
        await rows(connection, "SELECT FROM servers WHERE name = %s FOR UPDATE", name)
        now = await find_server(connection, name)
        if now is None or now.counter != found.counter:
            raise FleetError(
                f"Server {name} is alive: stop it, and it pays its visits itself."
            )
        await execute(
            connection,
            "UPDATE servers SET written_off = coalesce(written_off, now()) "
            "WHERE name = %s",
            name,
        )
        await execute(
            connection,
            "UPDATE counters SET is_running = false WHERE name = %s",
            name,
        )
        await execute(connection, "DELETE FROM tables WHERE server = %s", name)
        handles = await rows(
            connection,
            "SELECT p.handle FROM players p WHERE EXISTS (SELECT FROM visits v "
            "WHERE v.handle = p.handle AND v.server = %s AND v.cents_out IS NULL) "
            "ORDER BY p.handle FOR UPDATE",
            name,
        )
        paid = await rows(
            connection,
            "UPDATE visits SET cents_out = coalesce(free + held, cents_in), "
            "closed = now() WHERE server = %s AND cents_out IS NULL "
            "AND handle = ANY(%s) RETURNING id, handle, cents_in, cents_out",
            name,
            [row.handle for row in handles],
        )
        for row in paid:
            await _pay(connection, name, row.id, row.handle, int(row.cents_out))
    return sorted(
        (
            Paid(handle=row.handle, came=int(row.cents_in), goes=int(row.cents_out))
            for row in paid
        ),
        key=lambda each: each.handle,
    )


async def _pay(
    connection: Connection, name: str, visit: str, handle: str, cents: int
) -> None:
    await execute(
        connection,
        "UPDATE players SET cents = cents + %s WHERE handle = %s",
        cents,
        handle,
    )
    # What the server was to tell is told elsewhere.
    await execute(connection, "UPDATE notices SET visit = NULL WHERE visit = %s", visit)
    await execute(
        connection,
        "INSERT INTO notices (handle, text) VALUES (%s, %s)",
        handle,
        f"Server {name} is gone for ever, with the rounds that were played there last: "
        f"you have {dollars(cents)} back, as of its last word.",
    )
