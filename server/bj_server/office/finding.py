"""Findings: what an audit has found to be wrong, and where."""

from dataclasses import dataclass

from bj_server.bank.line import Line
from bj_server.office.sheet import printable
from bj_server.recall.difference import Difference

MOST_KEPT = 20
"""So many findings are named; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    text: str
    difference: Difference | None = None
    line: Line | None = None


class Findings:
    """The first findings, and the number of all."""

    def __init__(self) -> None:
        """Begin with none."""
        self.count = 0
        self._kept: list[_Finding] = []

    def add(self, difference: Difference, place: str, line: Line | None = None) -> None:
        """Add what is wrong at a place."""
        text = f"{place}: {difference}"
        self._add(_Finding(text=text, difference=difference, line=line))

    def add_sentence(self, sentence: str) -> None:
        """Add what stopped the audit."""
        self._add(_Finding(text=sentence))

    @property
    def lines(self) -> list[str]:
        """The findings for people."""
        lines = [printable(finding.text) for finding in self._kept]
        if self.count > len(self._kept):
            lines.append(f"... and {self.count - len(self._kept):,} more.")
        return lines

    @property
    def fields(self) -> list[dict[str, object]]:
        """The findings for programs."""
        return [_fields(finding) for finding in self._kept]

    def _add(self, finding: _Finding) -> None:
        self.count += 1
        if len(self._kept) < MOST_KEPT:
            self._kept.append(finding)


def _fields(finding: _Finding) -> dict[str, object]:
    line, difference = finding.line, finding.difference
    return {
        "text": finding.text,
        "seq": None if line is None else line.seq,
        "table": None if line is None else line.table,
        "round": None if line is None else line.round,
        "written": None if difference is None else difference.written,
        "due": None if difference is None else difference.due,
    }
