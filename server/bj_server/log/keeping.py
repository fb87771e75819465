"""Keeping a log: for as long as a block lasts, all that is logged is written."""

import contextlib
import logging
import sys
import threading
from collections.abc import Iterator

from bj_server.log.form import form_of
from bj_server.log.writer import LogWriter

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def keeping_log(
    level: str | None, form: str, descriptor: int = 2, *, addresses: bool = True
) -> Iterator[None]:
    """Write what is logged at ``level`` or above in a form, ``text`` or ``json``.

    Where connections come from is written with ``addresses``.

    Without a level it is ``info``, and ``warning`` where a person looks on: on a
    terminal the greeting stays in sight.
    """
    writer = LogWriter(descriptor)
    hidden = () if addresses else ("address",)
    writer.setFormatter(form_of(form, descriptor, hidden=hidden))
    root, library = logging.getLogger(), logging.getLogger("websockets")
    old_levels = root.level, library.level
    root.setLevel((level or _usual_level()).upper())
    # At its errors the library closes a line by a fault, its own or ours, with 1011.
    library.setLevel(logging.WARNING)
    root.addHandler(writer)
    logging.captureWarnings(True)  # those of libraries are lines of the log, too
    old_hook, threading.excepthook = threading.excepthook, _log_thread
    old_unraisable, sys.unraisablehook = sys.unraisablehook, _log_unraisable
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = old_hook, old_unraisable
        logging.captureWarnings(False)
        root.removeHandler(writer)
        writer.close()
        root.setLevel(old_levels[0])
        library.setLevel(old_levels[1])


def _log_thread(failed: threading.ExceptHookArgs) -> None:
    """Log a fault that has ended a thread."""
    if failed.exc_value is not None:
        fault = (failed.exc_type, failed.exc_value, failed.exc_traceback)
        _log.error("a fault of ours ends a thread", exc_info=fault)


def _log_unraisable(failed: "sys.UnraisableHookArgs") -> None:
    """Log a fault that nobody can be told of, as one in a finaliser."""
    if failed.exc_value is not None:
        fault = (failed.exc_type, failed.exc_value, failed.exc_traceback)
        _log.error("a fault of ours is ignored", exc_info=fault)


def _usual_level() -> str:
    is_shown = sys.stderr is not None and sys.stderr.isatty()
    return "warning" if is_shown else "info"
