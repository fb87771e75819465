"""What a part in the draw costs the server: its processor time a round.

    python bench/draw.py            # nine runs of each kind, as in results.md
    python bench/draw.py --quick    # one short run each

Each run starts ``bj-server`` anew, with one table of five seats, and plays rounds with
clients of this process. What is measured is the processor time of all threads of the
server's process, as the kernel counts it. The kinds take turns, so that what else the
machine does is in all of them.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path
from statistics import median

import uvloop
import wire
from table import real_command, started

SEATS = 5
KINDS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "no proof": (False, ("--no-proof",)),
    "no links": (False, ()),
    "links": (True, ()),
}
"""Whether the clients have links, and the options of the server."""


def spent(process: int) -> float:
    """Return the seconds that the threads of a process have had a core."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    times = [(task / "schedstat").read_text().split()[0] for task in tasks]
    return sum(int(time) for time in times) / 1e9


async def _play(port: int, process: int, rounds: int, *, links: bool) -> float:
    """Return the microseconds of a round, with a part of those of the joins."""
    before = spent(process)
    await wire.play(port, 1, SEATS, rounds, links=links)
    return (spent(process) - before) / rounds * 1e6


def measure(kind: str, rounds: int) -> float:
    """Return the microseconds of a round, of a server made anew."""
    links, words = KINDS[kind]
    with (
        tempfile.TemporaryDirectory() as folder,
        started([*real_command(folder, 1, SEATS), *words]) as (port, process),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(_play(port, process, rounds, links=links))


def main() -> None:
    """Measure every kind and print the figures."""
    parser = argparse.ArgumentParser(description="What a part in the draw costs.")
    parser.add_argument("--quick", action="store_true", help="one short run each")
    options = parser.parse_args()
    times, rounds = (1, 40) if options.quick else (9, 200)
    runs = [{kind: measure(kind, rounds) for kind in KINDS} for _ in range(times)]
    print("kind       microseconds a round: least   median")
    for kind in KINDS:
        figures = [run[kind] for run in runs]
        print(f"{kind:10} {min(figures):28.0f} {median(figures):8.0f}")
    for kind in ("no proof", "no links"):
        more = median(run["links"] - run[kind] for run in runs)
        ratio = median(run["links"] / run[kind] for run in runs)
        print(f"links over {kind}, medians of the runs: {more:+.0f} us, {ratio:.3f}")


if __name__ == "__main__":
    main()
