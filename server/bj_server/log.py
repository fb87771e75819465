"""The form of a line: ``key=value`` for people, or JSON for programs.

A line has the time, the level, the message, and then the known fields: table, handle
and so on. A value may be a stranger's, so a character that does not print is written
as an escape: nobody can begin a line of their own, or steer a terminal.
"""

import asyncio
import contextlib
import json
import logging
import os
import queue
import re
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, TextIO

from bj_server.bank.disk import write_all
from bj_server.bank.move import stamp
from bj_server.gauges import Gauges
from bj_server.standard import printable, write_text

FIELDS = ("table", "seat", "handle", "line", "round", "code", "address")
"""The fields that a record may have, by ``extra``."""

_PRIORITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
    (logging.NOTSET, 7),
)
"""Of syslog(3), by the least level."""

_PLAIN = re.compile(r"[\w.@+:/-]+", re.ASCII)


class TextForm(logging.Formatter):
    """Writes ``TIME LEVEL what table=main handle=ned21``; a traceback is indented."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and those of a traceback if there is one."""
        fields = (f"{name}={_value(value)}" for name, value in _known(record).items())
        what = printable(record.getMessage())
        first = " ".join((_time(record), record.levelname.lower(), what, *fields))
        rest = [f"  | {printable(line)}" for line in _trace(self, record).splitlines()]
        return "\n".join((first, *rest))


class JsonForm(logging.Formatter):
    """Writes one JSON object a line, of ASCII alone."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        said: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_known(record),
        }
        trace = _trace(self, record)
        if trace:
            said["trace"] = trace
        return json.dumps(said, default=str)


class JournalForm(logging.Formatter):
    """Puts its priority before each line of another form, for the systemd journal.

    The journal takes ``<3>`` off the line (sd-daemon(3)), so that ``journalctl -p err``
    finds it.
    """

    def __init__(self, form: logging.Formatter) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines."""
        priority = next(p for level, p in _PRIORITIES if record.levelno >= level)
        lines = self._form.format(record).split("\n")
        return "\n".join(f"<{priority}>{line}" for line in lines)


def form_of(
    form: str, stream: TextIO | int, *, plain: bool = False
) -> logging.Formatter:
    """Return how lines are written on a stream: ``text`` or ``json``.

    ``plain`` texts have no time and level of their own.
    """
    chosen: logging.Formatter = JsonForm()
    if form != "json":
        chosen = logging.Formatter() if plain else TextForm()
    return JournalForm(chosen) if _is_journal(stream) else chosen


def _is_journal(stream: TextIO | int) -> bool:
    """Whether a stream is the one that systemd has connected to its journal."""
    try:
        found = os.fstat(stream if isinstance(stream, int) else stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def _known(record: logging.LogRecord) -> dict[str, object]:
    found = {name: getattr(record, name, None) for name in FIELDS}
    return {name: value for name, value in found.items() if value is not None}


def _time(record: logging.LogRecord) -> str:
    return stamp(datetime.fromtimestamp(record.created, UTC))


def _trace(form: logging.Formatter, record: logging.LogRecord) -> str:
    return form.formatException(record.exc_info) if record.exc_info else ""


def _value(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _record(name: str, level: int, text: str) -> logging.LogRecord:
    return logging.LogRecord(name, level, "", 0, text, None, None)


_MOST_WAITING = 2000
_LAST_SECONDS = 0.5


class LogWriter(logging.Handler):
    """Writes to a file descriptor, each record by one call of the system."""

    def __init__(self, descriptor: int = 2, most_waiting: int = _MOST_WAITING) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(most_waiting)
        self._dropped = 0
        self._is_closed = False
        self._thread = threading.Thread(target=self._serve, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record; a record that cannot be written is no reason to stop."""
        try:
            line = self.format(record)
        except Exception as error:  # noqa: BLE001 - of whatever a caller passed in
            kind = type(error).__name__
            line = self._own(f"a log line could not be formed: {kind}")
        try:
            if self._dropped:
                lines = "line was" if self._dropped == 1 else "lines were"
                said = self._own(f"{self._dropped} log {lines} dropped")
                self._lines.put_nowait(said)
                self._dropped = 0
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1

    def _own(self, text: str) -> str:
        """Return a line about the log itself, in its form."""
        return self.format(_record(__name__, logging.WARNING, text))

    def close(self) -> None:
        """Write the queued lines, as far as that goes within a second."""
        if self._is_closed:
            return
        self._is_closed = True
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=_LAST_SECONDS)
        if self._thread.is_alive():  # it was never started if Ctrl-C came first
            self._thread.join(_LAST_SECONDS)
        super().close()

    def _serve(self) -> None:
        while (line := self._lines.get()) is not None:
            # If this fails there is no place to say so.
            with contextlib.suppress(OSError):
                write_all(self._descriptor, line.encode(errors="replace") + b"\n")


_NAME = "bj_server.command"


class Voice:
    """Speaks on the standard streams; nobody has to be there to listen.

    A terminal that is stopped by Ctrl-S takes nothing for hours, and no table waits for
    it: what is said is written by a thread.
    """

    def __init__(self, form: str = "text", output: int = 1) -> None:
        self.is_json = form == "json"
        self._form = form
        self._output = LogWriter(output)
        self._output.setFormatter(form_of(form, output, plain=True))

    def say(self, line: str) -> None:
        """Say something on standard output."""
        self._output.emit(_record(_NAME, logging.INFO, line))

    def complain(self, sentence: str) -> None:
        """Say something that is wrong on standard error."""
        text = sentence if self.is_json else f"bj-server: {sentence}"
        form = form_of(self._form, sys.stderr, plain=True)
        line = form.format(_record(_NAME, logging.ERROR, text)) + "\n"
        with contextlib.suppress(OSError):  # tables go on without anyone who reads it
            write_text(sys.stderr, line)

    def close(self) -> None:
        """Write what was said, as far as that goes within a second."""
        self._output.close()


_log = logging.getLogger(__name__)


@contextlib.contextmanager
def keeping_log(
    level: str | None, form: str, descriptor: int = 2, *, addresses: bool = True
) -> Iterator[None]:
    """Write what is logged at ``level`` or above in a form, ``text`` or ``json``.

    Without a level it is ``info``, and ``warning`` where a person looks on: on a
    terminal the greeting stays in sight.
    """
    writer = LogWriter(descriptor)
    writer.setFormatter(form_of(form, descriptor))
    if not addresses:
        writer.addFilter(_hide_address)
    root, library = logging.getLogger(), logging.getLogger("websockets")
    old_levels = root.level, library.level
    is_shown = sys.stderr is not None and sys.stderr.isatty()
    root.setLevel((level or ("warning" if is_shown else "info")).upper())
    # At its errors the library closes a line by a fault, its own or ours, with 1011.
    library.setLevel(logging.WARNING)
    root.addHandler(writer)
    logging.captureWarnings(True)  # those of libraries are lines of the log, too
    hooks = threading.excepthook, sys.unraisablehook
    threading.excepthook = partial(_log_fault, "a fault of ours ends a thread")
    sys.unraisablehook = partial(_log_fault, "a fault of ours is ignored")
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = hooks
        logging.captureWarnings(False)
        root.removeHandler(writer)
        writer.close()
        root.setLevel(old_levels[0])
        library.setLevel(old_levels[1])


def _hide_address(record: logging.LogRecord) -> bool:
    """Take the address off a record, which passes."""
    vars(record).pop("address", None)
    return True


def _log_fault(
    what: str, failed: "threading.ExceptHookArgs | sys.UnraisableHookArgs"
) -> None:
    """Log a fault that has ended a thread, or that nobody can be told of."""
    if failed.exc_value is not None:
        fault = (type(failed.exc_value), failed.exc_value, failed.exc_traceback)
        _log.error(what, exc_info=fault)


def catch_strays(loop: asyncio.AbstractEventLoop, gauges: Gauges) -> None:
    """Have the stray errors of ``loop`` logged with its traceback, and counted."""

    def catch(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        gauges.failed("loop")
        _log.error("%s", context["message"], exc_info=context.get("exception"))

    loop.set_exception_handler(catch)
