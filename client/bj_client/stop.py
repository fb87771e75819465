"""Stopping: signals that ask the client to go, and Ctrl-Z, which suspends it.

The terminal is given back as it was before the program stops, and set up and drawn
anew once it goes on. After SIGSTOP, which nobody hears, it is only set up anew. A
program that has no terminal is stopped and goes on as any other. In the background the
modes of a terminal are another's: a bot plays on there. A program that draws waits for
``fg``, and ends at once if it is told to stop. Windows has no job control.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from bj_client.error import Exit
from bj_client.system import IS_UNIX, hear_signal

if IS_UNIX:
    import termios
    import tty
if TYPE_CHECKING:
    from prompt_toolkit.application import Application

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
def stop_signals(
    taken: Callable[[], None] = lambda: None,
) -> Iterator[asyncio.Future[Exit]]:
    """Yield a future that the first signal completes; later signals do nothing.

    A signal that was ignored when the client was started stays ignored, as ``nohup``
    and background jobs expect. Meanwhile the terminal is ours: it is given back at the
    end and whenever the program is suspended, and ``taken`` is called when it was taken
    again.
    """
    stopped: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()

    def stop(code: Exit) -> None:
        if not stopped.done():
            stopped.set_result(code)

    heard = []
    for name, code in _EXITS.items():
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is not signal.SIG_IGN:
            hear_signal(number, partial(stop, code))
            heard.append(number)
    with _terminal_kept(taken):
        try:
            yield stopped
        finally:
            stopped.cancel()
            if IS_UNIX:  # one that comes while the loop closes finds its pipe gone
                for number in heard:
                    signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def _stopped_at_once() -> Iterator[None]:
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


@contextlib.contextmanager
def going_on(then: Callable[[], None]) -> Iterator[None]:
    """Return a context that calls ``then`` when the program was stopped and goes on.

    It is for a program without a loop, which has the terminal's modes as they are.
    """
    if not IS_UNIX:
        yield
        return
    before = signal.signal(signal.SIGCONT, lambda *_: then())
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


def suspend() -> None:
    """Stop as the terminal's own Ctrl-Z does, with all that runs in the foreground.

    Nothing happens where nobody would give the terminal back.
    """
    if IS_UNIX and callable(signal.getsignal(signal.SIGTSTP)):
        os.kill(0, signal.SIGTSTP)


@contextlib.contextmanager
def _terminal_kept(taken: Callable[[], None]) -> Iterator[None]:
    """Give the terminal back as it was, at the end and whenever the program stops.

    Meanwhile it keeps unshown output when Ctrl-C is typed. Else the first of two quick
    Ctrl-C, on a slow line, would drop the bytes that put the screen back.
    """
    if not IS_UNIX:
        yield
        return
    try:
        terminal = _Terminal(sys.stdin.fileno(), taken)
    except (AttributeError, OSError, ValueError, termios.error):
        yield  # there is no input, or it is no terminal
        return
    terminal.take()
    if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
        terminal.listen()
    try:
        yield
    finally:
        terminal.be_deaf()
        terminal.restore()


class _Terminal:
    """The terminal of a program that may be stopped."""

    def __init__(self, descriptor: int, taken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._before = termios.tcgetattr(descriptor)
        self._taken = taken
        self._loop = asyncio.get_running_loop()
        self._stops = 0

    def listen(self) -> None:
        """Hear of stopping and going on."""
        self._loop.add_signal_handler(signal.SIGTSTP, self._stop, self._stops)
        self._loop.add_signal_handler(signal.SIGCONT, self._go_on)

    def be_deaf(self) -> None:
        """Hear of neither any more."""
        for number in (signal.SIGTSTP, signal.SIGCONT):
            self._loop.remove_signal_handler(number)

    @property
    def _is_ours(self) -> bool:
        """Whether nobody else is in the foreground; to set modes would stop us then."""
        try:
            return os.tcgetpgrp(self._descriptor) == os.getpgrp()
        except OSError:  # it controls nobody
            return True

    def take(self) -> None:
        """Set the terminal's modes for the running program."""
        if not self._is_ours:
            return
        with contextlib.suppress(termios.error):
            modes = termios.tcgetattr(self._descriptor)
            modes[tty.LFLAG] |= termios.NOFLSH
            termios.tcsetattr(self._descriptor, termios.TCSANOW, modes)

    def restore(self) -> None:
        """Set the terminal's modes as they were."""
        if not self._is_ours:
            return
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def _stop(self, stops: int) -> None:
        """Stop, unless the program has stopped ``stops`` times and once more since."""
        if stops != self._stops:
            return  # Ctrl-Z was typed twice at once
        self._stops += 1
        app = _app()
        with contextlib.suppress(OSError, termios.error):
            if app is not None:
                app.renderer.erase()
            elif self._is_ours:  # a line that was begun is not for the shell
                termios.tcflush(self._descriptor, termios.TCIFLUSH)
        self.restore()
        self.be_deaf()
        with contextlib.nullcontext() if app is None else _stopped_at_once():
            signal.raise_signal(signal.SIGTSTP)  # returns once the program goes on
        self.listen()
        self._go_on()

    def _go_on(self) -> None:
        with contextlib.suppress(OSError, termios.error):
            if (app := _app()) is not None:
                with _stopped_at_once():  # we are stopped until we have the terminal
                    app.input.raw_mode().__enter__()
                app.renderer.reset()
                app.invalidate()
        self.take()
        self._taken()


def _app() -> "Application[Any] | None":
    """Return the application that draws on the terminal now."""
    from prompt_toolkit.application import get_app_or_none

    app = get_app_or_none()
    return app if app is not None and app.is_running and not app.is_done else None
