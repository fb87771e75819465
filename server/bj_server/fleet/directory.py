"""The directory: the tables of all servers of a fleet, in one list.

Each server writes its own, tells the others by NOTIFY, and reads all again when it was
told so; both at most once a second, for tables change with every round. It is never
part of a transaction about money, and a little behind.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import ValidationError

from bj_protocol.views import TableView
from bj_server.bank.error import BankError
from bj_server.fleet.cage import Cage
from bj_server.fleet.sql.connections import Connection, answering, connect, cut
from bj_server.fleet.sql.servers import listen, post_tables, read_tables

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Directory:
    """The list of tables, as one server knows it."""

    cage: Cage
    own: Callable[[], tuple[TableView, ...]]
    """Returns the tables of this server."""
    _posted: dict[str, str] | None = field(default=None, init=False)
    """What PostgreSQL has, by the names of tables; None if that is not known."""
    _views: dict[str, tuple[TableView, ...]] = field(default_factory=dict, init=False)
    """The tables of the other servers, by their names."""

    def server_of(self, table: str) -> str:
        """Return the server that has a table; "" for none that is known."""
        for server, views in self._views.items():
            if any(view.name == table for view in views):
                return server
        return ""

    def views(self, address_of: Callable[[str], str | None]) -> tuple[TableView, ...]:
        """Return the tables of all other servers that have an address just now."""
        return tuple(
            view
            for server, views in self._views.items()
            if address_of(server) is not None
            for view in views
        )

    async def post(self) -> None:
        """Write down those tables of this server that have changed."""
        posted, views = self._posted or {}, self.own()
        texts = {view.name: view.model_dump_json() for view in views}
        if texts == self._posted:
            return
        new = {name: text for name, text in texts.items() if posted.get(name) != text}
        names = list(texts)
        await self.cage.contact.write(
            lambda connection: post_tables(connection, self.cage.me.name, names, new)
        )
        self._posted = texts

    async def run(self, stopping: asyncio.Event) -> None:
        """Post and read whenever something has changed, until ``stopping`` is set.

        There is one line that listens. After each new one all is read again.
        """
        while not stopping.is_set():
            try:
                await self._listen(stopping)
            except Exception as error:  # noqa: BLE001 - the list may be old meanwhile
                if not isinstance(error, BankError):
                    _log.exception("a fault of ours in the directory")
                _log.debug("the directory has to wait: %s", error)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await stopping.wait()

    async def _listen(self, stopping: asyncio.Event) -> None:
        connection = await connect(self.cage.url, self.cage.times)
        # It is cut at the end, since it may have nothing to tell for long.
        cutting = asyncio.create_task(_cut_after(stopping, connection))
        try:
            async with answering(connection, self.cage.times.reply):
                await listen(connection)
            self._posted = None  # a PostgreSQL that went back may have lost it
            is_told = True
            while not stopping.is_set():
                await self.post()
                async with answering(connection, self.cage.times.reply):
                    if is_told:
                        self._take(await read_tables(connection))
                    # For a second, in which all others may tell something.
                    is_told = False
                    async for _ in connection.notifies(timeout=1):
                        is_told = True
        finally:
            cutting.cancel()
            await connection.close()

    def _take(self, found: list[tuple[str, str]]) -> None:
        views: dict[str, tuple[TableView, ...]] = {}
        for server, text in found:
            if server != self.cage.me.name:
                with contextlib.suppress(ValidationError):  # of a newer release
                    view = TableView.model_validate_json(text)
                    views[server] = (*views.get(server, ()), view)
        self._views = views


async def _cut_after(stopping: asyncio.Event, connection: Connection) -> None:
    await stopping.wait()
    cut(connection)
