"""The table of long tests has all of them, and ends within 90 minutes."""

from pathlib import Path

from torture.__main__ import AT_ONCE
from torture.row import rows

ROOT = Path(__file__).parents[2]
_MARK = "mark." + "torture"


def test_every_long_test_is_in_one_row() -> None:
    homes = [test for row in rows() for test in row.tests]
    assert all((ROOT / home).exists() for home in homes)
    for path in (ROOT / "tests").rglob("test_*.py"):
        if _MARK in path.read_text("utf-8"):
            name = path.relative_to(ROOT).as_posix()
            found = [h for h in homes if name == h or name.startswith(f"{h}/")]
            assert len(found) == 1, f"{name} is in {found or 'no row'}"


def test_all_rows_end_within_90_minutes() -> None:
    ends = [0] * AT_ONCE
    for minutes in sorted((row.minutes for row in rows()), reverse=True):
        ends[ends.index(min(ends))] += minutes
    assert max(ends) <= 90
