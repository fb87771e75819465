"""What the full screen costs: the idle client, and how soon a key is on the screen.

    python bench/screen.py            # 20 seconds idle a size, 100 keys, 30 rounds
    python bench/screen.py --quick    # 4 seconds, 20 keys, 5 rounds

A real ``bj-client`` runs in a real pseudo-terminal, at a real server on loopback. Its
processor time is what the kernel counted; a time to the screen ends when the terminal,
which is drawn here, too, shows what the key or the server's answer changes.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import pexpect
import pyte
from served import started

SIZES = ((40, 16), (100, 30), (200, 60))
CLOCKS = (("none", 0), ("30 s", 30), ("9 s", 9))
"""The clocks that run while nobody does anything, and their seconds; 0 for none."""
_AHEAD = 10
"""The seconds after which a client has surely reckoned all hands for its hints."""
STACK = tuple(f"T{suit} 6{suit} 8{suit} K{suit} Q{suit}" for suit in "shdc" * 8)
"""Rounds that are won by standing, as many as a shoe has cards for."""


class Window:
    """A terminal with the client in it."""

    def __init__(self, port: int, home: str, size: tuple[int, int]) -> None:
        """Join the table on ``port``."""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._rows: dict[int, str] = {}
        self._at = 0.0
        command = (
            f"-m bj_client --server 127.0.0.1:{port} --handle ned21 --pace 0 --unproven"
        )
        look = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": home}
        self.child = pexpect.spawn(
            sys.executable,
            command.split(),
            dimensions=size[::-1],
            env={**os.environ, **look},
        )
        self.child.delaybeforesend = None

    def until(self, words: str) -> float:
        """Read until ``words`` are on the screen; return the time then."""
        end = time.perf_counter() + 30
        while not any(words in row for row in self._rows.values()):
            assert time.perf_counter() < end, "\n".join(self._rows.values())
            self.read(0.1)
        return self._at

    def read(self, seconds: float) -> None:
        """Draw what comes within some seconds."""
        try:
            data = self.child.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return
        self._at = time.perf_counter()
        self._stream.feed(data)
        for y in self._screen.dirty:
            row = self._screen.buffer[y]
            self._rows[y] = "".join(row[x].data for x in range(self._screen.columns))
        self._screen.dirty.clear()

    def press(self, keys: str, words: str) -> float:
        """Return the milliseconds from a key to ``words`` on the screen."""
        start = time.perf_counter()
        self.child.send(keys)
        return (self.until(words) - start) * 1000

    def share(self, seconds: float) -> float:
        """Return the share of a processor that the client takes, in percent."""
        before, start = self.spent(), time.perf_counter()
        while (left := start + seconds - time.perf_counter()) > 0:
            self.read(left)
        passed = time.perf_counter() - start
        return (self.spent() - before) / passed * 100

    def spent(self) -> float:
        """Return the seconds of processor that the client has taken so far."""
        threads = Path(f"/proc/{self.child.pid}/task").iterdir()
        stats = [(thread / "schedstat").read_text() for thread in threads]
        return sum(int(stat.split()[0]) for stat in stats) / 1e9


@contextmanager
def seated(size: tuple[int, int], clock: int, *options: str) -> Iterator[Window]:
    """Sit at a table of one's own, whose clock gives so many seconds; 0 for none."""
    seconds = ("--bet-seconds", str(clock)) if clock else ("--no-clock",)
    with tempfile.TemporaryDirectory() as folder:
        where = ("--port", "0", "--bank", f"{folder}/bank", "--log-level", "warning")
        server = [sys.executable, "-m", "bj_server", *where, *seconds, *options]
        with started(server) as (port, _):
            window = Window(port, folder, size)
            try:
                window.until("▶ Bet $1")
                yield window
            finally:
                window.child.close(force=True)


def idle(size: tuple[int, int], clock: int, seconds: float) -> float:
    """Return the share of a processor, in percent, while a bet is waited for."""
    with seated(size, clock) as window:
        window.share(_AHEAD)
        return window.share(min(seconds, clock - 1) if clock else seconds)


def keys(window: Window, count: int) -> list[float]:
    """Return the milliseconds that digits and backspaces take to the screen."""
    times = []
    for _ in range(count // 2):
        times.append(window.press("7", "$7▏"))
        times.append(window.press("\x7f", "$▏"))
    return times


def actions(window: Window, rounds: int) -> list[float]:
    """Return the milliseconds from a bet, a stand and a deal to what comes of it."""
    times = []
    for _ in range(rounds):
        window.press("7", "$7▏")
        times.append(window.press("\r", "it, stand or double?"))
        window.until("▶ Hit")
        times.append(window.press("s", "New deal?"))
        window.until("▶ New deal?")
        times.append(window.press("y", "Bet $1"))
        window.until("▶ Bet $1")
    return times


def row(times: list[float]) -> str:
    """Return the median and the 95th percentile."""
    return f"{median(times):7.1f} {quantiles(times, n=20)[-1]:7.1f}"


def main() -> None:
    """Measure every size and print the figures."""
    parser = argparse.ArgumentParser(description="What the full screen costs.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the work")
    parts = 5 if parser.parse_args().quick else 1
    show_idle(20 / parts)
    show_latency(100 // parts, 30 // parts)


def show_idle(seconds: float) -> None:
    """Print what the client takes of a processor at every size and clock."""
    print("size     idle, % of a core, by clock:", *(name for name, _ in CLOCKS))
    for size in SIZES:
        shares = [idle(size, clock, seconds) for _, clock in CLOCKS]
        print(f"{size[0]:3}x{size[1]:<4}", *(f"{share:7.2f}" for share in shares))


def show_latency(count: int, rounds: int) -> None:
    """Print how long keys and actions take to the screen, at every size."""
    print("size     ms to the screen, median and 95th percentile: keys, actions")
    for size in SIZES:
        stack = ("--stack", " ".join(STACK[:rounds]))
        with seated(size, 600, *stack) as window:
            shown = (keys(window, count), actions(window, rounds))
        print(f"{size[0]:3}x{size[1]:<4}", *map(row, shown))


if __name__ == "__main__":
    main()
