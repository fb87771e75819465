"""Differences: the places where the journal says other things than it must."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bj_game.money import in_dollars
from bj_server.bank.line import Line
from bj_server.bank.move import Entry, Kind

_LONGEST = 200


class DifferenceError(Exception):
    """Something that is wrong; ``str`` is a sentence.

    It is raised where code that meets it cannot go on, and listed where it can.
    """

    def __init__(
        self, what: str, written: str | None = None, due: str | None = None
    ) -> None:
        super().__init__(what, written, due)
        self.what = what
        """The thing that differs, or a whole sentence if nothing is compared."""
        self.written = written
        """The text of the journal."""
        self.due = due
        """The text that is due."""

    def __str__(self) -> str:
        if self.written is None:
            return f"{self.what}."
        written, due = self.written[:_LONGEST], str(self.due)[:_LONGEST]
        return f"{self.what} is {written}, and should be {due}."


class Position:
    """The place of the last line in the journal's files."""

    def __init__(self, first: int = 1) -> None:
        self._segment = first - 1
        self._first = 1
        self._line: Line | None = None

    def follow(self, line: Line) -> None:
        """Go to a line; each segment begins with one of kind ``journal``."""
        self._line = line
        if line.kind == Kind.JOURNAL:
            self._segment += 1
            self._first = line.seq

    @property
    def seq(self) -> int:
        """The number of the line, 0 before the first."""
        return 0 if self._line is None else self._line.seq

    def __str__(self) -> str:
        number = self.seq - self._first + 1
        text = f"journal-{self._segment:06}, line {number} (seq {self.seq})"
        line = self._line
        if line is not None and line.round is not None:
            text += f", round {line.table}/{line.round}"
        return text


def compare_entries(what: str, written: Sequence[Entry], due: Sequence[Entry]) -> None:
    """Compare the money of a line with what must have moved."""
    for index in range(max(len(written), len(due))):
        has, should = _nth(written, index), _nth(due, index)
        if has != should:
            raise DifferenceError(
                f"Entry {index + 1} of {what}", _entry(has), _entry(should)
            )


def compare_fields(what: str, written: object, due: Mapping[str, object]) -> None:
    """Compare an object of a record with the one that is due."""
    if written == due:
        return
    fields: dict[Any, Any] = dict(written) if isinstance(written, Mapping) else {}
    names = [n for n in {**fields, **due} if fields.get(n) != due.get(n)]
    has = {name: fields[name] for name in names if name in fields}
    raise DifferenceError(
        what, _json(has), _json({n: due[n] for n in names if n in due})
    )


def _nth(entries: Sequence[Entry], index: int) -> Entry | None:
    return entries[index] if index < len(entries) else None


def _entry(entry: Entry | None) -> str:
    if entry is None:
        return "nothing"
    moves = [
        f"{in_dollars(move.amount)} from {move.source} to {move.target}"
        for move in entry.moves
    ]
    return f"{entry.reason.words}, {' and '.join(moves) or 'of nothing'}"


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value) if value else "nothing"
