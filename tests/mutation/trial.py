"""The trial of mutants: a plugin of pytest that forks for each of them.

All tests are imported and collected once, and run once without any mutant, to see which
lines each of them comes to. Then each mutant has a child, in which it is active and the
tests of its lines run, until one fails: the fastest first, and those that have killed
many. What takes a child far longer than the tests do stops it, and counts as a kill.

The test that killed a mutant is written down, and is the first one when it is tried
again, after a change.
"""

import functools
import gc
import mmap
import os
import resource
import signal
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from time import monotonic, process_time
from typing import Any, cast

import pytest
from _pytest.runner import runtestprotocol

from mutation.kept import Kept, Reached, Result
from mutation.overlay import ROOT, Mutant
from mutation.reach import Line, Reach
from mutation.switch import Active

Cached = functools._lru_cache_wrapper

MEMORY = 4 << 30
SECONDS = 60
"""What a child may take of the clock."""
PATIENCE = 10
"""How many times as long as without a mutant a test may take of the processor, and two
seconds more."""
ENOUGH = 6
"""The seconds of tests that a child runs: so many fewer that only a mutant can take
longer than it may, on a machine that has others to serve."""


class Trial:
    """Runs the tests of a group against its mutants."""

    def __init__(self, mutants: Sequence[Mutant], kept: Kept, minutes: float) -> None:
        """Try ``mutants`` in their order, those of which no result is kept."""
        self.mutants = mutants
        self.kept = kept
        self.minutes = minutes
        self.killers = kept.killers()
        self.items_at: dict[Line, list[pytest.Item]] = defaultdict(list)
        self.seconds: dict[pytest.Item, float] = {}
        self.kills: Counter[tuple[str, pytest.Item]] = Counter()
        self.failed = mmap.mmap(-1, 4)
        """In it a child says which of its tests failed."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Have examples drawn in one order, and the first that fails be the last."""
        import hypothesis  # pytest rewrites it before it may be imported

        hypothesis.settings.register_profile(
            "mutants",
            parent=hypothesis.settings.get_profile("tests"),
            phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
            derandomize=True,
            database=None,
        )
        hypothesis.settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a mutant, then against each, as long as time is."""
        if session.testsfailed:
            raise session.Failed("some tests cannot be imported")
        gc.unfreeze()  # what is frozen is not found
        end = monotonic() + self.minutes * 60
        caches, known = [*caches_of_ours()], self.kept.reach()
        for item in session.items:
            forget(caches)
            reached = known.get(item.nodeid) or self._measure(item)
            self.seconds[item] = reached.seconds
            for line in reached.lines:
                self.items_at[line].append(item)
        forget(caches)
        gc.freeze()  # a child that collects would copy all there is
        results = self.kept.results()
        for mutant in self.mutants:
            if monotonic() > end:
                break
            if mutant.what not in results:
                self.kept.put({mutant: self.result_of(mutant)})
        return True

    def _measure(self, item: pytest.Item) -> Reached:
        """Run a test without any mutant, and see which lines it comes to."""
        began = process_time()
        with Reach().watched() as lines:
            is_good = passes(item)
        if not is_good:
            raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
        reached = Reached(process_time() - began, lines)
        self.kept.put_reach(item.nodeid, reached)
        return reached

    def result_of(self, mutant: Mutant) -> Result:
        """Return what became of a mutant."""
        items = [*self._chosen(mutant)]
        if not items:
            return Result("not reached")
        child = os.fork()
        if not child:
            os._exit(self._try_out(mutant, items))
        _, code = os.waitpid(child, 0)
        if os.WIFSIGNALED(code):
            return Result("stopped")
        if os.WEXITSTATUS(code) == 0:
            return Result("survived")
        killer = items[int.from_bytes(self.failed[:4])]
        self.kills["", killer] += 1
        self.kills[mutant.function, killer] += 1
        return Result("killed", killer.nodeid)

    def _chosen(self, mutant: Mutant) -> Iterator[pytest.Item]:
        """Go through the tests of a mutant, as many as a child has time for."""
        lines = ((mutant.module, line) for line in mutant.lines)
        items = dict.fromkeys(item for line in lines for item in self.items_at[line])
        seconds = 0.0
        last = self.killers.get(mutant.what)
        for item in sorted(
            items, key=lambda item: (item.nodeid != last, -self._worth(mutant, item))
        ):
            if not seconds or seconds + self.seconds[item] <= ENOUGH:
                seconds += self.seconds[item]
                yield item

    def _worth(self, mutant: Mutant, item: pytest.Item) -> float:
        """Return how many mutants a second of a test may kill."""
        kills = self.kills["", item] + 5 * self.kills[mutant.function, item]
        return (kills + 0.1) / (self.seconds[item] + 0.02)

    def _try_out(self, mutant: Mutant, items: list[pytest.Item]) -> int:
        """Return the exit code of a child: 0 if all tests pass."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        Active.mutant = mutant.key
        try:
            for number, item in enumerate(items):
                self.failed[:4] = number.to_bytes(4)
                end = ceil(process_time() + 2 + PATIENCE * self.seconds[item])
                resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
                if not passes(item):
                    return 1
            return 0
        except BaseException:  # noqa: BLE001 - whatever it broke, it is killed
            return 1


def passes(item: pytest.Item) -> bool:
    """Run one test, and take down what only it and its module need."""
    next_item = cast("pytest.Item", item.session)  # what is the session's stays
    reports = runtestprotocol(item, nextitem=next_item, log=False)
    return not any(report.failed for report in reports)


def caches_of_ours() -> Iterator["Cached[Any]"]:
    """Go through the cached functions of tests and product."""
    for found in gc.get_objects():
        if isinstance(found, Cached):
            code = getattr(found.__wrapped__, "__code__", None)
            if code and Path(code.co_filename).is_relative_to(ROOT):
                yield found


def forget(caches: Iterable["Cached[Any]"]) -> None:
    """Empty caches: a test does not come to lines, nor a mutant, that are cached."""
    for cached in caches:
        cached.cache_clear()
