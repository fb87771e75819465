"""Measures all of it: the server beside bare ones, its growth, the engine, the start.

    python bench/run.py                 # everything, as in results.md; half an hour
    python bench/run.py --quick shapes  # a part of it, one short run each
    python bench/run.py --check         # the ratios again, beside those of ratios.json

Kinds take turns, and figures are medians, so that what else the machine does is in all
of them. The ratios of one run are what can be compared between machines.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from accounts import cost_of
from engine import ENDLESS, FOUR_DECKS, speeds
from hints import after_ahead, figures, first_sights
from screen import seated
from served import Figures, measure, record, start_of

from bj_server.settings import HOUSES, load_house

_HERE = Path(__file__).parent
RESULTS, RATIOS = _HERE / "results.md", _HERE / "ratios.json"
MARK = "<!-- what follows is written by make bench -->"
ALLOWED = 0.15
"""How much worse a ratio may be than the committed one."""

SHAPES = ((1, 1), (20, 5), (50, 5), (200, 5))
CROWDS = (10, 100, 1000)
TABLES = (1, 20, 200, 2000)
ACCOUNTS = (10, 1_000, 100_000, 1_000_000)
KINDS = ("ws", "sansio", "real")

Rows = list[tuple[object, ...]]


class Bench:
    """One run of the bench: the report, and the ratios."""

    def __init__(self, folder: Path, *, quick: bool) -> None:
        """Keep traces in a folder; a quick run is rough."""
        self._folder, self._quick = folder, quick
        self._times = 1 if quick else 5
        self._secs = 1.0 if quick else 4.0
        self.ratios: dict[str, float] = {}
        """By name, those of which more is better."""
        self.report: list[str] = []

    def shapes(self) -> None:
        """Compare the server with bare ones that move the same frames."""
        rows: Rows = []
        for shape in SHAPES:
            kinds = (*KINDS, "real-tmpfs") if shape == (1, 1) else KINDS
            runs = self._runs(kinds, shape)
            name = f"{shape[0]}x{shape[1]}"
            for kind in kinds:
                speed = {k: [f.rounds for f in runs[k]] for k in kinds}
                parts = [_ratio(speed[kind], speed[bare]) for bare in KINDS[:2]]
                if kind not in KINDS[:2]:
                    for bare, part in zip(KINDS[:2], parts, strict=True):
                        self.ratios[f"{name} {kind}/{bare}"] = part
                cpu, journal = (
                    median(getattr(each, what) for each in runs[kind])
                    for what in ("cpu", "journal")
                )
                rounds = f"{median(speed[kind]):.0f}"
                shares = (f"{part:.2f}" for part in parts)
                rows.append(
                    (name, kind, rounds, f"{cpu:.0f}", *shares, f"{journal:.0f}")
                )
        head = "shape, kind, rounds/s, CPU us a round, of ws, of sansio, journal bytes"
        self._tell("A round", head, rows)

    def crowds(self) -> None:
        """Compare how long players wait who think, and the memory of a seat."""
        rows: Rows = []
        for crowd in CROWDS:
            runs = self._runs(KINDS, (crowd // 5, 5), think=2.0)
            for kind in KINDS:
                waits = [
                    median(each.waits[at] for each in runs[kind]) for at in range(3)
                ]
                room = median(each.memory for each in runs[kind])
                rows.append((crowd, kind, *(f"{w:.2f}" for w in waits), f"{room:.1f}"))
            late = {k: [each.waits[2] for each in runs[k]] for k in KINDS}
            self.ratios[f"p99 {crowd} ws/real"] = _ratio(late["ws"], late["real"])
        head = "seats, kind, p50 ms, p95 ms, p99 ms, KiB a seat"
        self._tell("Players who think for two seconds", head, rows)

    def tables(self) -> None:
        """Tell what many tables cost at the start, and a round at one of them."""
        counts = TABLES[:3] if self._quick else TABLES
        found = [(n, *start_of(n, self._secs)) for n in counts]
        rows = [(n, f"{start:.2f}", f"{cpu:.0f}") for n, start, cpu in found]
        self._tell("Tables", "tables, start s, CPU us a round at one", [*rows])

    def accounts(self) -> None:
        """Tell what many accounts cost."""
        counts = ACCOUNTS[:2] if self._quick else ACCOUNTS
        rows = [(f"{n:,}", *(f"{x:.2f}" for x in cost_of(n))) for n in counts]
        head = "accounts, MiB, start from the journal s, from bank.json s, "
        head += "median absence of the loop ms, longest ms"
        self._tell("Accounts", head, [*rows])

    def engine(self) -> None:
        """Compare the engine with others, in turns."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(self._times):
            for name, speed in speeds(2_000 if self._quick else 20_000):
                found[name].append(speed)
        rows: Rows = []
        for name, speeds_of in found.items():
            own = ENDLESS if name in (ENDLESS, "gymnasium") else FOUR_DECKS
            part = _ratio(found[own], speeds_of)
            rows.append((name, f"{median(speeds_of):.0f}", f"{part:.2f}"))
            if name not in (ENDLESS, FOUR_DECKS):
                self.ratios[f"bj_game/{name}"] = part
        self._tell("The engine", "engine, rounds/s, bj_game of it", rows)

    def starts(self) -> None:
        """Compare the start of commands with the import of asyncio."""
        commands = {
            "import asyncio": ["-c", "import asyncio"],
            "bj-client --help": ["-m", "bj_client", "--help"],
            "bj-server --help": ["-m", "bj_server", "--help"],
            "bj-bank --help": ["-m", "bj_server.bank_cli", "--help"],
            "bj-host --help": ["-m", "bj_server.host_cli", "--help"],
        }
        times: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(3 if self._quick else 9):
            for name, words in commands.items():
                times[name].append(_cpu_of(words))
            with seated((100, 30), 0) as window:
                times["bj-client, first screen"].append(window.spent())
        least = times["import asyncio"]
        for name in times.keys() - {"import asyncio"}:
            self.ratios[f"import asyncio/{name}"] = _ratio(least, times[name])
        rows = [
            (name, f"{1000 * median(took):.0f}", f"{_ratio(took, least):.2f}")
            for name, took in times.items()
        ]
        self._tell("Starts", "command, CPU ms, of asyncio", [*rows])

    def hints(self) -> None:
        """Tell how long hints take the first time, at every shipped house."""
        rows: Rows = []
        for name in HOUSES:
            house = load_house(name)
            rows.append((name, "nothing known", "", *figures(first_sights(house))))
            spent, times = after_ahead(house)
            rows.append((name, "reckoned ahead", f"{spent:.0f}", *figures(times)))
        head = "house, kind, CPU ms ahead, median ms, p90, longest, over 20 ms"
        self._tell("Hints", head, rows)

    def _runs(
        self, kinds: Iterable[str], shape: tuple[int, int], think: float = 0.0
    ) -> dict[str, list[Figures]]:
        trace = self._folder / f"{shape[1]}.json"
        if not trace.exists():
            record(trace, shape[1], 6 if self._quick else 20)
        runs: dict[str, list[Figures]] = {kind: [] for kind in kinds}
        for _ in range(self._times):
            for kind, found in runs.items():
                found.append(measure(kind, trace, shape, self._secs, think))
        return runs

    def _tell(self, title: str, head: str, rows: Rows) -> None:
        names = head.split(", ")
        lines = [f"## {title}", "", _row(names), _row(["---"] * len(names))]
        self.report += [*lines, *map(_row, rows), ""]
        print("\n".join([*lines, *map(_row, rows), ""]), flush=True)


PARTS: dict[str, Callable[[Bench], None]] = {
    "shapes": Bench.shapes,
    "crowds": Bench.crowds,
    "tables": Bench.tables,
    "accounts": Bench.accounts,
    "engine": Bench.engine,
    "starts": Bench.starts,
    "hints": Bench.hints,
}
_COMPARED = ("shapes", "crowds", "engine", "starts")


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _ratio(first: list[float], second: list[float]) -> float:
    """Return the median of the ratios of runs that followed each other."""
    pairs = zip(first, second, strict=True)
    return median(one / other if other else 0.0 for one, other in pairs)


def _cpu_of(words: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def worse(committed: dict[str, float], found: dict[str, float]) -> list[str]:
    """Return a line for each ratio that has fallen by more than is allowed."""
    return [
        f"{name}: {found[name]:.3f} where {ratio:.3f} is committed"
        for name, ratio in committed.items()
        if name in found and found[name] < (1 - ALLOWED) * ratio
    ]


def _write(bench: Bench, *, quick: bool) -> None:
    system = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    how = (
        "one short run of each, so roughly"
        if quick
        else "medians of five runs in turns"
    )
    made = [
        MARK,
        "",
        f"Made on {datetime.now(UTC).date()} on {system}, {how}.",
        "",
    ]
    kept = RESULTS.read_text("utf-8").partition(MARK)[0]
    RESULTS.write_text(kept + "\n".join([*made, *bench.report]).rstrip() + "\n")
    ratios = {name: round(ratio, 3) for name, ratio in bench.ratios.items()}
    RATIOS.write_text(json.dumps(ratios, indent=1, sort_keys=True) + "\n")


def main() -> int:
    """Measure, and write or compare."""
    parser = argparse.ArgumentParser(description="Measure the server and the engine.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="one short run each")
    parser.add_argument("--write", action="store_true", help="write results.md")
    parser.add_argument("--check", action="store_true", help="compare with ratios.json")
    options = parser.parse_args()
    names = options.parts or (_COMPARED if options.check else PARTS)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), quick=options.quick)
        for name in names:
            PARTS[name](bench)
    if options.write:
        _write(bench, quick=options.quick)
    committed = json.loads(RATIOS.read_text()) if options.check else {}
    fallen = worse(committed, bench.ratios)
    print("\n".join(fallen))
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
