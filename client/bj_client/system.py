"""The system: threads, and all that Windows lacks of Unix, in one place.

There files have no modes, only a folder's own rights; nobody is stopped by Ctrl-Z; an
event loop hears no signals, and a terminal has no name.
"""

import asyncio
import contextlib
import errno
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import TypeVar

_T = TypeVar("_T")

IS_UNIX = hasattr(os, "geteuid")
"""Whether there are users, and so modes of files, and terminals with job control."""

OPENED = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for ``os.open``: wait for no pipe, and leave the ends of lines as they are."""


_MOST_WRITTEN = 2**20


def read_written(path: Path) -> str:
    """Return a text that somebody has written, which is a MiB at most.

    Raises:
        OSError: if it cannot be read, or goes on, as a device may.
        UnicodeDecodeError: if it is none.
    """
    with path.open(encoding="utf-8-sig") as file:
        text = file.read(_MOST_WRITTEN + 1)
    if len(text) > _MOST_WRITTEN:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return text


def hear_signal(number: int, heard: Callable[[], None]) -> None:
    """Have the loop that is running call ``heard`` whenever a signal comes."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(number, heard)
    except NotImplementedError:

        def tell(*_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(heard)

        signal.signal(number, tell)


def is_dumb() -> bool:
    """Say whether the terminal cannot move its cursor, by its name."""
    unnamed = "" if IS_UNIX else "a console"
    return os.environ.get("TERM", unnamed) in {"", "dumb", "unknown"}


@contextlib.contextmanager
def alone_in(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Have no other client change what is in a folder meanwhile.

    Only where that can be locked: elsewhere the last one who writes is right.
    """
    if not IS_UNIX:
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Make the names in a folder durable, where a folder can be opened for that."""
    if IS_UNIX:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


async def in_thread(work: Callable[[], _T]) -> _T:
    """Return the result of ``work``, or raise its error.

    The thread is a daemon, unlike those of ``asyncio.to_thread``: when the wait for it
    is cancelled it is left to itself, and the command ends without it.
    """
    future = Future[_T]()
    future.set_running_or_notify_cancel()  # from here on it cannot be cancelled

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
            future.set_exception(error)

    start_thread(run)
    return await asyncio.wrap_future(future)


def start_thread(work: Callable[[], object]) -> Thread:
    """Start ``work`` in a daemon thread, and return that."""
    thread = Thread(target=work, daemon=True, name="bj-client work")
    thread.start()
    return thread
