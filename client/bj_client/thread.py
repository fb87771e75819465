"""A thread for work that is long, or never ends, so that nothing else waits for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

_T = TypeVar("_T")


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

    start(run)
    return await asyncio.wrap_future(future)


def start(work: Callable[[], object]) -> Thread:
    """Start ``work`` in a daemon thread, and return that."""
    thread = Thread(target=work, daemon=True, name="bj-client work")
    thread.start()
    return thread
