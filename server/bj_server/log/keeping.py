"""Keeping a log: for as long as a block lasts, all that is logged is written."""

import contextlib
import logging
import sys
from collections.abc import Iterator

from bj_server.log.form import JsonForm, TextForm
from bj_server.log.writer import LogWriter

__all__ = ["keeping_log"]


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
    writer.setFormatter(JsonForm(hidden) if form == "json" else TextForm(hidden))
    root, library = logging.getLogger(), logging.getLogger("websockets")
    old_levels = root.level, library.level
    root.setLevel((level or _usual_level()).upper())
    # At its errors the library closes a line by a fault, its own or ours, with 1011.
    library.setLevel(logging.WARNING)
    root.addHandler(writer)
    try:
        yield
    finally:
        root.removeHandler(writer)
        writer.close()
        root.setLevel(old_levels[0])
        library.setLevel(old_levels[1])


def _usual_level() -> str:
    is_shown = sys.stderr is not None and sys.stderr.isatty()
    return "warning" if is_shown else "info"
