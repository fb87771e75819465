"""Rounds a second of a real server, with clients that have a part in its draws.

    python bench/link.py            # three runs each, in turns, as in results.md
    python bench/link.py --quick    # one short run each

Each run starts ``bj-server`` anew, with one table and one seat, at which every wait for
a link is a wait for the game.
"""

import argparse
import asyncio
import sys
import tempfile
from statistics import median

import uvloop
from table import started
from wire import play

HOUSES = ("cpsc386", "iipp6", "dsc20")


def measure(house: str, rounds: int, *, links: bool) -> float:
    """Return the rounds a second of one run."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", "0", "--bank", folder, "--seats", "1"]
        options += ["--table", f"t0={house}", "--log-level", "warning"]
        command = [sys.executable, "-m", "bj_server", *options]
        loop = uvloop.new_event_loop
        with started(command) as (port, _), asyncio.Runner(loop_factory=loop) as runner:
            seconds, _ = runner.run(play(port, 1, 1, rounds, links=links))
    return rounds / seconds


def main() -> None:
    """Measure every house and print the figures."""
    parser = argparse.ArgumentParser(description="Rounds a second, with links or none.")
    parser.add_argument("--quick", action="store_true", help="one short run each")
    options = parser.parse_args()
    runs, rounds = (1, 200) if options.quick else (3, 2000)
    print("house      without rounds/s   with rounds/s   with/without")
    for house in HOUSES:
        pairs = [
            [measure(house, rounds, links=links) for links in (False, True)]
            for _ in range(runs)
        ]
        without, linked = (median(column) for column in zip(*pairs, strict=True))
        print(f"{house:10} {without:16.0f} {linked:15.0f} {linked / without:14.2f}")


if __name__ == "__main__":
    main()
