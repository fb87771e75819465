"""The listing: the tables of a server, as lines of text."""

from collections.abc import Awaitable, Callable

from bj_client.net.address import Address
from bj_client.net.connection import Connection
from bj_client.words.money import dollars
from bj_client.words.text import counted, printable
from bj_protocol.chat import clean_chat
from bj_protocol.messages import TableList
from bj_protocol.views import Phase, TableView

Fetch = Callable[[], Awaitable[TableList]]

PHASES = {
    Phase.WAITING: "waiting for players",
    Phase.BETTING: "taking bets",
    Phase.CALLING: "in a round",
    Phase.PLAYING: "in a round",
}


async def fetch_tables(address: Address) -> TableList:
    """Ask a server for its tables.

    Raises:
        ClientError: if it cannot be reached, or is of another version.
    """
    connection = await Connection.open(address)
    try:
        return await connection.tables()
    finally:
        await connection.close()


def listing(found: TableList) -> list[str]:
    """Return the notice of the host, a line for each table, and how to go on."""
    said = [said_by_host(found.notice)] if found.notice else []
    lines = [f"{printable(table.name)}: {about(table)}." for table in found.tables]
    how = "Sit down with --table NAME, or look on with --watch --table NAME."
    return [*said, *lines, how]


def said_by_host(notice: str) -> str:
    """Return a sentence that the host wants everybody to read."""
    return f"The host says: {clean_chat(notice)}"


def about(table: TableView) -> str:
    """Return the facts about a table besides its name, as a clause."""
    most = "" if table.maximum_bet is None else f" to {dollars(table.maximum_bet)}"
    seats = counted(table.seat_count, "seat")
    names = ", ".join(map(printable, table.handles))
    who = f" ({names})" if names else ""
    parts = [
        f"{printable(table.house)} ({printable(table.title)})",
        f"bets from {dollars(table.minimum_bet)}{most}",
        f"{table.seats_taken} of {seats} taken{who}",
        PHASES[table.phase],
    ]
    if table.watchers:
        parts.append(f"{table.watchers} watching")
    if table.private:
        parts.append("private: its code is needed")
    return ", ".join(parts)
