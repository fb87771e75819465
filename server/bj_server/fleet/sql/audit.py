"""The audit in SQL: all money at one moment, beside what the journals have said.

The halves of visits that journals have are put in a table for the time of the audit, so
that only what does not fit comes back, however many visits there have been.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString

from bj_server.fleet.sql.connections import Connection, records, rows
from bj_server.fleet.sql.servers import Server, find_servers, fleet_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What the journal of one server says of its visits; amounts in cents."""

    fleet: str
    name: str
    is_whole: bool
    """Whether the journal is there from its first line on."""
    heard: int
    """The line that the database had heard of."""
    has_head: bool
    """Whether the journal has that line, with the same hash."""
    came: Mapping[str, int]
    """What came with each visit, by its id."""
    went: Mapping[str, int]
    """What went with each visit that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """A visit as the database has it, and as its journal has; None is not known."""

    id: str
    handle: str
    server: str
    came: int
    goes: int | None
    journal_came: int | None
    journal_went: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One snapshot of the database, and what of the journals does not fit it."""

    fleet: str
    total: int
    """The sum of all accounts: 0."""
    wrong: Mapping[str, int]
    """The cents that handles have at rest above what gifts and visits have left."""
    servers: Mapping[str, Server]
    visits: int
    """How many visits there were at the servers of the journals."""
    unknown: Sequence[tuple[str, str]]
    """Visits that only a journal has, each with its server."""
    uneven: Sequence[Halves]
    """Visits whose halves differ, or of which one lacks an end."""


_WRONG: LiteralString = (
    "WITH given AS (SELECT handle, sum(cents) AS cents FROM gifts GROUP BY handle), "
    "away AS (SELECT handle, sum(cents_in - coalesce(cents_out, 0)) AS cents "
    "FROM visits GROUP BY handle), due AS (SELECT p.handle, p.cents "
    "- coalesce(given.cents, 0) + coalesce(away.cents, 0) AS cents FROM players p "
    "LEFT JOIN given USING (handle) LEFT JOIN away USING (handle)) "
    "SELECT handle, cents FROM due WHERE cents <> 0 ORDER BY handle"
)
_UNEVEN: LiteralString = (
    "SELECT v.id, v.handle, v.server, v.cents_in AS came, v.cents_out AS goes, "
    "h.came AS journal_came, h.went AS journal_went "
    "FROM visits v LEFT JOIN halves h ON h.id = v.id AND h.server = v.server "
    "WHERE v.server = ANY(%s) AND (h.came <> v.cents_in OR h.went <> v.cents_out "
    "OR (h.came IS NOT NULL AND (h.went IS NULL) <> (v.cents_out IS NULL)) "
    "OR (h.id IS NULL AND (v.cents_out IS NULL OR v.server = ANY(%s)))) ORDER BY v.id"
)


async def look(connection: Connection, statements: Sequence[Statement]) -> Moment:
    """Take one snapshot of the database, and compare the statements with it."""
    async with connection.transaction():
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        await _load(connection, statements)
        seen = [said.name for said in statements]
        whole = [said.name for said in statements if said.is_whole]
        fleet = await fleet_id(connection)
        (sums,) = await rows(
            connection,
            "SELECT (SELECT coalesce(sum(cents), 0) FROM accounts) AS total, "
            "(SELECT count(*) FROM visits WHERE server = ANY(%s)) AS visits",
            seen,
        )
        wrong = await rows(connection, _WRONG)
        unknown = await rows(
            connection,
            "SELECT h.id, h.server FROM halves h LEFT JOIN visits v "
            "ON v.id = h.id AND v.server = h.server WHERE v.id IS NULL ORDER BY h.id",
        )
        uneven = await records(connection, Halves, _UNEVEN, seen, whole)
        servers = await find_servers(connection)
    return Moment(
        fleet=fleet,
        total=sums.total,
        wrong={row.handle: row.cents for row in wrong},
        servers={server.name: server for server in servers},
        visits=sums.visits,
        unknown=[(row.id, row.server) for row in unknown],
        uneven=uneven,
    )


async def _load(connection: Connection, statements: Sequence[Statement]) -> None:
    """Put what the journals have into a table that is gone after the transaction."""
    await connection.execute(
        "CREATE TEMPORARY TABLE halves "
        "(id text, server text, came numeric, went numeric) ON COMMIT DROP"
    )
    async with (
        connection.cursor() as cursor,
        cursor.copy("COPY halves FROM STDIN") as copy,
    ):
        for said in statements:
            for id in said.came.keys() | said.went.keys():
                came, went = said.came.get(id), said.went.get(id)
                await copy.write_row((id, said.name, came, went))
    await connection.execute("ANALYZE halves")
