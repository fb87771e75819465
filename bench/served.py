"""Servers of a run: started anew, loaded, measured from outside, and ended.

The processor time is that of all threads of the server, as the kernel counts it, which
is steadier than the time on the wall.
"""

import asyncio
import contextlib
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import uvloop
from seat import Load, Seat, seats_at

_BARE = Path(__file__).with_name("bare.py")
_QUIET_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of one run."""

    rounds: float
    """A second, of all tables together."""
    cpu: float
    """Microseconds of the server's processor a round."""
    memory: float
    """KiB a seat, from the empty server to the full one."""
    journal: float
    """Bytes of the bank's journal a round."""
    waits: tuple[float, ...]
    """Milliseconds from an answer to the next frame: p50, p95, p99."""


@contextmanager
def started(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start a server that prints its address; yield port and process; end it after."""
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        found = re.search(r"ws://[\d.]+:(\d+)", server.stdout.readline())
        assert found, "the server did not start"
        yield int(found[1]), server.pid
    finally:
        server.terminate()
        server.communicate(timeout=60)


def real(folder: str, tables: int, seats: int) -> list[str]:
    """Return how ``bj-server`` is started, with the bank in a folder."""
    names = [word for n in range(tables) for word in ("--table", f"t{n}")]
    free = ["--max-new-handles", "0", "--max-wrong-tries", "0", "--max-rate", "0"]
    most = ["--max-connections", "5000", "--max-per-address", "5000"]
    where = ["--port", "0", "--bank", folder, "--seats", str(seats)]
    quiet = ["--log-level", "error"]
    return [sys.executable, "-m", "bj_server", *where, *free, *most, *quiet, *names]


def bare(kind: str, trace: Path, seats: int) -> list[str]:
    """Return how a bare server is started."""
    return [sys.executable, str(_BARE), kind, str(trace), str(seats)]


def spent(process: int) -> float:
    """Return the seconds that the threads of a process have had a core."""
    total = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread that has just ended
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def memory(process: int) -> int:
    """Return the KiB of a process that are in memory."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1])


def _journal(folder: str) -> int:
    """Return the bytes of a journal, as they were before segments were packed."""
    sizes = {}
    for path in Path(folder).glob("journal-*"):
        with contextlib.suppress(FileNotFoundError):  # it was packed just now
            content = path.read_bytes()
            is_packed = path.suffix == ".gz"
            size = int.from_bytes(content[-4:], "little") if is_packed else len(content)
            sizes[path.name.removesuffix(".gz")] = size
    return sum(sizes.values())


async def _load(
    port: int,
    process: int,
    shape: tuple[int, int],
    folder: str,
    load: Load,
    secs: float,
) -> Figures:
    tables, seats = shape
    empty = memory(process)
    players = await seats_at(port, load, tables, seats)
    full = memory(process)
    load.go()
    await asyncio.sleep(min(1, secs / 2))
    load.waits.clear()
    rounds, cpu, written = load.rounds, spent(process), _journal(folder)
    began = time.perf_counter()
    await asyncio.sleep(secs)
    seconds = time.perf_counter() - began
    rounds = load.rounds - rounds
    cpu, written = spent(process) - cpu, _journal(folder) - written
    for player in players:
        player.leave()
    parts = quantiles(load.waits, n=100) if len(load.waits) > 1 else [0.0] * 99
    return Figures(
        rounds=rounds / seconds,
        cpu=cpu / max(1, rounds) * 1e6,
        memory=(full - empty) / len(players),
        journal=written / max(1, rounds),
        waits=tuple(1000 * parts[at] for at in (49, 94, 98)),
    )


def measure(
    kind: str, trace: Path, shape: tuple[int, int], secs: float, think: float = 0.0
) -> Figures:
    """Return the figures of a server made anew: ``real``, ``ws`` or ``sansio``.

    ``real-tmpfs`` is the real one with its bank in memory, and ``shape`` the tables
    and the seats at each.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    place = "/dev/shm" if kind == "real-tmpfs" else None
    with (
        tempfile.TemporaryDirectory(dir=place) as folder,
        started(
            real(folder, *shape) if "real" in kind else bare(kind, trace, shape[1])
        ) as (port, process),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        load = Load(think=think)
        return runner.run(_load(port, process, shape, folder, load, secs))


def start_of(tables: int, secs: float) -> tuple[float, float]:
    """Return the seconds until so many tables listen, and the CPU us a round at one."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with (
            started(real(folder, tables, 5)) as (port, process),
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            ready = time.perf_counter() - began
            figures = runner.run(_load(port, process, (1, 5), folder, Load(), secs))
    return ready, figures.cpu


async def _record(port: int, seats: int, rounds: int) -> dict[str, object]:
    """Play one message after the other, and write down what it brings."""
    load = Load(heard=[])
    heard = load.heard
    assert heard is not None
    players: list[Seat] = await seats_at(port, load, 1, seats)
    picture = next(frame for frame in heard if b'"snapshot"' in frame)
    steps: list[tuple[int, list[str]]] = []
    count, read = 0, len(heard)
    while load.rounds <= rounds:
        while not load.held:  # noqa: ASYNC110 - no event would come sooner
            await asyncio.sleep(_QUIET_SECONDS)
        seat, answer = load.held.popleft()
        seat.answer(answer)
        count += 1
        await asyncio.sleep(_QUIET_SECONDS)
        if len(heard) > read:
            steps.append((count, [frame.decode() for frame in heard[read:]]))
            count, read = 0, len(heard)
    for player in players:
        player.leave()
    ends = [at for at, (_, told) in enumerate(steps) if "round_ended" in "".join(told)]
    whole = steps[ends[0] : ends[-1]]
    return {"picture": picture.decode(), "steps": whole}


def record(trace: Path, seats: int, rounds: int) -> None:
    """Write the frames of some rounds of a real table into a file."""
    with (
        tempfile.TemporaryDirectory() as folder,
        started(real(folder, 1, seats)) as (port, _),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        trace.write_text(json.dumps(runner.run(_record(port, seats, rounds))))
