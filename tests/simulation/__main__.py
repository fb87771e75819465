"""Play worlds: ``python -m simulation --seed N --rounds M``, in ``tests/``.

Prints a digest, which is the same for the same seed and rounds. If a property does not
hold, it prints the seed, what was shrunk to, and all that happened there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from simulation.run import ROUNDS, explain, play_rounds


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first world")
    parser.add_argument(
        "--rounds", type=int, default=1000, help=f"in all, {ROUNDS} a world"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tally = play_rounds(Path(folder), given.seed, given.rounds)
        print(tally)
        for seed, failure in tally.failures[:1]:
            print(explain(Path(folder), seed, failure))
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
