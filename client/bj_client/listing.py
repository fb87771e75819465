"""The listing: which tables a server has, as lines of text."""

from collections.abc import Awaitable, Callable

from bj_client.address import Address
from bj_client.connection import Connection
from bj_client.money import dollars
from bj_client.text import printable
from bj_protocol.views import Phase, TableView

__all__ = ["Fetch", "about", "fetch_tables", "listing"]

Fetch = Callable[[], Awaitable[tuple[TableView, ...]]]
"""Asks a server for its tables as they are now."""

_PHASES = {
    Phase.WAITING: "waiting for players",
    Phase.CUTTING: "cutting the shoe",
    Phase.BETTING: "taking bets",
    Phase.PLAYING: "in a round",
}


async def fetch_tables(address: Address) -> tuple[TableView, ...]:
    """Ask a server for its tables.

    Raises:
        Ending: if it cannot be reached, or is of another version.
    """
    connection = await Connection.open(address)
    try:
        return (await connection.tables()).tables
    finally:
        await connection.close()


def listing(tables: tuple[TableView, ...]) -> list[str]:
    """Return a line for each table, in order, and one that says how to go on."""
    lines = [f"{printable(table.name)}: {about(table)}." for table in tables]
    return [*lines, "Sit down with --table NAME, or look on with --watch --table NAME."]


def about(table: TableView) -> str:
    """Return what there is to say of a table besides its name, as a clause."""
    most = "" if table.maximum_bet is None else f" to {dollars(table.maximum_bet)}"
    parts = [
        f"{printable(table.house)} ({printable(table.title)})",
        f"bets from {dollars(table.minimum_bet)}{most}",
        f"{table.seats_taken} of {table.seat_count} seats taken{_who(table)}",
        _PHASES[table.phase],
    ]
    if table.watchers:
        parts.append(f"{table.watchers} watching")
    if table.private:
        parts.append("private: its code is needed")
    return ", ".join(parts)


def _who(table: TableView) -> str:
    names = ", ".join(map(printable, table.handles))
    return f" ({names})" if names else ""
