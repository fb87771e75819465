"""The trial of mutants: a plugin of pytest that forks for each of them.

All tests are imported and collected once, and run once without any mutant. Then each
mutant has a child, in which it is active and the tests of its function run, until one
fails: the fastest first, and those that have killed many. A mutant that takes far
longer than the tests do is stopped, and counts as killed.
"""

import gc
import json
import mmap
import os
import resource
import signal
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from time import monotonic, process_time

import pytest
from _pytest.runner import runtestprotocol

from mutation.group import Group
from mutation.overlay import Mutant
from mutation.switch import Active

MEMORY = 4 << 30
WALL = 120


class Trial:
    """Runs the tests of a group against its mutants."""

    def __init__(
        self, group: Group, mutants: list[Mutant], kept: Path, minutes: float
    ) -> None:
        """Try ``mutants`` in their order; what is in the file ``kept`` is not tried."""
        self.group = group
        self.mutants = mutants
        self.kept = kept
        self.minutes = minutes
        self.items_of: dict[str, list[pytest.Item]] = defaultdict(list)
        self.seconds: dict[pytest.Item, float] = {}
        self.kills: Counter[pytest.Item] = Counter()
        self.failed = mmap.mmap(-1, 4)
        """In it a child says which of its tests failed."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a mutant, then against each, as long as time is."""
        if session.testsfailed:
            raise session.Failed("some tests cannot be imported")
        for item, after in zip_longest(session.items, session.items[1:]):
            Active.called.clear()
            began = process_time()
            if not passes(item, after):
                raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
            self.seconds[item] = process_time() - began
            for function in Active.called:
                self.items_of[function].append(item)
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
        items = self.items_of.get(mutant.original, [])
        if not items:
            return "not called"
        items.sort(
            key=lambda item: -(self.kills[item] + 0.1) / (self.seconds[item] + 0.05)
        )
        child = os.fork()
        if not child:
            os._exit(self._try_out(mutant, items))
        _, code = os.waitpid(child, 0)
        if os.WIFSIGNALED(code):
            return "stopped"
        if os.WEXITSTATUS(code) == 0:
            return "survived"
        self.kills[items[int.from_bytes(self.failed[:4])]] += 1
        return "killed"

    def _worth(self, item: pytest.Item) -> float:
        """Return how many mutants a second of a test may kill."""
        return (self.kills[item] + 0.1) / (self.seconds[item] + 0.05)

    def _try_out(self, mutant: Mutant, items: list[pytest.Item]) -> int:
        """Return the exit code of a child: 0 if all tests pass."""
        limit = 10 + int(3 * sum(self.seconds[item] for item in items))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(WALL + 10 * limit)
        Active.mutant = mutant.key
        try:
            for number, (item, after) in enumerate(zip_longest(items, items[1:])):
                self.failed[:4] = number.to_bytes(4)
                if not passes(item, after):
                    return 1
            return 0
        except BaseException:  # noqa: BLE001 - whatever it broke, it is killed
            return 1


def passes(item: pytest.Item, after: pytest.Item | None) -> bool:
    """Run one test, and take down what the one after it does not need."""
    reports = runtestprotocol(item, nextitem=after, log=False)
    return not any(report.failed for report in reports)


def keep(kept: Path, results: Mapping[Mutant, str]) -> None:
    """Write down what became of some mutants."""
    with kept.open("a") as file:
        for mutant, status in results.items():
            file.write(f"{json.dumps([mutant.what, status])}\n")


def read_results(kept: Path) -> dict[str, str]:
    """Return what became of each mutant that was tried, by what it is."""
    lines = kept.read_text().splitlines() if kept.exists() else []
    return dict(json.loads(line) for line in lines)
