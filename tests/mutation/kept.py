"""What is kept of earlier runs in ``.mutants/``, as long as it is still true.

All of it is about one state of the folder of the modules and of what its tests share.
The lines that a test comes to are true until its file changes, and so is the death of
each mutant that the test has killed. That a mutant lives is true until a test changes.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from mutation.group import Group
from mutation.overlay import ROOT, Mutant, folder_of
from mutation.reach import Line

_SHARED = ("tests/support", "tests/reference")


class Result(NamedTuple):
    """What became of a mutant, and by which test it died."""

    status: str
    killer: str = ""
    tests: str = ""
    """The digest of the tests that it needs to be true."""


class Reached(NamedTuple):
    """The seconds of a test, and the lines that it comes to."""

    seconds: float
    lines: set[Line]


class Kept:
    """The results and the reach of a group, in its folder."""

    def __init__(self, group: Group) -> None:
        tests = {ROOT / test.partition("::")[0] for test in group.tests}
        self._files = {
            path.relative_to(ROOT).as_posix(): digest_of([path])
            for test in sorted(tests)
            for path in ([test] if test.is_file() else sorted(test.rglob("test_*.py")))
        }
        self._all = digest_of(ROOT / name for name in self._files)
        homes = {path if path.is_dir() else path.parent for path in tests}
        package = ROOT / "server" / group.package
        mutated = {package / Path(pattern).parent for pattern in group.modules}
        sources = [path for folder in mutated for path in folder.glob("*.py")]
        for name in _SHARED:
            sources += (ROOT / name).rglob("*.py")
        beside = [path for home in homes for path in home.rglob("*") if path.is_file()]
        shared = [
            path
            for path in (*sources, *beside)
            if not path.name.startswith("test_") and path.suffix != ".pyc"
        ]
        folder = folder_of(group)
        self._results = folder / f"{digest_of(shared)}.jsonl"
        self._reach = folder / f"{digest_of(shared)}.reach"

    @property
    def is_new(self) -> bool:
        """Whether nothing is kept of this state."""
        return not self._results.exists()

    def put(self, results: Mapping[Mutant, Result]) -> None:
        """Keep what became of some mutants."""
        with self._results.open("a") as file:
            for mutant, result in results.items():
                now = result._replace(tests=self._needed(result))
                file.write(f"{json.dumps([mutant.what, *now])}\n")

    def results(self) -> dict[str, Result]:
        """Return what became of each mutant and is still true, by what it is."""
        return {
            what: result
            for what, result in _read(self._results).items()
            if result.tests == self._needed(result)
        }

    def killers(self) -> dict[str, str]:
        """Return the test that killed each mutant last, in this state or another."""
        paths = sorted(self._results.parent.glob("*.jsonl"), key=_changed_at)
        found = [result for path in paths for result in _read(path).items()]
        return {what: result.killer for what, result in found if result.killer}

    def put_reach(self, test: str, reached: Reached) -> None:
        """Keep which lines a test comes to."""
        by_module: dict[str, list[int]] = defaultdict(list)
        for module, line in sorted(reached.lines):
            by_module[module].append(line)
        digest = self._files.get(_file_of(test), "")
        with self._reach.open("a") as file:
            file.write(f"{json.dumps([test, digest, reached.seconds, by_module])}\n")

    def reach(self) -> dict[str, Reached]:
        """Return which lines each test comes to, of those that are still the same."""
        found = {}
        for text in _lines_of(self._reach):
            test, digest, seconds, by_module = json.loads(text)
            if digest == self._files.get(_file_of(test)):
                lines = {(name, line) for name in by_module for line in by_module[name]}
                found[test] = Reached(seconds, lines)
        return found

    def _needed(self, result: Result) -> str:
        """Return the digest of the tests as they are, on which a result depends."""
        if result.status == MISTYPED:
            return ""
        return self._files.get(_file_of(result.killer), self._all)


MISTYPED = "mistyped"
"""The type checker refuses the mutant, whatever the tests are."""


def digest_of(paths: Iterable[Path]) -> str:
    """Return a digest of some files."""
    digest = hashlib.sha256()
    for path in sorted({*paths}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _read(path: Path) -> dict[str, Result]:
    found = map(json.loads, _lines_of(path))
    return {what: Result(*rest) for what, *rest in found}


def _lines_of(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _changed_at(path: Path) -> float:
    return path.stat().st_mtime
