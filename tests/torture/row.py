"""A row of the table of long tests."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """What some long tests show, where they are, and how long they may take."""

    name: str
    goal: str
    tests: tuple[str, ...]
    minutes: int


def rows() -> list[Row]:
    """Return all rows, in the order of their file."""
    text = Path(__file__).with_name("rows.toml").read_text(encoding="utf-8")
    return [
        Row(**{**fields, "tests": tuple(fields["tests"])})
        for fields in tomllib.loads(text)["row"]
    ]
