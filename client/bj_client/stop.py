"""Stopping: the signals that ask the client to go, turned into one future."""

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Iterator
from functools import partial
from typing import Any

from bj_client.exits import Exit
from bj_client.system import hear_signal

_EXITS = {
    "SIGINT": Exit.INTERRUPTED,
    "SIGBREAK": Exit.INTERRUPTED,
    "SIGTERM": Exit.TERMINATED,
    "SIGHUP": Exit.HANGUP,
}
"""By name, since Windows has the second alone, and others the last."""


class StopError(Exception):
    """Ctrl-C was typed into a terminal that hands it over as a key."""


async def run_until(
    stopped: asyncio.Future[Exit], playing: Coroutine[Any, Any, None]
) -> Exit | None:
    """Play to the end, or until a stop; return the exit code of a stop."""
    task = asyncio.create_task(playing)
    either: set[asyncio.Future[Any]] = {task, stopped}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    task.cancel()
    try:
        await task
    except (asyncio.CancelledError, StopError):
        return stopped.result() if stopped.done() else Exit.INTERRUPTED
    return stopped.result() if stopped.done() else None


@contextlib.contextmanager
def stop_signals() -> Iterator[asyncio.Future[Exit]]:
    """Yield a future that the first signal completes; later signals do nothing.

    A signal that was ignored when the client was started stays ignored, as ``nohup``
    and background jobs expect.
    """
    stopped: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()

    def stop(code: Exit) -> None:
        if not stopped.done():
            stopped.set_result(code)

    for name, code in _EXITS.items():
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is not signal.SIG_IGN:
            hear_signal(number, partial(stop, code))
    try:
        yield stopped
    finally:
        stopped.cancel()


@contextlib.contextmanager
def stopped_at_once() -> Iterator[None]:
    """Have these signals end the program where it stands, as if they were not heard.

    That is for a program that is stopped itself, whose terminal is another's.
    """
    heard = {
        number: handler
        for name in _EXITS
        if (number := getattr(signal, name, None))
        and callable(handler := signal.getsignal(number))
    }
    for number in heard:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
