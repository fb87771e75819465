"""Reports: the findings of a command, and the status that it ends with."""

import contextlib
import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from bj_server.bank_cli.options import Options
from bj_server.standard import passing_line


class Exit(IntEnum):
    """The exit statuses of ``bj-bank``."""

    FINE = 0
    NO_OUTPUT = 1
    """The output could not be written."""
    WRONG_OPTIONS = 2
    """The options are wrong, or name somebody or something that is not in the bank."""
    UNSOUND = 3
    """The bank is damaged, or its audit has found something wrong."""
    NO_BANK = 4
    """There is no bank, or it cannot be used, or a server holds it."""
    INTERRUPTED = 130
    """Ctrl-C."""


class RefusedError(Exception):
    """A command that cannot be carried out; ``str`` is a sentence with the remedy.

    Every command raises it, or a ``BankError`` where the bank cannot be used.
    """

    def __init__(self, sentence: str, status: Exit = Exit.WRONG_OPTIONS) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Lines for standard output, and remarks for standard error."""

    lines: Sequence[str] = ()
    remarks: Sequence[str | None] = ()
    """Sentences; None for one that there was no cause for."""
    status: Exit = Exit.FINE

    @classmethod
    def of(
        cls,
        options: Options,
        fields: object,
        lines: Sequence[str],
        *remarks: str | None,
        status: Exit = Exit.FINE,
    ) -> Self:
        """Report ``lines``, or for programs ``fields``, as the options ask."""
        if options.as_json:
            lines = json.dumps(fields, indent=2).splitlines()
        return cls(lines=lines, remarks=remarks, status=status)


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows of equal length as lines; the columns in ``right`` end alike.

    >>> aligned([("ned21", "$5.00"), ("lia9", "$12.00")], right={1})
    ['ned21   $5.00', 'lia9   $12.00']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


_SECONDS = 0.2
_STEPS = 512
"""The clock is looked at once in so many steps."""


@contextlib.contextmanager
def progress(
    what: str, total: int, *, steps: int = _STEPS
) -> Iterator[Callable[[int], None]]:
    """Give a function that shows how much is done, of ``total`` if that is known.

    It writes over one line of standard error, if that is a terminal, and nothing
    anywhere else, or without a name for ``what`` is done.
    """
    called, next_time = 0, time.monotonic() + _SECONDS
    with passing_line() as show:

        def step(done: int) -> None:
            nonlocal called, next_time
            called += 1
            if not what or called % steps or time.monotonic() < next_time:
                return
            next_time = time.monotonic() + _SECONDS
            part = f" of {total:,} ({min(99, 100 * done // total)} %)" if total else ""
            show(f"bj-bank: {what}: {done:,}{part}")

        yield step
