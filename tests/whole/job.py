"""A job of an interactive shell, in a terminal whose modes are kept track of."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pexpect

from support.nursery import PATIENCE
from support.terminal import Terminal

_PROMPT = "shell>"
_private = re.compile(r"\x1b\[\?([\d;]+)([hl])")


class Job(Terminal):
    """Runs the client as a job of ``sh``, which leaves terminals as it finds them."""

    def __init__(self, home: Path, *arguments: str) -> None:
        super().__init__(
            "bj_client", *arguments, size=(100, 40), HOME=str(home), PS1=_PROMPT
        )

    def _spawn(
        self,
        module: str,
        arguments: tuple[str, ...],
        size: tuple[int, int],
        environment: dict[str, str],
    ) -> pexpect.spawn:
        self.written = ""
        self.group = 0
        child = pexpect.spawn("/bin/sh", ["-i"], env=environment, dimensions=size[::-1])
        child.expect_exact(_PROMPT)
        self.shell = os.tcgetpgrp(child.child_fd)
        self.before = _settings(child)
        child.send(" ".join([sys.executable, "-m", module, *arguments, "\r"]))
        return child

    def until(self, words: str, seconds: float = PATIENCE) -> None:
        super().until(words, seconds)
        self.group = self.group or os.tcgetpgrp(self.child.child_fd)

    @property
    def modes(self) -> set[int]:
        """The private modes of the terminal that are set, as it was told."""
        modes = {7, 25}
        for numbers, how in _private.findall(self.written):
            for number in map(int, numbers.split(";")):
                (modes.add if how == "h" else modes.discard)(number)
        return modes

    def forget(self, modes: set[int]) -> None:
        """Have the terminal reset some modes."""
        self.written += "".join(f"\x1b[?{mode}l" for mode in modes)

    @property
    def settings(self) -> str:
        """What ``stty`` says of the terminal."""
        return _settings(self.child)

    def stop(self, number: int | None) -> None:
        """Stop the job by a signal, or by Ctrl-Z, and wait for the shell's prompt."""
        self.screen.reset()
        if number is None:
            self.child.send("\x1a")
        else:
            os.kill(self.group, number)
        self.until(_PROMPT)
        assert os.tcgetpgrp(self.child.child_fd) == self.shell

    def go_on(self, then: str) -> None:
        """Bring the job back, and read until ``then`` is on the screen."""
        self.screen.reset()
        self.child.send("fg\n")  # which ends a line in raw modes, too
        self.until(then)

    def end(self) -> int:
        """Leave the shell once the job is over, and return the job's status."""
        self.until(_PROMPT)
        self.screen.reset()
        self.press("echo status=$?.\r", "status=0.")
        return 0

    def close(self) -> None:
        """End the job, if it goes on, and the shell."""
        if self.group and self.child.isalive():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.group, signal.SIGKILL)
        self.child.close(force=True)

    def _feed(self, data: bytes) -> None:
        self.written += data.decode("utf-8", "replace")
        super()._feed(data)


def _settings(child: pexpect.spawn) -> str:
    done = subprocess.run(
        ["stty", "-a"], stdin=child.child_fd, capture_output=True, check=True
    )
    return done.stdout.decode()
