"""The trial of mutants: a plugin of pytest that forks for each of them.

All tests are imported and collected once, and run once without any mutant, to see which
lines each of them comes to. Then each mutant has a child, in which it is active and the
tests of its lines run, until one fails: the fastest first, and those that have killed
many. What takes a child far longer than the tests do stops it, and counts as a kill.
"""

import functools
import gc
import json
import mmap
import os
import resource
import signal
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic, process_time
from typing import Any, cast

import pytest
from _pytest.runner import runtestprotocol

from mutation.overlay import ROOT, Mutant
from mutation.reach import Line, Reach
from mutation.switch import Active

Cached = functools._lru_cache_wrapper

MEMORY = 4 << 30
SECONDS = 20
"""What a child may take of the processor, and of the clock."""
ENOUGH = 3
"""The seconds of tests that a child runs: so many fewer that only a mutant can take
longer than it may, on a machine that has others to serve."""


class Trial:
    """Runs the tests of a group against its mutants."""

    def __init__(self, mutants: Sequence[Mutant], kept: Path, minutes: float) -> None:
        """Try ``mutants`` in their order; what is in the file ``kept`` is not tried."""
        self.mutants = mutants
        self.kept = kept
        self.minutes = minutes
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
        reach, caches = Reach(), [*caches_of_ours()]
        for item in session.items:
            forget(caches)
            began = process_time()
            with reach.watched() as lines:
                is_good = passes(item)
            if not is_good:
                raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
            self.seconds[item] = process_time() - began
            for line in lines:
                self.items_at[line].append(item)
        forget(caches)
        gc.freeze()  # a child that collects would copy all there is
        known = read_results(self.kept)
        end = monotonic() + self.minutes * 60
        for mutant in self.mutants:
            if monotonic() > end:
                break
            if mutant.what not in known:
                keep(self.kept, {mutant: self.status_of(mutant)})
        return True

    def status_of(self, mutant: Mutant) -> str:
        """Return what became of a mutant."""
        items = [*self._chosen(mutant)]
        if not items:
            return "not reached"
        child = os.fork()
        if not child:
            os._exit(self._try_out(mutant, items))
        _, code = os.waitpid(child, 0)
        if os.WIFSIGNALED(code):
            return "stopped"
        if os.WEXITSTATUS(code) == 0:
            return "survived"
        killer = items[int.from_bytes(self.failed[:4])]
        self.kills["", killer] += 1
        self.kills[mutant.function, killer] += 1
        return "killed"

    def _chosen(self, mutant: Mutant) -> Iterator[pytest.Item]:
        """Go through the tests of a mutant, as many as a child has time for."""
        lines = ((mutant.module, line) for line in mutant.lines)
        items = dict.fromkeys(item for line in lines for item in self.items_at[line])
        seconds = 0.0
        for item in sorted(items, key=lambda item: -self._worth(mutant, item)):
            if not seconds or seconds + self.seconds[item] <= ENOUGH:
                seconds += self.seconds[item]
                yield item

    def _worth(self, mutant: Mutant, item: pytest.Item) -> float:
        """Return how many mutants a second of a test may kill."""
        kills = self.kills["", item] + 5 * self.kills[mutant.function, item]
        return (kills + 0.1) / (self.seconds[item] + 0.02)

    def _try_out(self, mutant: Mutant, items: list[pytest.Item]) -> int:
        """Return the exit code of a child: 0 if all tests pass."""
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        Active.mutant = mutant.key
        try:
            for number, item in enumerate(items):
                self.failed[:4] = number.to_bytes(4)
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


def keep(kept: Path, results: Mapping[Mutant, str]) -> None:
    """Write down what became of some mutants."""
    with kept.open("a") as file:
        for mutant, status in results.items():
            file.write(f"{json.dumps([mutant.what, status])}\n")


def read_results(kept: Path) -> dict[str, str]:
    """Return what became of each mutant that was tried, by what it is."""
    lines = kept.read_text().splitlines() if kept.exists() else []
    return dict(json.loads(line) for line in lines)
