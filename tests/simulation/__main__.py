"""Play worlds: ``python -m simulation --seed N --rounds M``, in ``tests/``.

Prints a digest, which is the same for the same seed and rounds; a long run prints one
now and then, and can go on from the seed after the last. If a property does not hold,
it prints the seed, the smallest plan that still breaks it, and what happens there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from simulation.run import ROUNDS, explain, play_rounds

_AT_ONCE = 10_000
"""Rounds between two lines."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first world")
    parser.add_argument(
        "--rounds", type=int, default=1000, help=f"in all, {ROUNDS} a world"
    )
    given = parser.parse_args()
    seed, left = given.seed, given.rounds
    with tempfile.TemporaryDirectory() as folder:
        while left > 0:
            tally = play_rounds(Path(folder), seed, min(left, _AT_ONCE))
            print(tally, flush=True)
            for broken, failure in tally.failures[:1]:
                print(explain(Path(folder), broken, failure))
                return 1
            seed, left = seed + tally.worlds, left - _AT_ONCE
    return 0


if __name__ == "__main__":
    sys.exit(main())
