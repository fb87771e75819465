"""The audit in SQL: what the database says of all money, at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass

from bj_server.fleet.sql.connections import Connection, execute, rows
from bj_server.fleet.sql.servers import Server, find_servers


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """SQL's half of a visit, in cents."""

    handle: str
    server: str
    came: int
    goes: int | None
    """None while the visit is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One snapshot of the database."""

    fleet: str
    total: int
    """The sum of all accounts: 0."""
    wrong: Mapping[str, int]
    """The cents that handles have at rest above what gifts and visits have left."""
    servers: Mapping[str, Server]
    visits: Mapping[str, Half]
    """By their ids."""


async def look(connection: Connection) -> Moment:
    """Take one snapshot of the database."""
    async with connection.transaction():
        await execute(
            connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        )
        (fleet,) = await rows(connection, "SELECT id FROM fleet")
        (whole,) = await rows(
            connection, "SELECT coalesce(sum(cents), 0) AS cents FROM accounts"
        )
        wrong = await rows(
            connection,
            "WITH given AS (SELECT handle, sum(cents) AS cents FROM gifts "
            "GROUP BY handle), away AS (SELECT handle, "
            "sum(cents_in - coalesce(cents_out, 0)) AS cents FROM visits "
            "GROUP BY handle), due AS (SELECT p.handle, p.cents "
            "- coalesce(given.cents, 0) + coalesce(away.cents, 0) AS cents "
            "FROM players p LEFT JOIN given USING (handle) "
            "LEFT JOIN away USING (handle)) "
            "SELECT handle, cents FROM due WHERE cents <> 0 ORDER BY handle",
        )
        visits = await rows(
            connection, "SELECT id, handle, server, cents_in, cents_out FROM visits"
        )
        servers = await find_servers(connection)
    return Moment(
        fleet=fleet.id,
        total=int(whole.cents),
        wrong={row.handle: int(row.cents) for row in wrong},
        servers={server.name: server for server in servers},
        visits={
            row.id: Half(
                handle=row.handle,
                server=row.server,
                came=int(row.cents_in),
                goes=None if row.cents_out is None else int(row.cents_out),
            )
            for row in visits
        },
    )
