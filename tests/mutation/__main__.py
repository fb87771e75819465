"""Try mutants: ``python -m mutation rules --seed 1 --minutes 10``.

The sample of a seed is a beginning of all mutants in an order of that seed. What was
tried once is kept in ``.mutants/`` and is not tried again, as long as it is still true.
"""

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

import pytest

from mutation.group import GROUPS, Group
from mutation.kept import MISTYPED, Kept, Result
from mutation.overlay import ROOT, Mutant, folder_of, make_overlay
from mutation.survivor import read_survivors
from mutation.trial import Trial
from mutation.typed import refused

DEAD = (MISTYPED, "killed", "stopped")


def main() -> int:
    """Tell how many mutants die, and which survive; return 1 if too many do."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    group = GROUPS[options.group]
    if group.writes and os.geteuid() == 0:
        parser.error(f"a mutant of the {group.name} may write anywhere: not as root")
    mutants = make_overlay(group)
    random.Random(options.seed).shuffle(mutants)
    kept = Kept(group)
    if kept.is_new:
        kept.put(dict.fromkeys(refused(group, mutants), Result(MISTYPED)))
    if code := run(group, Trial(mutants, kept, options.minutes)):
        return code
    known = kept.results()
    sample = takewhile(lambda mutant: mutant.what in known, mutants)
    tried = {mutant: known[mutant.what].status for mutant in sample}
    print(*report(group, tried, len(mutants)), sep="\n")
    dead = sum(status in DEAD for status in tried.values())
    return int(100 * dead < group.goal * len(tried))


def run(group: Group, trial: Trial) -> int:
    """Run pytest with the packages of the overlay before all others."""
    os.chdir(ROOT)
    sys.path.insert(0, str(folder_of(group)))
    temporary = folder_of(group) / "temporary"
    options = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return pytest.main([*options, f"--basetemp={temporary}", *group.tests], [trial])


def report(group: Group, tried: dict[Mutant, str], of: int) -> Iterator[str]:
    """Tell which mutants live, and how many of each module died."""
    why = {survivor.what: survivor.why for survivor in read_survivors()}
    for mutant, status in sorted(tried.items(), key=lambda each: each[0].what):
        if status not in DEAD:
            yield f"{status}: {mutant.what}\n  {why.get(mutant.what, 'unexplained')}"
    for module in (*sorted({mutant.module for mutant in tried}), ""):
        here = [state for each, state in tried.items() if module in ("", each.module)]
        counts = Counter(here)
        dead = sum(counts[status] for status in DEAD)
        told = ", ".join(f"{count} {each}" for each, count in sorted(counts.items()))
        share = 100 * dead / max(1, len(here))
        yield f"{module or 'in all':28} {share:5.1f} % of {len(here):4} dead: {told}"
    typed = [state for state in tried.values() if state != MISTYPED]
    share = 100 * sum(state in DEAD for state in typed) / max(1, len(typed))
    yield f"{share:.1f} % of the {len(typed)} that the type checker takes are dead"
    yield f"{len(tried)} of {of} tried; the goal is {group.goal} %"


if __name__ == "__main__":
    sys.exit(main())
