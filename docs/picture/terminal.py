"""A terminal with one of our commands in it, driven by keys and read by its words."""

import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

import pexpect
import pyte

from picture.screen import Screen

_PATIENCE = 30.0
"""Seconds for words to appear."""
_STILL = 0.15
"""Seconds without anything new, after which the screen is drawn whole."""
_RESTLESS = 2.0
"""Seconds after which a screen that is never still is taken as it is."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return variables that tell a command nothing of this machine or its user."""
    commands = Path(sys.executable).parent
    return {
        "PATH": f"{commands}{os.pathsep}{os.defpath}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_24_BIT",
        "PS1": "$ ",
        **more,
    }


class Terminal:
    """A pseudo-terminal; the command in it ends with the block."""

    def __init__(
        self,
        command: Sequence[str],
        size: tuple[int, int],
        variables: Mapping[str, str],
    ) -> None:
        """Start the command in a terminal of so many columns and rows."""
        self.size = size
        self.screen = Screen(*size)
        self.written: list[tuple[float, bytes]] = []
        """What the command wrote, and at how many seconds after its start."""
        self._stream = pyte.ByteStream(self.screen)
        self._start = time.monotonic()
        self._child = pexpect.spawn(
            command[0],
            list(command[1:]),
            dimensions=size[::-1],
            env=dict(variables),
            cwd=variables["HOME"],
        )
        self._child.delaybeforesend = None

    def __enter__(self) -> Self:
        """Return the terminal."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the terminal, which ends the command."""
        self._child.close(force=True)

    @property
    def text(self) -> str:
        """What is on the screen, without the blanks at the ends."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def until(self, pattern: str) -> None:
        """Read until the pattern is on the screen and the screen is still.

        Raises:
            TimeoutError: if it does not come.
        """
        end = time.monotonic() + _PATIENCE
        while not re.search(pattern, self.text):
            if time.monotonic() > end or not self._read(0.1):
                raise TimeoutError(f"{pattern!r} did not come:\n{self.text}")
        self.settle()

    def press(self, keys: str, then: str) -> None:
        """Press keys, and read until the pattern is on the screen."""
        self._child.send(keys)
        self.until(then)

    def type(self, text: str, every: float) -> None:
        """Type as a person does, a key in so many seconds."""
        for key in text:
            self._child.send(key)
            self.rest(every)

    def rest(self, seconds: float) -> None:
        """Read for so long, whatever comes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self._read(left):
            pass

    def settle(self) -> None:
        """Read until nothing more comes for a moment, if not long for a busy screen."""
        end = time.monotonic() + _RESTLESS
        count = -1
        while count != len(self.written) and time.monotonic() < end:
            count = len(self.written)
            self._read(_STILL)

    def end(self) -> None:
        """Read until the command has ended."""
        while self._read(_PATIENCE):
            pass

    def _read(self, seconds: float) -> bool:
        """Read what comes within some seconds; return whether more may come."""
        try:
            data = self._child.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.written.append((time.monotonic() - self._start, data))
        self._stream.feed(data)
        return True
