"""The standard streams: a command ends as its exit codes say, with any of them.

A stream may be a terminal, a pipe, a file, ``/dev/null``, full, closed, or read by
nobody any more. None of that is a fault.
"""

import asyncio
import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TextIO

from bj_protocol.option import unknown_variables

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
_CHUNK = 4096


def fill_standard_streams() -> None:
    """Open the standard streams that are closed on nothing.

    The next files that a command opens would have their numbers otherwise, and log
    lines would go into the journal.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def write_text(stream: TextIO, text: str) -> None:
    """Write to a standard stream; nobody has to be there to read it.

    Characters that its encoding lacks are written as escapes.

    Raises:
        OSError: if it is written to a file or device that does not take it.
    """
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        forget(stream)
    except OSError:
        forget(stream)
        raise


def printable(text: str) -> str:
    r"""Return text in which all that could steer a terminal is written out.

    >>> printable("a\x1b[2J")
    'a\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def complain(command: str, sentence: str) -> None:
    """Say on standard error what is wrong; nobody has to be there to read it."""
    with contextlib.suppress(OSError):
        write_text(sys.stderr, f"{command}: {printable(sentence)}\n")


@contextlib.contextmanager
def passing_line() -> Iterator[Callable[[str], None]]:
    """Give a function that shows a text in place of the last one, on a terminal alone.

    The terminal is that of standard error; at the end of the block the text is gone.
    """
    stream = sys.stderr
    is_terminal = stream is not None and stream.isatty()

    def show(text: str) -> None:
        if is_terminal:
            with contextlib.suppress(OSError):
                write_text(stream, f"\r\x1b[K{text}")

    try:
        yield show
    finally:
        show("")


def begin(command: str) -> None:
    """Fill the standard streams, and complain of variables that are none of ours."""
    fill_standard_streams()
    for odd in unknown_variables(os.environ):
        complain(command, odd)


def forget(stream: TextIO) -> None:
    """Keep the interpreter from failing on the rest in a stream when it ends."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def when_input_ends(call: Callable[[], None]) -> None:
    """Have the running loop ``call`` once the standard input has ended.

    A thread waits for that, since no event loop can watch a file or ``/dev/null``. It
    never keeps the process from ending.
    """
    loop = asyncio.get_running_loop()

    def read_on() -> None:
        waiting = select.poll()
        waiting.register(0, select.POLLIN)
        try:
            # A read before there is anything would stop a job in the background.
            while waiting.poll() and os.read(0, _CHUNK):
                pass
        except OSError:
            pass  # a terminal that was hung up
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(call)

    threading.Thread(target=read_on, name="standard input", daemon=True).start()
