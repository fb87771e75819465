"""Bare servers, which move the recorded frames of a real table and do nothing else.

    python bench/bare.py ws TRACE SEATS       the asyncio server of websockets
    python bench/bare.py sansio TRACE SEATS   its ServerProtocol under asyncio.Protocol

A trace is a picture for those who join, and steps: after so many messages of the
players, these frames go to all of them.
"""

import asyncio
import json
import re
import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar, cast

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

_Line = TypeVar("_Line")
Say = Callable[[Sequence[_Line], Sequence[str]], None]
_seat = re.compile(r'("you":\{[^}]*"seat":)\d+')


class Table(Generic[_Line]):
    """One table: counts messages, and says the next frames to everyone."""

    def __init__(self, trace: Path, seats: int, say: Say[_Line]) -> None:
        """Wait for ``seats`` players."""
        recorded = json.loads(trace.read_text())
        self._picture: str = recorded["picture"]
        self._steps: list[tuple[int, list[str]]] = recorded["steps"]
        self._seats, self._say = seats, say
        self._lines: list[_Line] = []
        self._at = self._have = 0

    def join(self, line: _Line) -> None:
        """Seat a player; the last one starts the game."""
        self._lines.append(line)
        you = _seat.sub(rf"\g<1>{len(self._lines)}", self._picture, count=1)
        self._say([line], [you])
        if len(self._lines) == self._seats:
            self._say(self._lines, self._steps[0][1])

    def answered(self) -> None:
        """Go on by one message."""
        self._have += 1
        at = (self._at + 1) % len(self._steps)
        needed, frames = self._steps[at]
        if self._have >= needed:
            self._at, self._have = at, 0
            self._say(self._lines, frames)


class Tables(dict[str, Table[_Line]]):
    """Tables that are made when the first player comes."""

    def __init__(self, make: Callable[[], Table[_Line]]) -> None:
        """Take what makes a table."""
        super().__init__()
        self._make = make

    def join(self, hello: str | bytes, line: _Line) -> Table[_Line]:
        """Seat a player, who has said hello."""
        name: str = json.loads(hello)["table"]
        if name not in self:
            self[name] = self._make()
        self[name].join(line)
        return self[name]


async def _ended() -> None:
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


async def by_websockets(trace: Path, seats: int) -> None:
    """Serve by the library's own server until standard input ends."""

    def say(lines: Sequence[ServerConnection], frames: Sequence[str]) -> None:
        for frame in frames:
            broadcast(lines, frame)

    tables = Tables(lambda: Table(trace, seats, say))

    async def converse(line: ServerConnection) -> None:
        table = tables.join(await line.recv(), line)
        with suppress(ConnectionClosed):  # a seat drops its line at the end
            async for _ in line:
                table.answered()

    async with serve(converse, "127.0.0.1", 0, compression=None, backlog=2048) as all_:
        print(f"ws://127.0.0.1:{all_.sockets[0].getsockname()[1]}", flush=True)
        await _ended()


class Bare(asyncio.Protocol):
    """One line, read by the library's machine without I/O."""

    def __init__(self, tables: "Tables[Bare]") -> None:
        """Wait for a connection."""
        self._tables = tables
        self._table: Table[Bare] | None = None
        self._machine = ServerProtocol()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the line."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Read messages, and write what the library answers by itself."""
        machine = self._machine
        machine.receive_data(data)
        for event in machine.events_received():
            if isinstance(event, Request):
                machine.send_response(machine.accept(event))
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                if self._table is None:
                    self._table = self._tables.join(bytes(event.data), self)
                else:
                    self._table.answered()
        assert self.transport is not None
        for out in machine.data_to_send():
            self.transport.write(out)


async def by_machine(trace: Path, seats: int) -> None:
    """Serve with each frame serialised once for all, until standard input ends."""

    def say(lines: Sequence[Bare], frames: Sequence[str]) -> None:
        raw = (Frame(Opcode.TEXT, frame.encode()) for frame in frames)
        data = b"".join(frame.serialize(mask=False) for frame in raw)
        for line in lines:
            assert line.transport is not None
            line.transport.write(data)

    tables = Tables(lambda: Table(trace, seats, say))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Bare(tables), "127.0.0.1", 0, backlog=2048
    )
    print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await _ended()


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    kind = {"ws": by_websockets, "sansio": by_machine}[sys.argv[1]]
    uvloop.run(kind(Path(sys.argv[2]), int(sys.argv[3])))
