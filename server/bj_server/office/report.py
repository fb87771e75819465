"""Reports: what a command found out, and the status that it ends with."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


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


class Refused(Exception):
    """What was asked for cannot be given; ``str`` is a sentence with the remedy."""

    def __init__(self, status: Exit, sentence: str) -> None:
        """Keep the status and the sentence."""
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Lines for standard output, and remarks for standard error."""

    lines: Sequence[str] = ()
    remarks: Sequence[str | None] = ()
    """Sentences; None for one that there was no cause for."""
    status: Exit = Exit.FINE


def as_json(value: object) -> list[str]:
    """Return a value as the lines of a report: JSON, in ASCII, two spaces a level."""
    return json.dumps(value, indent=2).splitlines()
