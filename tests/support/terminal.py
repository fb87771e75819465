"""A pseudo-terminal with a command in it, and a screen that remembers what it drew."""

import fcntl
import os
import pty
import signal
import struct
import termios
import time
from collections.abc import Mapping
from typing import Any, Self

import pexpect
import pyte
from pexpect.fdpexpect import fdspawn

from support.nursery import PATIENCE, Birth
from whole.glass import Glass

ROWS, COLUMNS = 300, 110
_HANGUP_SECONDS = 2.0
"""How long one whose terminal was closed may take before it is ended by force."""


class Spawned(fdspawn):  # type: ignore[misc]
    """What ``pexpect.spawn`` is, for a process that was forked ready to run."""

    def __init__(
        self,
        module: str,
        arguments: tuple[str, ...],
        size: tuple[int, int],
        environment: Mapping[str, str],
        **details: Any,
    ) -> None:
        master, slave = pty.openpty()
        super().__init__(master, **details)
        self.setwinsize(*size[::-1])
        self.settings = termios.tcgetattr(master)
        """How the terminal was set before anything ran in it."""
        self._birth = Birth(
            module,
            arguments,
            (slave, slave, slave),
            environment=environment,
            for_terminal=True,
        )
        self.pid = self._birth.pid
        self.exitstatus: int | None = None

    def sendintr(self) -> None:
        self.send("\x03")

    def sendeof(self) -> None:
        self.send("\x04")

    def setwinsize(self, rows: int, columns: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.child_fd, termios.TIOCSWINSZ, size)

    def close(self, force: bool = False) -> None:
        """Close the terminal, and wait for the end, which is forced if it must be."""
        super().close()
        if self.exitstatus is not None:
            return
        if not self._birth.wait(_HANGUP_SECONDS if force else PATIENCE) and force:
            self._birth.send_signal(signal.SIGKILL)
        self._birth.wait(PATIENCE)
        self._birth.status.close()
        self.exitstatus = self._birth.returncode


class Terminal:
    """Runs a module of ours as a person would, in a terminal tall enough to look back.

    It waits for words on the screen, never for time to pass.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        size: tuple[int, int] = (COLUMNS, ROWS),
        **variables: str,
    ) -> None:
        self.screen = Glass(*size)
        self._stream = pyte.ByteStream(self.screen)
        environment = {"TERM": "xterm-256color", "NO_COLOR": "", **variables}
        self.child = self._spawn(module, arguments, size, os.environ | environment)

    def _spawn(
        self,
        module: str,
        arguments: tuple[str, ...],
        size: tuple[int, int],
        environment: dict[str, str],
    ) -> Any:
        return Spawned(module, arguments, size, environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End what runs, if it goes on."""
        self.child.close(force=True)

    @property
    def text(self) -> str:
        return self.screen.text

    def until(self, words: str, seconds: float = PATIENCE) -> None:
        """Read until ``words`` are on the screen."""
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"never saw {words!r} in:\n{self.text}"
            if not self._read():
                assert words in self.text, f"ended before {words!r}:\n{self.text}"

    def answer(self, line: str, then: str) -> None:
        """Type a line, and read until ``then`` is on the screen."""
        self.child.send(line + "\r")
        self.until(then)

    def press(self, keys: str, then: str) -> None:
        """Press keys, and read until ``then`` is on the screen."""
        self.child.send(keys)
        self.until(then)

    def click(self, words: str, then: str) -> None:
        """Click on the last place where ``words`` are, once they are there."""
        self.until(words)
        rows = [(y, row) for y, row in enumerate(self.screen.display) if words in row]
        y, row = rows[-1]
        place = f"{row.rindex(words) + 1};{y + 1}"
        self.press(f"\x1b[<0;{place}M\x1b[<0;{place}m", then)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self.screen.resize(rows, columns)
        self.screen.reset()
        self.child.setwinsize(rows, columns)

    def end(self) -> int:
        """Read to the end, and return the exit status."""
        while self._read():
            pass
        if self.child.exitstatus is None:
            self.child.close()
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)

    def _read(self) -> bool:
        """Read what has come, and a picture that has begun to its end."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._feed(self.child.read_nonblocking(65536, timeout=0.1))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                return False
            if not self.screen.is_drawing or time.monotonic() > end:
                return True

    def _feed(self, data: bytes) -> None:
        self._stream.feed(data)
