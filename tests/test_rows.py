"""Every row of the feature list has tests that bear its name."""

import re
from pathlib import Path

import pytest

ROWS = {"cpsc386": 15, "cs220": 7, "dsc20": 8, "iipp6": 4, "cs1114": 4}
"""How many rows the list has for each of the published texts."""

HERE = Path(__file__).parent
_named = re.compile(r"^\s*(?:async )?def test_([a-z0-9]+)_(\d+)_", re.MULTILINE)


def rows_with_tests() -> set[tuple[str, str]]:
    """Return section and number, as written, of every test that is named so."""
    files = HERE.rglob("test_*.py")
    return {row for file in files for row in _named.findall(file.read_text("utf-8"))}


@pytest.mark.parametrize("section", ROWS)
def test_every_row_has_a_test_and_no_test_a_row_that_is_not_there(section: str) -> None:
    rows = {f"{number:02}" for number in range(1, ROWS[section] + 1)}
    assert {number for named, number in rows_with_tests() if named == section} == rows
