"""Players in SQL: the accounts at rest, and the keys by which they are known."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bj_server.bank.visit import Membership
from bj_server.fleet.sql.connections import Connection, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenVisit:
    """A visit that is not closed."""

    server: str
    table: str
    chips: int
    """What the player had there by the last checkpoint, stakes among it."""
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


async def look_up(connection: Connection, handle: str) -> Standing:
    """Return what the fleet knows of a handle."""
    found = await rows(
        connection,
        "SELECT p.sha256, p.cents, v.server, v.at, v.stranded, "
        "coalesce(v.free + v.held, v.cents_in) AS chips "
        "FROM players p LEFT JOIN visits v "
        "ON v.handle = p.handle AND v.cents_out IS NULL "
        "WHERE p.handle = %s ORDER BY v.opened",
        handle,
    )
    if not found:
        return Standing()
    visits = tuple(
        OpenVisit(
            server=row.server, table=row.at, chips=row.chips, stranded=row.stranded
        )
        for row in found
        if row.server is not None
    )
    first = found[0]
    return Standing(sha256=first.sha256, is_new=False, cents=first.cents, visits=visits)


async def frozen(connection: Connection, handles: Iterable[str]) -> dict[str, int]:
    """Return those of the handles that are below zero at rest, with their cents."""
    found = await rows(
        connection,
        "SELECT handle, cents FROM players WHERE handle = ANY(%s) AND cents < 0",
        list(handles),
    )
    return {row.handle: row.cents for row in found}


async def open_account(connection: Connection, handle: str, sha256: str | None) -> bool:
    """Give a handle an account with nothing in it; return whether it had none."""
    made = await connection.execute(
        "INSERT INTO players (handle, cents, sha256) VALUES (%s, 0, %s) "
        "ON CONFLICT DO NOTHING",
        (handle, sha256),
    )
    return made.rowcount > 0


async def claim(connection: Connection, handle: str, sha256: str) -> None:
    """Have a handle whose key was reset known by this one."""
    await connection.execute(
        "UPDATE players SET sha256 = %s WHERE handle = %s AND sha256 IS NULL",
        (sha256, handle),
    )


async def give(
    connection: Connection, id: str, handle: str, cents: int
) -> tuple[str, int] | None:
    """Give the donor's cents to an account at rest, once by ``id``; return the gift."""
    if not cents:
        return None
    given = await connection.execute(
        "INSERT INTO gifts (id, handle, cents) VALUES (%s, %s, %s) "
        "ON CONFLICT DO NOTHING",
        (id, handle, cents),
    )
    if not given.rowcount:
        return None
    await add(connection, handle, cents)
    return id, cents


async def add(connection: Connection, handle: str, cents: int) -> None:
    """Add cents to an account at rest."""
    await connection.execute(
        "UPDATE players SET cents = cents + %s WHERE handle = %s", (cents, handle)
    )


async def lock(connection: Connection, handle: str) -> Any:
    """Lock the account of a handle; return it, or None where there is none."""
    found = await rows(
        connection,
        "SELECT sha256, cents FROM players WHERE handle = %s FOR UPDATE",
        handle,
    )
    return found[0] if found else None


async def leave_notices(
    connection: Connection, handle: str, sentences: Iterable[str]
) -> None:
    """Have a player told these sentences with the next visit."""
    for text in sentences:
        await connection.execute(
            "INSERT INTO notices (handle, text) VALUES (%s, %s)", (handle, text)
        )


async def ban(connection: Connection, handles: Collection[str]) -> None:
    """Shut the fleet to some handles."""
    await connection.execute(
        "INSERT INTO bans SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING",
        (list(handles),),
    )
    await _count_change(connection)


async def unban(connection: Connection, handle: str) -> None:
    """Open the fleet to a handle again."""
    await connection.execute("DELETE FROM bans WHERE handle = %s", (handle,))
    await _count_change(connection)


async def reset_key(connection: Connection, handle: str) -> None:
    """Forget the key of a handle; the next to come claims it, with its account."""
    await connection.execute(
        "UPDATE players SET sha256 = NULL WHERE handle = %s", (handle,)
    )
    await _count_change(connection)


async def _count_change(connection: Connection) -> None:
    await connection.execute("UPDATE fleet SET changes = changes + 1")


async def give_at_rest(connection: Connection, id: str, handle: str, cents: int) -> int:
    """Give the donor's cents, once by ``id``; return what the handle has at rest."""
    await lock(connection, handle)
    await give(connection, id, handle, cents)
    return (await look_up(connection, handle)).cents


async def read_bans(connection: Connection) -> frozenset[str]:
    """Return all handles to which the fleet is shut."""
    return frozenset(
        row.handle for row in await rows(connection, "SELECT handle FROM bans")
    )


async def keys_of_visitors(
    connection: Connection, me: Membership
) -> dict[str, str | None]:
    """Return the hash of the key of each handle that is on a visit at a server."""
    found = await rows(
        connection,
        "SELECT handle, sha256 FROM visits JOIN players USING (handle) "
        "WHERE server = %s AND cents_out IS NULL",
        me.name,
    )
    return {row.handle: row.sha256 for row in found}
