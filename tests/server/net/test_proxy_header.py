"""A proxy names its clients by the PROXY protocol: heard to the byte, or hung up on."""

import asyncio
import random
import socket
import ssl
import struct
from collections.abc import AsyncIterator
from ipaddress import IPv4Address, ip_address, ip_network
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from bj_server.net.address import THIS_MACHINE, Address, Proxies
from bj_server.net.limits import Limits
from bj_server.net.tls_accept import MOST_BYTES, ProxyHeaderError, read_client
from support.certificates import Certificates
from support.serving import hello, read, serving

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
_HUNG_UP = (WebSocketException, EOFError, OSError)
LOOPBACK = Proxies((ip_network("127.0.0.0/8"),))


def header(
    client: str = "192.0.2.7", *, command: int = 0x21, extra: bytes = b""
) -> bytes:
    """Return the header that HAProxy writes for a client."""
    ip = ip_address(client)
    family = 0x11 if isinstance(ip, IPv4Address) else 0x21
    own = ip_address("198.51.100.1" if family == 0x11 else "2001:db8::1")
    rest = ip.packed + own.packed + struct.pack("!HH", 4711, 443) + extra
    return SIGNATURE + struct.pack("!BBH", command, family, len(rest)) + rest


@pytest.fixture
async def ends() -> AsyncIterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, theirs:
        yield ours, theirs


Ends = tuple[socket.socket, socket.socket]


@pytest.mark.parametrize(
    ("client", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::7:1", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", THIS_MACHINE),
    ],
)
async def test_the_client_is_read_and_not_a_byte_more(
    ends: Ends, client: str, place: str
) -> None:
    ours, theirs = ends
    ours.sendall(header(client, extra=b"\x04\0\x02ab") + b"GET /")
    address = await read_client(theirs)
    assert address is not None
    assert address.place == place
    assert theirs.recv(9) == b"GET /"


@pytest.mark.parametrize(
    "said",
    [
        header(command=0x20),
        SIGNATURE + b"\x20\x00\x00\x00",
        SIGNATURE + b"\x21\x00\x00\x00",
        SIGNATURE + b"\x21\x00\x00\x03abc",
    ],
)
async def test_a_proxy_may_speak_for_itself(ends: Ends, said: bytes) -> None:
    ours, theirs = ends
    ours.sendall(said + b"GET /")
    assert await read_client(theirs) is None
    assert theirs.recv(9) == b"GET /"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "does not begin with a header"),
        (b"PROXY TCP4 192.0.2.7 198.51.100.1 4711 443\r\n", "does not begin"),
        (header()[:-1], "hung up"),
        (SIGNATURE, "hung up"),
        (b"", "hung up"),
        (header(command=0x11), "no connection over TCP"),
        (header(command=0x22), "no connection over TCP"),
        (SIGNATURE + b"\x21\x12\x00\x0c" + b"\0" * 12, "no connection over TCP"),
        (SIGNATURE + b"\x21\x31\x00\xd8" + b"\0" * 216, "no connection over TCP"),
        (SIGNATURE + b"\x21\x11\x00\x0b" + b"\0" * 11, "no connection over TCP"),
        (SIGNATURE + b"\x21\x21\x00\x0c" + b"\0" * 12, "no connection over TCP"),
        (header(extra=b"\0" * MOST_BYTES), f"over {MOST_BYTES} bytes"),
        (SIGNATURE + b"\x21\x11\xff\xff", f"over {MOST_BYTES} bytes"),
    ],
)
async def test_what_is_no_header_is_told_in_a_clause(
    ends: Ends, said: bytes, why: str
) -> None:
    ours, theirs = ends
    ours.sendall(said)
    ours.shutdown(socket.SHUT_WR)
    with pytest.raises(ProxyHeaderError, match=why):
        await read_client(theirs)


async def test_whatever_a_proxy_sends_is_a_client_or_an_error(ends: Ends) -> None:
    chance = random.Random(19)
    kinds: set[str] = set()
    for _ in range(3000):
        said = bytearray(header(chance.choice(["192.0.2.7", "2001:db8::7"])))
        for _ in range(chance.randrange(4)):
            said[chance.randrange(len(said))] = chance.randrange(256)
        del said[chance.randrange(len(said) * 3) :]
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        with ours, theirs:
            ours.sendall(said)
            ours.shutdown(socket.SHUT_WR)
            try:
                found = await read_client(theirs)
            except ProxyHeaderError as error:
                kinds.add(str(error))
            else:
                assert found is None or isinstance(found, Address)
                kinds.add(type(found).__name__)
    assert len(kinds) == 6


async def come(uri: str, said: bytes, handle: str = "ned21") -> ClientConnection:
    """Join through a proxy that writes ``said`` first."""
    host, _, port = uri.removeprefix("ws://").partition(":")
    line = socket.create_connection((host, int(port)))
    line.sendall(said)
    client = await connect(uri, sock=line, compression=None)
    await client.send(hello(handle))
    return client


async def test_14_1_limits_and_log_are_by_the_client_that_the_header_names(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    limits = Limits(proxy_protocol=LOOPBACK, max_per_address=1, new_handles=1)
    async with serving(tmp_path / "bank", limits=limits) as uri:
        first = await come(uri, header("192.0.2.7"))
        assert (await read(first))["type"] == "snapshot"
        with pytest.raises(InvalidStatus) as caught:
            await come(uri, header("192.0.2.7"), "eve")
        assert caught.value.response.status_code == 429
        other = await come(uri, header("192.0.2.8"), "lia9")
        assert (await read(other))["type"] == "snapshot"
        for line in (first, other):
            await line.close()
    said = [(r.getMessage(), r.__dict__.get("address")) for r in caplog.records]
    assert ("joins", "192.0.2.7") in said
    assert ("joins", "192.0.2.8") in said


async def test_a_named_proxy_says_nothing_without_a_header(tmp_path: Path) -> None:
    limits = Limits(proxy_protocol=LOOPBACK)
    async with serving(tmp_path / "bank", limits=limits) as uri:
        with pytest.raises(_HUNG_UP):
            await connect(uri, additional_headers={"X-Forwarded-For": "192.0.2.7"})


async def test_14_1_a_header_of_somebody_else_is_not_believed(tmp_path: Path) -> None:
    others = Proxies((ip_network("198.51.100.0/24"),))
    async with serving(tmp_path / "bank", limits=Limits(proxy_protocol=others)) as uri:
        with pytest.raises(_HUNG_UP):
            await come(uri, header())
        line = await come(uri, b"")
        assert (await read(line))["type"] == "snapshot"
        await line.close()


async def test_headers_that_do_not_come_take_no_room_for_ever(tmp_path: Path) -> None:
    limits = Limits(proxy_protocol=LOOPBACK, max_connections=2, hello_seconds=60)
    async with serving(tmp_path / "bank", limits=limits) as uri:
        host, _, port = uri.removeprefix("ws://").partition(":")
        mute = [socket.create_connection((host, int(port))) for _ in range(2)]
        reader, writer = await asyncio.open_connection(host, int(port))
        async with asyncio.timeout(60):
            assert await reader.read() == b""  # there is no room for a third
        writer.close()
        for line in mute:
            line.close()
        async with asyncio.timeout(60):
            while True:
                try:
                    joined = await come(uri, header())
                    break
                except _HUNG_UP:
                    continue  # those who left are not gone yet
        assert (await read(joined))["type"] == "snapshot"
        await joined.close()


async def test_a_header_that_comes_too_late_is_not_waited_for(tmp_path: Path) -> None:
    limits = Limits(proxy_protocol=LOOPBACK, hello_seconds=0.01)
    async with serving(tmp_path / "bank", limits=limits) as uri:
        host, _, port = uri.removeprefix("ws://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(header()[:20])
        async with asyncio.timeout(60):
            assert await reader.read() == b""
        writer.close()


async def test_the_header_comes_before_tls(
    tmp_path: Path, certificates: Certificates
) -> None:
    context = ssl.create_default_context(cafile=str(certificates.authority))
    limits, options = Limits(proxy_protocol=LOOPBACK), certificates.here.options
    async with serving(tmp_path / "bank", *options, limits=limits) as uri:
        host, _, port = uri.removeprefix("wss://").partition(":")
        line = socket.create_connection((host, int(port)))
        line.sendall(header())
        client = await connect(uri, sock=line, ssl=context, compression=None)
        await client.send(hello("ned21"))
        assert (await read(client))["type"] == "snapshot"
        await client.close()
