"""Run the long tests as one table: each figure, its goal, its result, its minutes.

``make torture`` runs all rows of ``rows.toml``, three at a time, the longest first, and
``make torture ROW=bank`` one. A row that takes longer than it may is ended, and fails.
What its tests print is kept in ``build/torture/``.
"""

import argparse
import asyncio
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from torture.row import Row, rows

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "torture"
AT_ONCE = 3
"""Rows that run at a time: some wait for the most part, so two cores have room."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a row."""

    row: Row
    word: str
    minutes: float

    def __str__(self) -> str:
        row = self.row
        return f"{row.name:<10} {self.minutes:>4.0f}/{row.minutes:<3} {self.word}"


async def run(row: Row, turn: asyncio.Semaphore) -> Result:
    """Run the tests of a row, and tell how they ended."""
    command = ("-m", "pytest", "-q", "-s", "-n", "0", "-m", "torture", *row.tests)
    async with turn:
        began = time.monotonic()
        with (KEPT / f"{row.name}.log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, cwd=ROOT, stdout=log, stderr=log
            )
            try:
                async with asyncio.timeout(60 * row.minutes):
                    status = await process.wait()
            except TimeoutError:
                word = "takes too long"
            else:
                word = "holds" if status == 0 else "FAILS"
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        result = Result(row, word, (time.monotonic() - began) / 60)
        print(f"{result}   {row.goal}", flush=True)
        return result


async def run_all(chosen: list[Row]) -> list[Result]:
    turn = asyncio.Semaphore(AT_ONCE)
    longest = sorted(chosen, key=lambda row: -row.minutes)
    return await asyncio.gather(*(run(row, turn) for row in longest))


def main() -> int:
    known = rows()
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    names = [row.name for row in known]
    parser.add_argument("row", nargs="*", help=", ".join(names))
    wanted = parser.parse_args().row or names
    unknown = [name for name in wanted if name not in names]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; there is {', '.join(names)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    results = asyncio.run(run_all([row for row in known if row.name in wanted]))
    broken = [result.row.name for result in results if result.word != "holds"]
    for name in broken:
        print(f"see {KEPT / name}.log")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
