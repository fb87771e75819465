"""Two thousand connections of one attacker cost those who play nothing."""

import asyncio
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from bj_server.net.limits import Limits
from support.serving import hello, serving
from whole.guest import Guest
from whole.host import Host
from whole.play import Regular, percentile
from whole.raw import DOCUMENTED, REQUEST, Closed, RawLine, address, frame

_CODES = {str(code) for code in DOCUMENTED}
HANDLES = ("ned21", "lia9", "tess", "otto")


class Attacker:
    """Opens connections of four kinds, and says no more than it must."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.ends: Counter[str] = Counter()

    async def flood(self, number: int) -> None:
        """Hold ``number`` connections at once, each until the server ends it."""
        async with asyncio.TaskGroup() as group:
            for n in range(number):
                group.create_task(self._hold(n))

    async def _hold(self, number: int) -> None:
        reader, writer = await asyncio.open_connection(*address(self.uri))
        try:
            async with asyncio.timeout(60):
                end = await self._end(number, reader, writer)
        except ConnectionError:
            end = "dropped"
        except TimeoutError:
            # The system never handed it to the server, whose queue was full; who says
            # nothing does not learn of it.
            assert number % 4 == 0, "a connection is still open"
            end = "not accepted"
        finally:
            writer.transport.abort()
        self.ends[end] += 1

    async def _end(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> str:
        """Wait for the end of a connection, and return how it came."""
        if number % 4 == 0:  # not a byte
            said = await reader.read()
            return said[9:12].decode() or "dropped"
        writer.write(REQUEST)
        head = await reader.readline()
        if b" 101 " not in head:
            return head[9:12].decode() or "dropped"
        await reader.readuntil(b"\r\n\r\n")
        line = RawLine(reader, writer)
        if number % 4 == 2:  # a hello, for which there is no seat
            line.send(frame(hello(f"eve{number}").encode()))
        if number % 4 == 3:  # one who watches, and answers no ping
            line.send(frame(b'{"type":"watch","version":2}'))
        try:
            while True:
                await line.hear()
        except Closed as closed:
            return str(closed.code)


def descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


async def fall_to(process: int, most: int) -> float:
    """Wait until a process has ``most`` descriptors; return the seconds it took."""
    start = time.monotonic()
    while descriptors(process) > most:
        assert time.monotonic() - start < 60, descriptors(process)
        await asyncio.sleep(0.05)
    return time.monotonic() - start


async def attack(uri: str, process: int, number: int) -> tuple[float, str]:
    """Play while the flood comes; return the p95 in milliseconds, and all figures."""
    regulars = [Regular(await Guest.sit(uri, handle)) for handle in HANDLES]
    base = descriptors(process)
    attacker, stop = Attacker(uri), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for regular in regulars:
            group.create_task(regular.play(stop))
        await attacker.flood(number)
        seconds = await fall_to(process, base + 5)
        stop.set()
    for regular in regulars:
        assert regular.rounds == regular.bets > 0, "a round was lost"
        assert not regular.guest.seen("presence_changed")
        await regular.guest.line.close()
    p95 = percentile([s for regular in regulars for s in regular.seconds], 0.95)
    assert sum(attacker.ends.values()) == number
    assert set(attacker.ends) <= {"429", "503", "dropped", "not accepted"} | _CODES
    ends = ", ".join(f"{end} {n}" for end, n in attacker.ends.most_common())
    figures = (
        f"Q15: {number} connections of one address ({ends}), {regulars[0].rounds} "
        f"rounds of four, 0 lost; p95 {p95:.0f} ms; descriptors back in {seconds:.1f} s"
    )
    return p95, figures


async def test_Q15_N15_a_flood_costs_those_who_play_nothing(tmp_path: Path) -> None:
    limits = Limits(
        max_connections=60, hello_seconds=0.5, ping_seconds=0.5, pong_seconds=0.5
    )
    async with serving(tmp_path / "bank", limits=limits) as uri:
        _, figures = await attack(uri, os.getpid(), 150)
    print(figures)
    assert "503" in figures
    assert "4003" in figures
    assert "1011" in figures


@pytest.mark.torture
def test_Q15_N15_a_flood_of_thousands_costs_those_who_play_nothing(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank") as host:
        uri = f"ws://{host.address}"
        p95, figures = asyncio.run(attack(uri, host.process.pid, 2_000))
    print(figures)
    assert "429" in figures
    assert "4003" in figures
    assert p95 < 500
