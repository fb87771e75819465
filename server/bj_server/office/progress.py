"""Progress: how far long work has come, for whoever waits at a terminal."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from bj_server.bank.line import Line
from bj_server.bank.reader import Visit

_SECONDS = 0.2
_STEPS = 512
"""The clock is looked at once in so many steps."""


@contextlib.contextmanager
def progress(
    what: str, total: int, *, steps: int = _STEPS
) -> Iterator[Callable[[int], None]]:
    """Give what is to be called with how much is done, of ``total`` if that is known.

    It writes over one line of standard error, if that is a terminal, and nothing
    anywhere else.
    """
    stream, called, next_time = sys.stderr, 0, time.monotonic() + _SECONDS
    is_shown = stream is not None and stream.isatty()

    def step(done: int) -> None:
        nonlocal called, next_time
        called += 1
        if not is_shown or called % steps or time.monotonic() < next_time:
            return
        next_time = time.monotonic() + _SECONDS
        part = f" of {total:,} ({min(99, 100 * done // total)} %)" if total else ""
        with contextlib.suppress(OSError):
            stream.write(f"\r\x1b[Kbj-bank: {what}: {done:,}{part}")
            stream.flush()

    try:
        yield step
    finally:
        if is_shown:
            with contextlib.suppress(OSError):
                stream.write("\r\x1b[K")
                stream.flush()


def stepping(visit: Visit, step: Callable[[int], None]) -> Visit:
    """Return what tells ``step`` of each line before it is shown to ``visit``."""

    def visited(line: Line) -> None:
        step(line.seq)
        visit(line)

    return visited
