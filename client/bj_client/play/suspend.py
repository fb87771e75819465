"""Suspending: Ctrl-Z, the shell's job control, and the terminal meanwhile.

The terminal is given back as it was before the program stops, and set up and drawn
anew once it goes on. After SIGSTOP, which nobody hears, it is only set up anew. A
program that has no terminal is stopped and goes on as any other. In the background the
modes of a terminal are another's: a bot plays on there. A program that draws waits for
``fg``, and ends at once if it is told to stop. Windows has none of that.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from bj_client.stop import stopped_at_once
from bj_client.system import IS_UNIX

if IS_UNIX:
    import termios
if TYPE_CHECKING:
    from prompt_toolkit.application import Application

_LOCAL_MODES = 3
"""The place of ``c_lflag`` in what ``tcgetattr`` returns."""


def suspend() -> None:
    """Stop as the terminal's own Ctrl-Z does, with all that runs in the foreground.

    Nothing happens where nobody would give the terminal back.
    """
    if IS_UNIX and callable(signal.getsignal(signal.SIGTSTP)):
        os.kill(0, signal.SIGTSTP)


@contextlib.contextmanager
def terminal_kept(taken: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Give the terminal back as it was, at the end and whenever the program stops.

    ``taken`` is called when it was taken again. Meanwhile the terminal keeps unshown
    output when Ctrl-C is typed. Else the first of two quick Ctrl-C, on a slow line,
    would drop the bytes that put the screen back.
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
    try:
        with terminal.watched():
            yield
    finally:
        terminal.restore()


class _Terminal:
    """The terminal of a program that may be stopped."""

    def __init__(self, descriptor: int, taken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._before = termios.tcgetattr(descriptor)
        self._taken = taken
        self._loop = asyncio.get_running_loop()
        self._stops = 0

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Hear of stopping and going on, unless the former is ignored for us."""
        if signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN:
            yield
            return
        self._listen()
        try:
            yield
        finally:
            self._be_deaf()

    def _listen(self) -> None:
        self._loop.add_signal_handler(signal.SIGTSTP, self._stop, self._stops)
        self._loop.add_signal_handler(signal.SIGCONT, self._go_on)

    def _be_deaf(self) -> None:
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
            modes[_LOCAL_MODES] |= termios.NOFLSH
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
        self._be_deaf()
        with contextlib.nullcontext() if app is None else stopped_at_once():
            signal.raise_signal(signal.SIGTSTP)  # returns once the program goes on
        self._listen()
        self._go_on()

    def _go_on(self) -> None:
        with contextlib.suppress(OSError, termios.error):
            if (app := _app()) is not None:
                with stopped_at_once():  # we are stopped until we have the terminal
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
