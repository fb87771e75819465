"""Stopping: the signals that ask the client to go, turned into one future."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator

from bj_client.exits import Exit

__all__ = ["stop_signals"]

_EXITS = {
    signal.SIGINT: Exit.INTERRUPTED,
    signal.SIGTERM: Exit.TERMINATED,
    signal.SIGHUP: Exit.HANGUP,
}


@contextlib.contextmanager
def stop_signals() -> Iterator[asyncio.Future[Exit]]:
    """Yield a future that the first signal completes; later signals do nothing.

    A signal that was ignored when the client was started stays ignored, as ``nohup``
    and background jobs expect.
    """
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[Exit] = loop.create_future()

    def stop(code: Exit) -> None:
        if not stopped.done():
            stopped.set_result(code)

    for number, code in _EXITS.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop, code)
    try:
        yield stopped
    finally:
        stopped.cancel()
