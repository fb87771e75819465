"""A server of which each connection plays a script that a test has written."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any, Protocol

from websockets.asyncio.server import ServerConnection, serve

from bj_client.net.address import Address, read_address
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import decode_command, encode
from bj_protocol.commands import Command, Hello, Leave, ListTables, Recall
from bj_protocol.events import Event
from bj_protocol.messages import Message, Recalled, Snapshot, TableList
from bj_protocol.views import Ask
from support.message import make_ask, make_snapshot, make_update
from support.nursery import PATIENCE


class FakeServer:
    """One client's line, seen from the server; the test plays the dealer."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.seq = 10

    async def hello(self, *asks: Ask, **fields: Any) -> Hello:
        """Hear the hello and answer it with a picture of the table."""
        hello = await self.first()
        assert isinstance(hello, Hello)
        await self.say(make_snapshot(*asks, **fields))
        return hello

    async def first(self, key: str | None = None) -> Command:
        """Return the hello, before which the client asks whose server this is."""
        command = await self.hear()
        if isinstance(command, ListTables):
            await self.say(TableList(version=PROTOCOL_VERSION, tables=(), key=key))
            command = await self.hear()
        return command

    def picture(self, *asks: Ask, **fields: Any) -> Snapshot:
        return make_snapshot(*asks, **fields)

    async def hear(self) -> Command:
        return decode_command(await self.socket.recv())

    async def say(self, message: Message) -> None:
        await self.socket.send(encode(message))

    async def update(
        self, seq: int, *events: Event, asks: tuple[Ask, ...] = ()
    ) -> None:
        self.seq = seq
        await self.say(make_update(seq, *events, asks=asks))

    async def part(self) -> None:
        """Hear everything until the client leaves, and close the line in order.

        A client that asks what has become of its rounds is told of none, as it would
        wait for an answer.
        """
        while not isinstance(heard := await self.hear(), Leave):
            if isinstance(heard, Recall):
                await self.say(Recalled(rounds=()))
        await self.socket.close()

    async def ask_and_part(self) -> None:
        """Ask once more, for a client whose input has ended to leave."""
        await self.update(self.seq + 1, asks=(make_ask(99),))
        await self.part()


class Script(Protocol):
    """What a server does on one connection."""

    def __call__(self, server: FakeServer, /) -> Awaitable[None]: ...


@asynccontextmanager
async def fake_server(script: Script) -> AsyncIterator[Address]:
    """Serve ``script`` to each connection; a script that fails fails the test."""
    failures: list[BaseException] = []

    async def handle(socket: ServerConnection) -> None:
        try:
            await script(FakeServer(socket))
        except AssertionError as failure:
            failures.append(failure)

    async with serve(
        *(handle, "127.0.0.1", 0),
        compression=None,
        open_timeout=PATIENCE,
        ping_timeout=PATIENCE,
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield read_address(f"127.0.0.1:{port}")
    for failure in failures:
        raise failure
