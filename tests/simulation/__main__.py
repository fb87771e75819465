"""Play worlds: ``python -m simulation --seed N --rounds M``, in ``tests/``.

Prints a digest, which is the same for the same seed and rounds; a long run prints one
now and then, and can go on from the seed after the last. If a property does not hold,
it prints the seed, the smallest plan that still breaks it, and what happens there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from simulation.plan import BARE, FLEET, WHOLE
from simulation.run import explain, play_rounds

_AT_ONCE = 10_000
"""Rounds between two lines."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first world")
    parser.add_argument("--rounds", type=int, default=1000, help="in all worlds")
    parser.add_argument(
        "--bare", action="store_true", help="tables without a net, which are faster"
    )
    parser.add_argument("--fleet", action="store_true", help="servers of one fleet")
    given = parser.parse_args()
    kind = FLEET if given.fleet else BARE if given.bare else WHOLE
    seed, left = given.seed, given.rounds
    with tempfile.TemporaryDirectory() as folder:
        while left > 0:
            tally = play_rounds(Path(folder), seed, min(left, _AT_ONCE), kind)
            print(tally, flush=True)
            for broken, failure in tally.failures[:1]:
                print(explain(Path(folder), broken, failure, kind))
                return 1
            seed, left = seed + tally.worlds, left - _AT_ONCE
    return 0


if __name__ == "__main__":
    sys.exit(main())
