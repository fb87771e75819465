"""A wire to PostgreSQL that delays, drops and doubles replies, and that can be cut."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Self

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_PORT = 5432

Passing = Callable[[bytes], bytes]
"""Returns what passes of some bytes, perhaps after it has done something."""


def _all(data: bytes) -> bytes:
    return data


class Wire:
    """Passes on what is said between servers of a fleet and one PostgreSQL."""

    def __init__(self, url: str, folder: Path) -> None:
        """Lead to ``url``, by a socket in ``folder``."""
        known = conninfo_to_dict(url)
        self._host = str(known.get("host") or "/var/run/postgresql")
        self._port = int(known.get("port") or _PORT)
        self._here = folder / f".s.PGSQL.{_PORT}"
        self.url = make_conninfo(url, host=str(folder), port=_PORT)
        """The URL of this end."""
        self.ask: Passing = _all
        """Sees what is asked."""
        self.reply: Passing = _all
        """Sees what is replied."""
        self.gate = asyncio.Event()
        """Nothing is replied while it is closed."""
        self.gate.set()
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.mend()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def mend(self) -> None:
        """Let lines be made, and pass all on."""
        self.ask = self.reply = _all
        self.gate.set()
        if self._server is None:
            self._server = await asyncio.start_unix_server(
                self._pass_on, str(self._here)
            )

    def cut(self) -> None:
        """Cut all lines, and let none be made before ``mend``."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._here.unlink(missing_ok=True)
        self.snap()

    def snap(self) -> None:
        """Cut all lines that there are; others may be made."""
        for line in tuple(self._lines):
            line.transport.abort()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            there = await self._reach()
        except OSError:
            writer.transport.abort()
            return
        self._lines |= {writer, there[1]}
        ways = (
            asyncio.create_task(self._ask(reader, there[1])),
            asyncio.create_task(self._reply(there[0], writer)),
        )
        self._tasks.update(ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for line in (writer, there[1]):
            line.transport.abort()
            self._lines.discard(line)

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if not self._host.startswith("/"):
            return await asyncio.open_connection(self._host, self._port)
        path = f"{self._host}/.s.PGSQL.{self._port}"
        return await asyncio.open_unix_connection(path)

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(self.ask(data))
                await writer.drain()

    async def _reply(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await self.gate.wait()
                writer.write(self.reply(data))
                await writer.drain()
