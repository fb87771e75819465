"""Stopping: the signals that ask the client to go, turned into one future."""

import asyncio
import contextlib
import signal
import sys
import termios
from collections.abc import Iterator

from bj_client.exits import Exit

__all__ = ["output_kept", "stop_signals"]

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


@contextlib.contextmanager
def output_kept() -> Iterator[None]:
    """Have a terminal keep what it has not shown yet when Ctrl-C is typed.

    It would throw that away, and with it what puts the screen back: after the first of
    two quick Ctrl-C, on a slow line.
    """
    try:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
    except (AttributeError, OSError, ValueError, termios.error):
        yield  # there is no input, or it is no terminal
        return
    during = list(before)
    during[_LOCAL_MODES] |= termios.NOFLSH
    with contextlib.suppress(termios.error):
        termios.tcsetattr(terminal, termios.TCSANOW, during)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


_LOCAL_MODES = 3
"""The place of ``c_lflag`` in what ``tcgetattr`` returns."""
