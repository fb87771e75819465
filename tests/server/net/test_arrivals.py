"""Connections that come faster than their address may open them."""

import asyncio
import socket
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake

from bj_server.net.address import THIS_MACHINE, Proxies
from bj_server.net.connection_limit import Arrivals
from bj_server.net.limits import Limits
from support.certificates import Certificates
from support.serving import join, read, serving

TRIES = 10_000
NEVER = Limits(arrival_seconds=1e6, max_connections=1)
SOON = Limits(arrival_seconds=12.8)  # one more from this machine each 50 ms
PROXIED = Limits(
    arrival_seconds=1e6,
    proxies=Proxies((ip_network("127.0.0.0/8"),)),
    hello_seconds=60,
)


def moments(arrivals: Arrivals, place: str, at_a_time: int) -> Iterator[float]:
    """Give the moments at which connections begin, if so many come at a time.

    Each of them ends at once, and another one comes in its place.
    """
    free = [0.0] * at_a_time
    while True:
        now = free.pop(0)
        begins = now + arrivals.seconds(place, now)
        free.append(begins)
        yield begins


@pytest.mark.parametrize(
    ("place", "at_once", "per_second"),
    [("192.0.2.7", 20, 5), ("2001:db8::/64", 20, 5), (THIS_MACHINE, 256, 64)],
)
def test_14_1_one_address_begins_connections_at_the_documented_rate(
    place: str, at_once: int, per_second: int
) -> None:
    arrivals = Arrivals(Limits())
    coming = moments(arrivals, place, at_once - 1)
    begun = [next(coming) for _ in range(TRIES)]
    assert begun[:at_once] == [0.0] * at_once
    assert begun[-1] == pytest.approx((TRIES - at_once) / per_second)
    # Another one at this address waits for those who came before, and no longer.
    now = begun[-at_once]
    assert arrivals.seconds(place, now) == pytest.approx(Limits().arrival_seconds)
    assert arrivals.seconds("192.0.2.8", now) == 0


def test_14_1_all_addresses_together_begin_connections_at_the_documented_rate() -> None:
    arrivals, most = Arrivals(Limits()), Limits().max_connections
    waits = [arrivals.seconds(f"192.0.2.{n}", 0.0) for n in range(most + 500)]
    assert waits[:most] == [0.0] * most
    assert waits[-1] == pytest.approx(500 * Limits().arrival_seconds / most)


def spend_all(uri: str) -> tuple[str, int]:
    """Come as often as this machine may without a pause, and return the address."""
    host, _, port = uri.rpartition("/")[2].partition(":")
    for _ in range(256):
        with socket.create_connection((host, int(port))) as line:
            line.shutdown(socket.SHUT_WR)
            line.recv(1)  # until the server has noticed
    return host, int(port)


async def test_14_1_a_right_key_opens_though_others_came_too_fast(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "bank", limits=SOON) as uri:
        await asyncio.to_thread(spend_all, uri)
        line = await join(uri)
        assert (await read(line))["type"] == "snapshot"
        await line.close()


@pytest.mark.parametrize("encrypts", [False, True])
async def test_14_1_who_hangs_up_before_its_turn_keeps_the_place(
    tmp_path: Path, certificates: Certificates, encrypts: bool
) -> None:
    options = certificates.here.options if encrypts else ()
    async with serving(tmp_path / "bank", *options, limits=NEVER) as uri:
        address = await asyncio.to_thread(spend_all, uri)
        _, writer = await asyncio.open_connection(*address)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        writer.close()
        reader, writer = await asyncio.open_connection(*address)
        if not encrypts:
            assert (await reader.readline()).startswith(b"HTTP/1.1 503 ")
        writer.close()
        # The server stops though there is one whose turn will not come for days.


async def test_14_1_behind_a_proxy_each_client_waits_for_its_own(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "bank", limits=PROXIED) as uri:

        async def come(client: str) -> ClientConnection:
            return await connect(uri, additional_headers={"X-Forwarded-For": client})

        lines = [await come("192.0.2.7") for _ in range(19)]
        await lines.pop().close()  # which gives its place free, and not its turn
        lines.append(await come("192.0.2.7"))
        late = asyncio.create_task(come("192.0.2.7"))
        for _ in range(3):
            lines.append(await come("192.0.2.8"))
        assert not late.done()
        for line in lines:
            line.transport.abort()
    with pytest.raises(InvalidHandshake):  # the server has stopped, and does not wait
        await late
