"""The form of a line: ``key=value`` for people, or JSON for programs.

A line says when, how grave, what, and then all that is known of where it happened. A
value may be a stranger's, so whatever is no printable character is written as an
escape: nobody can begin a line of their own, or steer a terminal.
"""

import json
import logging
import os
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import TextIO

FIELDS = ("table", "seat", "handle", "line", "round", "code", "address")
"""What a record may know of where it happened, by ``extra``."""

_PRIORITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
    (logging.NOTSET, 7),
)
"""Of syslog(3), by the least level."""

_PLAIN = re.compile(r"[\w.@+:/-]+", re.ASCII)


class _Form(logging.Formatter):
    """A form that leaves some of the fields out."""

    def __init__(self, hidden: Collection[str] = ()) -> None:
        """Write all that is known but what is ``hidden``."""
        super().__init__()
        self._fields = [name for name in FIELDS if name not in hidden]

    def _known(self, record: logging.LogRecord) -> dict[str, object]:
        found = {name: getattr(record, name, None) for name in self._fields}
        return {name: value for name, value in found.items() if value is not None}


class TextForm(_Form):
    """Writes ``TIME LEVEL what table=main handle=ned21``; a traceback is indented."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and those of a traceback if there is one."""
        fields = (
            f"{name}={_value(value)}" for name, value in self._known(record).items()
        )
        what = _printable(record.getMessage())
        first = " ".join((_time(record), record.levelname.lower(), what, *fields))
        rest = [f"  | {_printable(line)}" for line in _trace(self, record).splitlines()]
        return "\n".join((first, *rest))


class JsonForm(_Form):
    """Writes one JSON object a line, of ASCII alone."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        said: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **self._known(record),
        }
        trace = _trace(self, record)
        if trace:
            said["trace"] = trace
        return json.dumps(said, default=str)


class PlainForm(logging.Formatter):
    """Writes what is said, and nothing else."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return record.getMessage()


class JournalForm(logging.Formatter):
    """Puts its priority before each line of another form, for the systemd journal.

    The journal takes ``<3>`` off the line (sd-daemon(3)), so that ``journalctl -p err``
    finds it.
    """

    def __init__(self, form: logging.Formatter) -> None:
        """Write in ``form``."""
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines."""
        priority = next(p for level, p in _PRIORITIES if record.levelno >= level)
        lines = self._form.format(record).split("\n")
        return "\n".join(f"<{priority}>{line}" for line in lines)


def form_of(
    form: str,
    stream: TextIO | int,
    *,
    plain: bool = False,
    hidden: Collection[str] = (),
) -> logging.Formatter:
    """Return how lines are written on a stream: ``text`` or ``json``.

    ``plain`` texts have no time and level of their own; ``hidden`` fields are left out.
    """
    chosen: logging.Formatter = JsonForm(hidden)
    if form != "json":
        chosen = PlainForm() if plain else TextForm(hidden)
    return JournalForm(chosen) if _is_journal(stream) else chosen


def _is_journal(
    stream: TextIO | int, environment: Mapping[str, str] = os.environ
) -> bool:
    """Whether a stream is the one that systemd has connected to its journal."""
    try:
        found = os.fstat(stream if isinstance(stream, int) else stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _trace(form: logging.Formatter, record: logging.LogRecord) -> str:
    return form.formatException(record.exc_info) if record.exc_info else ""


def _value(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
