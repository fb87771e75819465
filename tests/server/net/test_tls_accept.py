"""Connections of which nothing is known yet, at a real server that encrypts."""

import asyncio
import contextlib
import errno
import os
import socket
import ssl
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from bj_server.net.limits import Limits, partings_beside
from support.certificates import Certificates
from support.serving import hello, read, serving

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Serve:
    """Serves encrypted lines within limits."""

    def __init__(self, certificates: Certificates, bank: Path) -> None:
        self._options, self._bank = certificates.here.options, bank

    def __call__(self, **limits: float) -> AbstractAsyncContextManager[str]:
        within = Limits(**({"hello_seconds": 60.0} | limits))  # type: ignore[arg-type]
        return serving(self._bank, *self._options, limits=within)


@pytest.fixture
def serve(certificates: Certificates, tmp_path: Path) -> Serve:
    return Serve(certificates, tmp_path / "bank")


@pytest.fixture
def context(certificates: Certificates) -> ssl.SSLContext:
    """Return what trusts the server."""
    return ssl.create_default_context(cafile=str(certificates.authority))


def address(uri: str) -> tuple[str, int]:
    host, _, port = uri.removeprefix("wss://").partition(":")
    return host, int(port)


async def join(uri: str, context: ssl.SSLContext) -> ClientConnection:
    """Join as soon as there is room."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(InvalidStatus):
                line = await connect(uri, compression=None, ssl=context)
                await line.send(hello("ned21"))
                assert (await read(line))["type"] == "snapshot"
                return line


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return all that is said until the server hangs up, in whatever way."""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(60):
            return await reader.read()
    return b""


async def test_N15_who_says_nothing_counts_before_tls_opens(
    serve: Serve, context: ssl.SSLContext
) -> None:
    async with serve(max_connections=2) as uri:
        silent = [socket.create_connection(address(uri)) for _ in range(2)]
        with pytest.raises(InvalidStatus) as caught:
            await connect(uri, ssl=context)
        assert caught.value.response.status_code == 503
        assert b"as many connections as it takes" in caught.value.response.body
        for line in silent:
            line.close()
        newcomer = await join(uri, context)
        await newcomer.close()


async def test_N15_who_opens_no_tls_is_dropped_and_gives_the_place_free(
    serve: Serve, context: ssl.SSLContext
) -> None:
    for said in (b"", b"\x16\x03\x01", REQUEST, b"x" * 100_000):
        async with serve(max_connections=1, hello_seconds=0.2) as uri:
            reader, writer = await asyncio.open_connection(*address(uri))
            writer.write(said)
            # An alert of TLS may be said, and nothing else.
            assert (await rest(reader))[:1] in (b"", b"\x15")
            writer.close()
        async with serve(max_connections=1) as uri:
            reader, writer = await asyncio.open_connection(*address(uri))
            writer.write(said)
            writer.close()
            newcomer = await join(uri, context)
            await newcomer.close()


async def test_N15_only_so_many_who_find_no_room_are_waited_for(serve: Serve) -> None:
    async with serve(max_connections=1) as uri:
        lines = [
            await asyncio.open_connection(*address(uri))
            for _ in range(1 + partings_beside(1) + 1)
        ]
        *kept, (last, _) = lines
        assert await rest(last) == b""
        assert not any(reader.at_eof() for reader, _ in kept)
        for _, writer in lines:
            writer.close()


async def test_a_request_that_comes_with_the_end_of_the_handshake_is_answered(
    serve: Serve, context: ssl.SSLContext
) -> None:
    async with serve() as uri:
        reader, writer = await asyncio.open_connection(*address(uri))
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        end = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        while True:
            try:
                end.do_handshake()
                break
            except ssl.SSLWantReadError:
                writer.write(outgoing.read())
                incoming.write(await reader.read(65536))
        end.write(REQUEST)
        writer.write(outgoing.read())  # both, in one segment
        said = b""
        async with asyncio.timeout(60):
            while b"\r\n\r\n" not in said:
                incoming.write(await reader.read(65536))
                with contextlib.suppress(ssl.SSLWantReadError):
                    said += end.read()
        assert said.startswith(b"HTTP/1.1 101 ")
        writer.close()


async def test_a_server_stops_though_somebody_has_said_nothing_yet(
    serve: Serve, context: ssl.SSLContext
) -> None:
    async with serve() as uri:
        reader, writer = await asyncio.open_connection(*address(uri))
        seated = await join(uri, context)  # so the silent one has been let in
        await seated.close()
        latest = socket.create_connection(address(uri))
    assert await rest(reader) == b""
    writer.close()
    latest.close()


async def test_a_place_is_given_free_where_the_system_lets_no_socket_be_opened(
    serve: Serve,
    context: ssl.SSLContext,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(_: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    async with serve(max_connections=1) as uri:
        with monkeypatch.context() as patch:
            patch.setattr(os, "dup", refuse)
            reader, writer = await asyncio.open_connection(*address(uri))
            assert await rest(reader) == b""
            writer.close()
        newcomer = await join(uri, context)
        await newcomer.close()
    assert "no descriptor is left for a connection" in caplog.text
