"""A TCP proxy on loopback that cuts lines, and repeats or holds what goes through.

What goes through is looked at piece by piece: a piece is what one read returns, which
on loopback is nearly always one frame. A ``Plan`` decides what becomes of each.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from bj_client.net.address import Address, read_address


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some bytes on their way."""

    data: bytes
    is_upward: bool
    """Whether they go from the client to the server."""
    number: int
    """How many have come before on this line and in this direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What becomes of a piece: how much goes on, how often, and whether all ends."""

    copies: int = 1
    part: float = 1.0
    """How much of the last copy goes on."""
    is_last: bool = False
    """Whether the line is cut then."""


class Plan(Protocol):
    """Decides what becomes of a piece."""

    def __call__(self, piece: Piece, /) -> Fate: ...


class WireCutter:
    """Carries lines to a server, each by the plan."""

    def __init__(self, uri: str, plan: Plan) -> None:
        parts = urlsplit(uri)
        assert parts.hostname
        assert parts.port
        self._target = (parts.hostname, parts.port)
        self._plan = plan
        self._carriers: set[asyncio.Task[None]] = set()
        self._thaw = asyncio.Event()
        self._thaw.set()
        self.is_armed = False
        """Whether the plan is followed; until then all goes through."""
        self.cuts = 0
        self.opened_at = 0.0
        """The loop's time at which the newest line was opened."""

    def freeze(self) -> None:
        """Hold everything back on all lines, without an end of any."""
        self._thaw.clear()

    def thaw(self) -> None:
        """Let everything go on."""
        self._thaw.set()

    async def carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Carry one line until either end closes it, or it is cut."""
        task = asyncio.current_task()
        assert task is not None
        self._carriers.add(task)
        self.opened_at = asyncio.get_running_loop().time()
        ends = [writer]
        try:
            back, there = await asyncio.open_connection(*self._target)
            ends.append(there)
            ways = [
                asyncio.create_task(self._move(reader, there, is_upward=True)),
                asyncio.create_task(self._move(back, writer, is_upward=False)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass  # the test ends, or the server is not there
        finally:
            self._carriers.discard(task)
            for end in ends:
                end.transport.abort()
                with contextlib.suppress(OSError):
                    await end.wait_closed()

    async def _move(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        is_upward: bool,
    ) -> None:
        number = 0
        while data := await reader.read(65536):
            await self._thaw.wait()
            piece = Piece(data=data, is_upward=is_upward, number=number)
            fate = self._plan(piece) if self.is_armed else Fate()
            number += 1
            for _ in range(fate.copies - 1):
                writer.write(data)
            writer.write(data[: round(len(data) * fate.part)])
            await writer.drain()
            if fate.is_last:
                self.cuts += 1
                return

    async def close(self) -> None:
        """Cut every line that is left."""
        carriers = list(self._carriers)
        for task in carriers:
            task.cancel()
        await asyncio.gather(*carriers, return_exceptions=True)


@asynccontextmanager
async def wire_cutter(
    uri: str, plan: Plan = lambda _: Fate()
) -> AsyncIterator[tuple[WireCutter, Address]]:
    """Carry lines to the server at ``uri``; yield the proxy and its address."""
    cutter = WireCutter(uri, plan)
    server = await asyncio.start_server(cutter.carry, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()[:2]
        yield cutter, read_address(f"{host}:{port}")
    finally:
        server.close()
        await cutter.close()
        await server.wait_closed()
