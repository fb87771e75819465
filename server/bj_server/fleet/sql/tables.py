"""The directory in SQL: the tables of each server, and the word that they changed."""

from collections.abc import Mapping, Sequence

from bj_server.fleet.sql.connections import Connection


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
    found = await connection.execute(
        "SELECT server, view::text FROM tables ORDER BY server, name"
    )
    return [(str(server), str(view)) for server, view in await found.fetchall()]
