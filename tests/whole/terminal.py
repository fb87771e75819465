"""A pseudo-terminal with a command in it, and a screen that remembers what it drew."""

import os
import sys
import time
from types import TracebackType
from typing import Self

import pexpect
import pyte

ROWS, COLUMNS = 300, 110


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
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", module, *arguments],
            dimensions=size[::-1],
            env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **variables},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.child.close(force=True)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def until(self, words: str, seconds: float = 20.0) -> None:
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
        """Click on the last place where ``words`` are, as the mouse does."""
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
        self.child.close()
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)

    def _read(self) -> bool:
        try:
            self._stream.feed(self.child.read_nonblocking(65536, timeout=0.1))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            return False
        return True
