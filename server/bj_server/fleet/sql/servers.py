"""Servers in SQL: who has which name and is heard, its journal and its tables."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString

from bj_server.bank.visit import Membership
from bj_server.fleet.error import FencedError, FleetError
from bj_server.fleet.sql.connections import Connection, records, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What PostgreSQL knows of a server."""

    name: str
    journal: str
    epoch: int
    address: str
    is_written_off: bool
    counter: int
    seq: int
    """The last line of its journal that PostgreSQL has heard of."""
    hash: str
    """The hash of that line."""
    settled: int
    """All visits in the lines up to this one are in PostgreSQL."""
    is_running: bool
    """Whether it has not been stopped on purpose."""
    visits: int
    """How many visits were open there by its last checkpoint."""
    start: str
    """Names this start of this PostgreSQL; another one has another."""


_SERVERS: LiteralString = (
    "SELECT name, journal, epoch, address, written_off IS NOT NULL AS is_written_off, "
    "counter, seq, hash, settled, is_running, visits, "
    "start FROM servers JOIN counters USING (name), this_start"
)


async def find_server(connection: Connection, name: str) -> Server | None:
    """Return the server of a name."""
    found = await records(connection, Server, _SERVERS + " WHERE name = %s", name)
    return found[0] if found else None


async def find_servers(connection: Connection) -> list[Server]:
    """Return all servers, in the order of their names."""
    return await records(connection, Server, _SERVERS + " ORDER BY name")


async def fleet_id(connection: Connection) -> str:
    """Return the id of the fleet, which no other fleet has."""
    (fleet,) = await rows(connection, "SELECT id FROM fleet")
    return str(fleet.id)


async def places(connection: Connection) -> tuple[int, int]:
    """Return how many servers run, and the connections that PostgreSQL takes."""
    (found,) = await rows(
        connection,
        "SELECT count(*) AS servers, current_setting('max_connections')::int AS most "
        "FROM counters WHERE is_running",
    )
    return found.servers, found.most


async def fence(connection: Connection, me: Membership) -> None:
    """Lock the epoch of a server, so that nobody takes it over before the commit.

    Raises:
        FencedError: if somebody has.
    """
    if not await rows(
        connection,
        "SELECT FROM servers "
        "WHERE name = %s AND epoch = %s AND written_off IS NULL FOR SHARE",
        me.name,
        me.epoch,
    ):
        raise FencedError(me.name)


async def raise_epoch(
    connection: Connection,
    me: Membership,
    address: str,
    check: Callable[[Server], Awaitable[None]],
) -> None:
    """Let a start of a server have its name; all before it can do no more.

    It waits for the transactions that are open under the epoch before. ``check`` sees
    what they have left, and may refuse.

    Raises:
        FleetError: if the name belongs to another journal, or was written off.
        FencedError: if another start was quicker.
    """
    async with connection.transaction():
        await _register(connection, me, 0, address)
        await connection.execute(
            "SELECT FROM servers WHERE name = %s FOR UPDATE", (me.name,)
        )
        found = await find_server(connection, me.name)
        assert found is not None
        check_name(found, me)
        await check(found)
        if found.epoch >= me.epoch:
            raise FencedError(me.name)
        await connection.execute(
            "UPDATE servers SET epoch = %s, address = %s WHERE name = %s",
            (me.epoch, address, me.name),
        )
        await connection.execute(
            "UPDATE counters SET is_running = true, compared = '' WHERE name = %s",
            (me.name,),
        )


async def _register(
    connection: Connection, me: Membership, epoch: int, address: str
) -> None:
    """Have a server in PostgreSQL, unless it is there."""
    await connection.execute(
        "INSERT INTO servers (name, journal, epoch, address) "
        "VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (me.name, me.journal, epoch, address),
    )
    await connection.execute(
        "INSERT INTO counters (name) VALUES (%s) ON CONFLICT DO NOTHING", (me.name,)
    )


def check_name(found: Server, me: Membership) -> None:
    """See that a server may have its name.

    Raises:
        FleetError: if it may not.
    """
    if found.is_written_off:
        raise FleetError(
            f"Server {me.name} was written off, and its visits were paid from its last "
            "checkpoint, so this journal serves no more: choose another name and an "
            "empty bank folder."
        )
    if found.journal != me.journal:
        raise FleetError(
            f"The name {me.name} belongs to a server with another bank folder: give "
            "that folder to this one, or choose another name. If that folder is gone "
            f"for ever: bj-bank fleet write-off {me.name}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chips:
    """What a player has in front of the seat and at stake, and where."""

    table: str
    free: int
    held: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What a server says once a second."""

    seq: int
    hash: str
    settled: int
    compared: str
    chips: Mapping[str, Chips]
    """By the ids of the visits of which it has changed."""
    visits: int
    """How many are open."""
    poor: Sequence[str]
    """The handles that have nothing left here."""
    is_running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a server hears in return."""

    counter: int
    changes: int
    """How often handles were banned and keys reset in the fleet."""
    servers: Sequence[Server]
    stranded: Sequence[str]
    """Handles that are seated elsewhere while their visits here are stranded."""
    rich: frozenset[str]
    """Those of the poor that have money elsewhere."""


async def checkpoint(connection: Connection, me: Membership, said: Checkpoint) -> Heard:
    """Note what a server says, and return what others have said."""
    async with connection.transaction():
        await fence(connection, me)
        (found,) = await rows(
            connection,
            "UPDATE counters SET counter = counter + 1, seq = %s, hash = %s, "
            "settled = %s, compared = %s, is_running = %s, visits = %s, seen = now() "
            "WHERE name = %s RETURNING counter",
            said.seq,
            said.hash,
            said.settled,
            said.compared,
            said.is_running,
            said.visits,
            me.name,
        )
        stranded = await _come_back(connection, me)
        if said.chips:
            await _note_chips(connection, said.chips)
        (fleet,) = await rows(connection, "SELECT changes FROM fleet")
        return Heard(
            counter=found.counter,
            changes=fleet.changes,
            servers=await find_servers(connection),
            stranded=stranded,
            rich=await _rich(connection, me, said.poor),
        )


async def _note_chips(connection: Connection, chips: Mapping[str, Chips]) -> None:
    # They are locked in one order, since another server may strand them meanwhile.
    await connection.execute(
        "WITH said AS (SELECT * FROM unnest(%s::text[], %s::text[], %s::numeric[], "
        "%s::numeric[]) AS s (id, at, free, held)), "
        "mine AS (SELECT v.id FROM visits v JOIN said USING (id) "
        "WHERE cents_out IS NULL ORDER BY v.id FOR UPDATE OF v) "
        "UPDATE visits v SET free = s.free, held = s.held, "
        "at = CASE s.at WHEN '' THEN v.at ELSE s.at END "
        "FROM said s JOIN mine USING (id) WHERE v.id = s.id",
        (
            list(chips),
            [each.table for each in chips.values()],
            [each.free for each in chips.values()],
            [each.held for each in chips.values()],
        ),
    )


async def _come_back(connection: Connection, me: Membership) -> list[str]:
    """Have no visit stranded here whose handle sits nowhere else; return the others."""
    # Who buys in has locked the player: nobody does so elsewhere before the commit.
    found = await rows(
        connection,
        "SELECT handle FROM players WHERE handle IN (SELECT handle FROM visits "
        "WHERE server = %s AND cents_out IS NULL AND stranded IS NOT NULL) "
        "ORDER BY handle FOR UPDATE",
        me.name,
    )
    if not found:
        return []
    await connection.execute(
        "UPDATE visits v SET stranded = NULL WHERE server = %s "
        "AND handle = ANY(%s) AND id = (SELECT min(w.id) FROM visits w "
        "WHERE w.handle = v.handle AND w.server = v.server AND w.cents_out IS NULL) "
        "AND NOT EXISTS (SELECT FROM visits o WHERE o.handle = v.handle "
        "AND o.cents_out IS NULL AND o.stranded IS NULL)",
        (me.name, [row.handle for row in found]),
    )
    left = await rows(
        connection,
        "SELECT handle FROM visits WHERE server = %s AND cents_out IS NULL "
        "AND stranded IS NOT NULL ORDER BY handle",
        me.name,
    )
    return [row.handle for row in left]


async def _rich(
    connection: Connection, me: Membership, poor: Sequence[str]
) -> frozenset[str]:
    if not poor:
        return frozenset()
    found = await rows(
        connection,
        "SELECT handle FROM players WHERE handle = ANY(%s) AND cents > 0 "
        "UNION SELECT handle FROM visits WHERE handle = ANY(%s) "
        "AND cents_out IS NULL AND server <> %s "
        "AND coalesce(free + held, cents_in) > 0",
        list(poor),
        list(poor),
        me.name,
    )
    return frozenset(row.handle for row in found)


async def restore_server(
    connection: Connection, me: Membership, address: str
) -> Server:
    """Have a server in PostgreSQL again as it knows itself; return what was there.

    A lower epoch than its own is one that PostgreSQL had lost the raise of.

    Raises:
        FencedError: if another start has taken it over.
    """
    async with connection.transaction():
        await _register(connection, me, me.epoch, address)
        await connection.execute(
            "UPDATE servers SET epoch = %s, address = %s WHERE name = %s "
            "AND journal = %s AND epoch < %s",
            (me.epoch, address, me.name, me.journal, me.epoch),
        )
        await fence(connection, me)
        found = await find_server(connection, me.name)
        assert found is not None
        return found


async def listen(connection: Connection) -> None:
    """Hear on this connection when a server has changed its tables."""
    await connection.execute("LISTEN tables")


async def post_tables(
    connection: Connection,
    server: str,
    names: Sequence[str],
    views: Mapping[str, str],
) -> None:
    """Let a server have these tables alone, put new ``views`` of some, and tell so."""
    await connection.execute(
        "DELETE FROM tables WHERE server = %s AND name <> ALL (%s)",
        (server, list(names)),
    )
    await connection.execute(
        "INSERT INTO tables (server, name, view) "
        "SELECT %s, name, view::jsonb "
        "FROM unnest(%s::text[], %s::text[]) AS v (name, view) "
        "ON CONFLICT (server, name) DO UPDATE SET view = excluded.view",
        (server, list(views), list(views.values())),
    )
    await connection.execute("NOTIFY tables")


async def read_tables(connection: Connection) -> list[tuple[str, str]]:
    """Return the server and the view of each table, in order."""
    found = await rows(
        connection, "SELECT server, view::text FROM tables ORDER BY server, name"
    )
    return [(row.server, row.view) for row in found]
