"""Rounds a second of a real server, beside those of a bare one.

    python bench/table.py            # both shapes, three runs each, as in results.md
    python bench/table.py --quick    # one short run each

Each run starts the bare server and ``bj-server`` anew, plays the same number of rounds
with the same clients, and prints both figures and their ratio; the last line of a shape
has the medians.
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import uvloop
from wire import play

_BARE = Path(__file__).with_name("bare.py")

SHAPES = ((1, 1, 1500), (20, 5, 60))
"""Tables, seats at each, rounds at each."""


@contextmanager
def started(command: list[str]) -> Iterator[tuple[int, int]]:
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
        server.communicate(timeout=20)


def measure(command: list[str], tables: int, seats: int, rounds: int) -> float:
    """Return the rounds a second, of all tables together."""
    loop = uvloop.new_event_loop
    with started(command) as (port, _), asyncio.Runner(loop_factory=loop) as runner:
        seconds, _ = runner.run(play(port, tables, seats, rounds))
    return tables * rounds / seconds


def real_command(folder: str, tables: int, seats: int) -> list[str]:
    """Return how ``bj-server`` is started for this shape."""
    names = [word for n in range(tables) for word in ("--table", f"t{n}")]
    options = ["--port", "0", "--bank", folder, "--seats", str(seats), *names]
    return [sys.executable, "-m", "bj_server", "--log-level", "warning", *options]


def compare(tables: int, seats: int, rounds: int) -> tuple[float, float]:
    """Return the rounds a second of the bare and of the real server, one run each."""
    bare = measure([sys.executable, str(_BARE), str(seats)], tables, seats, rounds)
    with tempfile.TemporaryDirectory() as folder:
        real = measure(real_command(folder, tables, seats), tables, seats, rounds)
    return bare, real


def main() -> None:
    """Measure every shape and print the figures."""
    parser = argparse.ArgumentParser(description="Rounds a second, real against bare.")
    parser.add_argument("--quick", action="store_true", help="one short run a shape")
    options = parser.parse_args()
    print("tables x seats   bare rounds/s   real rounds/s   real/bare")
    for tables, seats, rounds in SHAPES:
        runs = 1 if options.quick else 3
        size = max(10, rounds // 10) if options.quick else rounds
        figures = [compare(tables, seats, size) for _ in range(runs)]
        bare, real = (median(column) for column in zip(*figures, strict=True))
        ratio = median(real / bare for bare, real in figures)
        print(f"{tables:6} x {seats:<5} {bare:15.0f} {real:15.0f} {ratio:11.2f}")


if __name__ == "__main__":
    main()
