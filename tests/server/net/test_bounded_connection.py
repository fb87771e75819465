"""What the real server does with connections that are too many, mute or endless."""

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from bj_server.bank.bank import Bank
from bj_server.host import set_table
from bj_server.net.address import NOWHERE
from bj_server.net.app import App
from bj_server.net.connection import Connection
from bj_server.net.limits import Limits
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.options import read_options
from bj_server.table.clock import LoopClock
from support.nursery import PATIENCE
from support.serving import hello, join, read, serving

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
IN_ALL = Limits(max_connections=3)


def address(uri: str) -> tuple[str, int]:
    host, _, port = uri.removeprefix("ws://").partition(":")
    return host, int(port)


async def last_words(uri: str, request: bytes = b"") -> bytes:
    """Return all that the server says on a connection until it hangs up."""
    reader, writer = await asyncio.open_connection(*address(uri))
    writer.write(request)
    try:
        async with asyncio.timeout(60):
            return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize("request_bytes", [b"", REQUEST, b"x" * 100_000])
async def test_N15_who_finds_no_room_is_told_so_and_hung_up_on(
    tmp_path: Path, request_bytes: bytes
) -> None:
    async with serving(tmp_path / "bank", limits=IN_ALL) as uri:
        seated = await join(uri)
        await read(seated)
        silent = [socket.create_connection(address(uri)) for _ in range(2)]
        said = await last_words(uri, request_bytes)
        head, _, body = said.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert f"Content-Length: {len(body)}".encode() in head
        assert body == (
            b"This server has as many connections as it takes. Try again later.\n"
        )
        with pytest.raises(InvalidStatus) as caught:
            await connect(uri)
        assert caught.value.response.status_code == 503
        for line in silent:
            line.close()
        newcomer = await _join_in_time(uri, "lia9")
        await seated.close()
        await newcomer.close()


async def _join_in_time(uri: str, handle: str) -> ClientConnection:
    """Join as soon as there is room again."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(InvalidStatus):
                line = await join(uri, handle)
                assert (await read(line))["type"] == "snapshot"
                return line


async def test_N15_one_address_is_told_that_it_has_too_many(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", limits=Limits(hello_seconds=600)) as uri:
        lines = [await connect(uri) for _ in range(256)]
        with pytest.raises(InvalidStatus) as caught:
            await connect(uri)
        assert caught.value.response.status_code == 429
        assert b"from your address" in caught.value.response.body
        for line in lines:
            line.transport.abort()


async def test_N15_a_handshake_that_drips_is_cut_off(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", limits=Limits(hello_seconds=0.2)) as uri:
        reader, writer = await asyncio.open_connection(*address(uri))
        ending = asyncio.create_task(_rest(reader))
        await _drip(writer, REQUEST[:-1] + b"x" * 10_000, ending)
        assert ending.result() == b""
        writer.close()


async def _drip(
    writer: asyncio.WriteTransport | asyncio.StreamWriter,
    text: bytes,
    ending: asyncio.Task[Any],
) -> None:
    """Write a byte again and again while the other end has not hung up."""
    for byte in text:
        with contextlib.suppress(RuntimeError):  # this end has said its last, too
            writer.write(bytes([byte]))
        if (await asyncio.wait({ending}, timeout=0.01))[0]:
            return
    raise AssertionError("nobody has hung up")


async def _rest(reader: asyncio.StreamReader) -> bytes:
    """Return what is still said, if the line ends by a reset too."""
    with contextlib.suppress(ConnectionError):
        return await reader.read()
    return b""


async def test_N15_a_hello_that_drips_is_cut_off(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", limits=Limits(hello_seconds=0.2)) as uri:
        line = await connect(uri)
        endless = hello("ned21").ljust(10_000).encode()
        frame = Frame(Opcode.TEXT, endless).serialize(mask=True)
        ending = asyncio.create_task(line.wait_closed())
        await _drip(line.transport, frame, ending)
        assert line.close_code == 4003


@pytest.mark.parametrize("text", ["x" * 20_000, hello("../x"), "null"])
async def test_N9_who_does_not_answer_the_closing_frame_is_dropped(
    tmp_path: Path, text: str
) -> None:
    limits = Limits(close_seconds=0.1, bad_messages=0, max_connections=1)
    async with serving(tmp_path / "bank", limits=limits) as uri:
        reader, writer = await asyncio.open_connection(*address(uri))
        writer.write(REQUEST)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(Frame(Opcode.TEXT, text.encode()).serialize(mask=True))
        await reader.read()  # the closing frame, and the end of what the server says
        newcomer = await _join_in_time(uri, "lia9")  # which has the place of the other
        pong = Frame(Opcode.PONG, b"").serialize(mask=True)
        writer.write(pong)  # which is answered by a reset
        writer.write(pong)
        with pytest.raises(ConnectionError):
            await writer.drain()
        await newcomer.close()


class Unread(asyncio.Transport):
    """The end of a line whose reader takes nothing: it is closed by an abort alone."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol: asyncio.Protocol | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep what never leaves."""

    def get_write_buffer_size(self) -> int:
        return 1

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        """Say so after all that never leaves."""

    def abort(self) -> None:
        assert self.protocol is not None
        asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)


async def test_N9_who_hangs_up_and_reads_no_more_is_dropped_in_time(
    tmp_path: Path,
) -> None:
    bank = Bank.open(tmp_path / "bank")
    settings = read_options(["--bank", str(tmp_path / "bank")])
    table = set_table(settings, settings.tables[0], bank, LoopClock())
    hosted = HostedTable.of(table)
    app = App(Lobby([hosted]), Limits(close_seconds=0))
    line = Connection(app, NOWHERE, "nowhere", None)
    app.accepting.connections.enter("nowhere")
    end = Unread()
    end.protocol = line
    line.connection_made(end)
    line.data_received(REQUEST)
    async with asyncio.timeout(PATIENCE):
        while line.session is None:  # noqa: ASYNC110 - a handshake sets no event
            await asyncio.sleep(0)
        line.eof_received()
        while app.sessions:  # noqa: ASYNC110 - neither does the end of a line
            await asyncio.sleep(0)
    assert app.accepting.connections.inside == 0
    bank.close()


async def test_N4_a_message_may_come_in_so_many_pieces(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri)
        await read(line)
        text = '{"type":"resync"}'.ljust(64)
        await line.send(iter(text))  # one frame for each letter, and an empty last one
        with pytest.raises(ConnectionClosed):
            await read(line)
        assert line.close_code == 1009
        assert (line.close_reason or "").startswith(
            "The message came in too many pieces"
        )
        line = await join(uri)
        await read(line)
        await line.send(iter(text[:63]))
        assert (await read(line))["type"] == "snapshot"
        await line.close()


async def test_N4_empty_pieces_without_end_are_cut_off(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri)
        await read(line)
        piece = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
        first = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
        line.transport.write(first + piece * 10_000)
        await line.wait_closed()
        assert line.close_code == 1009


async def test_N6_pings_without_end_are_cut_off(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri)
        await read(line)
        line.transport.write(Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 1000)
        await line.wait_closed()
        assert line.close_code == 4006


async def test_S11_an_origin_that_is_allowed_is_compared_letter_by_letter(
    tmp_path: Path,
) -> None:
    limits = Limits(allowed_origins=("https://cards.example",))
    async with serving(tmp_path / "bank", limits=limits) as uri:
        for origin in (
            "https://evil.example",
            "https://cards.example.evil.example",
            "https://cards.example:8443",
            "https://CARDS.example",
            "http://cards.example",
            "null",
        ):
            with pytest.raises(InvalidStatus) as caught:
                await connect(uri, origin=origin)  # type: ignore[arg-type]
            assert caught.value.response.status_code == 403
        line = await join(uri, origin="https://cards.example")
        assert (await read(line))["type"] == "snapshot"
        await line.close()
        line = await join(uri)
        assert (await read(line))["type"] == "snapshot"
        await line.close()
