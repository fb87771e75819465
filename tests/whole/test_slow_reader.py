"""One who never reads is dropped, and until then costs the others nothing.

The frozen one has a small buffer and asks for the table again and again, so that more
waits for it than the system takes, which is the worst it can do to the server.
"""

import asyncio
import os
import socket
import time
from pathlib import Path

import pytest

from bj_server.net.limits import Limits
from support.serving import hello, serving
from whole.guest import Guest
from whole.host import Host
from whole.play import Regular, percentile
from whole.raw import REQUEST, RawLine, address, frame
from whole.test_bad_frames import resident_kib

HANDLES = ("ned21", "lia9", "tess")
# Long enough that it is away before it has missed three calls for bets.
CALM = ("--bet-seconds", "7")
NEVER = ("--bet-seconds", "600", "--turn-seconds", "600")


async def freeze(uri: str) -> RawLine:
    """Join, and read nothing from then on."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(address(uri))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1024)
    line = RawLine(reader, writer)
    line.send(REQUEST)
    await reader.readuntil(b"\r\n\r\n")
    line.send(frame(hello("frozen").encode()))
    return line


def ask_on(line: RawLine) -> None:
    """Ask for the table some more times, as long as anybody takes the questions."""
    transport = line.writer.transport
    if not transport.is_closing() and transport.get_write_buffer_size() < 4096:
        line.send(frame(b'{"type":"resync"}') * 50)


async def play_on(
    uri: str, process: int, more_seconds: float
) -> tuple[float, float, str]:
    """Play until the frozen one is away and a while longer.

    Return the seconds that took, the p95 in milliseconds, and all figures as a line.
    """
    regulars = [Regular(await Guest.sit(uri, handle)) for handle in HANDLES]
    memory = resident_kib(process)
    most, stop = memory, asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for regular in regulars:
            group.create_task(regular.play(stop))
        frozen, start = await freeze(uri), time.monotonic()
        async with asyncio.timeout(60):
            while not regulars[0].guest.seen("presence_changed"):
                ask_on(frozen)
                most = max(most, resident_kib(process))
                await asyncio.sleep(0.01)
        seconds = time.monotonic() - start
        await asyncio.sleep(more_seconds)
        stop.set()
    frozen.drop()
    for regular in regulars:
        assert regular.rounds == regular.bets > 0, "a round was lost"
        assert {e["seat"] for e in regular.guest.seen("presence_changed")} == {4}
        await regular.guest.line.close()
    assert most - memory < 16_000, most - memory
    p95 = percentile([s for regular in regulars for s in regular.seconds], 0.95)
    figures = (
        f"Q14: a frozen reader was away after {seconds:.1f} s; {regulars[0].rounds} "
        f"rounds of the others, p95 {p95:.0f} ms; memory +{most - memory} KiB at most"
    )
    return seconds, p95, figures


async def test_Q14_N6_a_frozen_reader_is_dropped_and_the_others_play_on(
    tmp_path: Path,
) -> None:
    limits = Limits(rate=0, behind_seconds=0.2, watch_seconds=0.02, close_seconds=0.1)
    async with serving(tmp_path / "bank", *NEVER, limits=limits) as uri:
        _, _, figures = await play_on(uri, os.getpid(), 0)
    print(figures)


@pytest.mark.torture
def test_Q14_N6_a_frozen_reader_costs_a_real_server_little(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--max-rate", "0", *CALM) as host:
        playing = play_on(f"ws://{host.address}", host.process.pid, 10)
        seconds, p95, figures = asyncio.run(playing)
    print(figures)
    assert seconds < 20
    assert p95 < 100
