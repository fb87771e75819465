"""A go-between that hears what clients say, and can keep them waiting or drop them."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from support.nursery import PATIENCE


class LineRecorder:
    """Carries whole messages both ways between clients and a server."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._lines: set[ServerConnection] = set()
        self.address = ""
        self.heard: list[str] = []
        """The types of all commands, in the order in which they were sent."""
        self.knocked, self.greeted, self.left = (asyncio.Event() for _ in range(3))
        """Set once a line was begun, once its hello was answered, once its end came."""
        self.open = asyncio.Event()
        """Set while new lines are let in; others wait at the door."""
        self.open.set()
        self.hearing = asyncio.Event()
        """Set while what is heard goes on to the server; until then it waits."""
        self.hearing.set()
        self.is_gone = False
        """Whether there is nobody any more for who comes anew."""

    async def knock(self, line: ServerConnection, _: Request) -> Response | None:
        """Let a line in, now or later, or not at all."""
        self.knocked.set()
        await self.open.wait()
        if self.is_gone:
            return line.respond(HTTPStatus.SERVICE_UNAVAILABLE, "gone\n")
        return None

    async def carry(self, line: ServerConnection) -> None:
        """Carry one line until either end closes it."""
        self._lines.add(line)
        try:
            async with connect(
                self._uri, compression=None, open_timeout=PATIENCE
            ) as server:
                down = asyncio.create_task(self._tell(server, line))
                try:
                    async for text in line:
                        self.heard.append(json.loads(text)["type"])
                        if self.heard[-1] == "leave":
                            self.left.set()
                        await self.hearing.wait()
                        await server.send(text)
                finally:
                    down.cancel()
                    await asyncio.gather(down, return_exceptions=True)
        except ConnectionClosed:
            pass  # by the server, which has said so itself
        finally:
            self._lines.discard(line)

    async def _tell(self, server: ClientConnection, line: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in server:
                await line.send(text)
                if json.loads(text)["type"] == "snapshot":
                    self.greeted.set()
        await line.close(server.close_code or 1000, server.close_reason or "")

    def cut(self) -> None:
        """Drop every line without a word."""
        for line in self._lines:
            line.transport.abort()

    def lose(self) -> None:
        """Drop every line, and let nobody in any more."""
        self.is_gone = True
        self.cut()


@asynccontextmanager
async def listening(uri: str) -> AsyncIterator[LineRecorder]:
    """Listen between the server at ``uri`` and its clients."""
    ear = LineRecorder(uri)
    async with serve(
        ear.carry,
        "127.0.0.1",
        0,
        process_request=ear.knock,
        compression=None,
        open_timeout=PATIENCE,
        ping_timeout=PATIENCE,
        close_timeout=1,
    ) as server:
        host, port = next(iter(server.sockets)).getsockname()
        ear.address = f"{host}:{port}"
        try:
            yield ear
        finally:
            ear.open.set()
            ear.hearing.set()
