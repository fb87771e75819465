"""Servers that start fast: forks of one parent that has imported everything.

``python lives.py`` is that parent. For each line of arguments, in JSON, it forks a
process of its own that runs ``bj-server`` with them, tells its number before it begins,
and says how it ended once it is gone. All of that stands on the parent's standard
output, between what the server itself says there.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from bj_server import command


class Begin(Protocol):
    """Starts a server on a bank folder."""

    def __call__(self, folder: Path, /) -> "Life": ...


class Life:
    """A server from its first moment to its last, which comes by SIGKILL."""

    def __init__(self, process: int, lines: Iterator[str]) -> None:
        self._process = process
        self._lines = lines
        self._is_killed = False

    def port(self) -> int:
        """Return where it can be reached, once it can be."""
        first = next(self._lines)
        assert first.startswith("Blackjack is open at ws://"), first
        return int(first.rpartition(":")[2].strip(" .\n"))

    def kill(self) -> None:
        """Kill it, unless that was done."""
        if not self._is_killed:
            os.kill(self._process, signal.SIGKILL)
        self._is_killed = True

    def see_the_end(self) -> None:
        """Wait until it is gone, and see that nothing else has ended it."""
        last = next(line for line in self._lines if line.startswith("ended "))
        assert last == f"ended by signal {signal.SIGKILL:d}\n"


@contextmanager
def lives(errors: Path) -> Iterator[Begin]:
    """Run the parent; what its servers complain of is written to ``errors``."""
    with (
        errors.open("w") as complaints,
        subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        ) as parent,
    ):
        assert parent.stdin is not None
        assert parent.stdout is not None
        orders, lines = parent.stdin, iter(parent.stdout)

        def begin(folder: Path) -> Life:
            orders.write(json.dumps(["--port", "0", "--bank", str(folder)]) + "\n")
            orders.flush()
            number = next(lines)
            assert number.startswith("process "), number
            return Life(int(number.split()[1]), lines)

        yield begin


def main() -> None:
    """Fork a server for each line of standard input, one after another."""
    for order in sys.stdin:
        process = os.fork()
        if not process:
            say(f"process {os.getpid()}")
            os._exit(command.main(json.loads(order)))
        _, status = os.waitpid(process, 0)
        if os.WIFSIGNALED(status):
            say(f"ended by signal {os.WTERMSIG(status)}")
        else:
            say(f"ended with status {os.WEXITSTATUS(status)}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
