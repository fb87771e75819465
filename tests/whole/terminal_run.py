"""One run of the client in a terminal of its own, from birth to end, and how it went.

The terminal is a pseudo-terminal that a forked client leads a session on; ``pyte``
draws what comes out of it. Nothing here waits for time, only for words or the end.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pyte
from pyte.screens import Char

from support.nursery import PATIENCE, Birth
from whole.glass import Glass

_modes = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
_AT_REST = {b"1049": b"l", b"25": b"h", b"2004": b"l", b"2026": b"l"}
_AT_REST |= dict.fromkeys((b"1000", b"1003", b"1006", b"1015"), b"l")
"""The private modes of a terminal that nobody draws on: ``h`` is on, ``l`` off."""


def _unfinished(data: bytes) -> int:
    """Return where a sequence begins that is not whole; the end if there is none."""
    found = re.search(rb"\x1b(\[[0-?]*[ -/]*)?$", data)
    return len(data) if found is None else found.start()


class TerminalRun:
    """A client in a terminal; or beside one, where its streams lead elsewhere."""

    def __init__(
        self,
        *arguments: str,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str],
        reads: Path | None = None,
        writes: Path | None = None,
        draws: bool = True,
        anew: bool = False,
    ) -> None:
        """Start it; ``reads`` and ``writes`` are files in the place of the terminal.

        One that never ``draws`` only writes lines, which stay where they are.
        """
        self._draws = draws
        self._master, slave = pty.openpty()
        self._screen = Glass(*size)
        self._drawing = pyte.ByteStream(self._screen)
        self._begun = b""
        """The beginning of a sequence of which the rest is still to come."""
        self.said = b""
        """All that came out of the terminal."""
        self._resize(*size)
        self._settings = termios.tcgetattr(self._master)
        inputs = os.open(reads, os.O_RDONLY) if reads else slave
        output = os.open(writes, os.O_WRONLY | os.O_CREAT, 0o600) if writes else slave
        self._birth = Birth(
            "bj_client",
            arguments,
            (inputs, output, slave),
            environment={**os.environ, **environment},
            for_terminal=True,
            anew=anew,
        )

    @property
    def text(self) -> str:
        """What is on the screen, or all that was said by one that never draws."""
        if not self._draws:
            return self.said.decode("utf-8", "replace")
        return self._screen.text

    @property
    def cells(self) -> list[list[Char]]:
        """Every cell of the screen, with its colours."""
        screen = self._screen
        rows, columns = range(screen.lines), range(screen.columns)
        return [[screen.buffer[y][x] for x in columns] for y in rows]

    def until(self, words: str) -> None:
        """Read until ``words`` are on the screen."""
        self._read_until(lambda: words in self.text, words)

    def until_cells(self, cells: list[list[Char]]) -> None:
        """Read until every cell is as given."""
        self._read_until(lambda: self.cells == cells, "the same cells")

    def until_still(self) -> None:
        """Read until nothing has come for half a second, as after a whole drawing."""
        while self._read(0.5):
            pass

    def _read_until(self, is_there: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not is_there():
            assert time.monotonic() < end, f"never saw {what!r} in:\n{self.text}"
            if not self._read(0.2) and self._birth.wait(0):
                self._drain()
                assert is_there(), f"ended before {what!r}:\n{self.text}"

    def type(self, keys: str) -> None:
        """Type keys, all at once."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, and an empty screen."""
        if not self._draws:
            self._resize(columns, rows)
            return
        if (rows, columns) == (self._screen.lines, self._screen.columns):
            return  # of which the kernel says nothing to the client
        while self._read(0, is_drawn=False):
            pass
        self._screen.resize(rows, columns)
        self._screen.reset()
        self._resize(columns, rows)

    def send_signal(self, number: int) -> None:
        """Send a signal to the client alone."""
        self._birth.send_signal(number)

    def has_ended(self) -> bool:
        """Read all that is there, and tell whether the client is gone."""
        while self._read(0):
            pass
        return self._birth.wait(0)

    def hang_up(self) -> None:
        """Close the terminal, as a window that is closed does."""
        os.close(self._master)
        self._master = -1

    def idle(self, seconds: float) -> float:
        """Read for a while; return the CPU seconds that the client took meanwhile."""
        before, end = self._cpu_so_far(), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)
        return self._cpu_so_far() - before

    def _cpu_so_far(self) -> float:
        stat = Path(f"/proc/{self._birth.pid}/stat").read_text(encoding="utf-8")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def cpu_seconds(self) -> float:
        """What the client has cost the processor; known at its end."""
        return self._birth.cpu_seconds

    def end(self) -> int:
        """Read to the end; return the exit code.

        Where there still is a terminal, it must be as it was at the start.
        """
        end = time.monotonic() + PATIENCE
        while not self._birth.wait(0 if self._master >= 0 else 0.2):
            assert time.monotonic() < end, f"it goes on, with:\n{self.text}"
            self._read(0.1)
        self._drain()
        if self._master >= 0:
            assert termios.tcgetattr(self._master) == self._settings
            unrest = self._unrest()
            assert not unrest, f"the terminal is left with modes {unrest}"
        assert self._birth.returncode is not None
        return self._birth.returncode

    def close(self) -> None:
        """Let go of all, and end a client that goes on."""
        if not self._birth.wait(0):
            self._birth.send_signal(signal.SIGKILL)
            self._birth.wait(PATIENCE)
        if self._master >= 0:
            os.close(self._master)
        self._birth.status.close()

    def _unrest(self) -> dict[bytes, bytes]:
        modes = dict[bytes, bytes]()
        for numbers, state in _modes.findall(self.said):
            modes |= dict.fromkeys(numbers.split(b";"), state)
        rest = _AT_REST.items()
        return {
            mode: modes[mode] for mode, state in rest if modes.get(mode, state) != state
        }

    def _resize(self, columns: int, rows: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def _drain(self) -> None:
        while self._read(0):
            pass

    def _read(self, seconds: float, *, is_drawn: bool = True) -> bool:
        """Read what there is, or comes in time; False if nothing does."""
        if self._master < 0 or not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # nobody is at the other end any more
            return False
        self.said += data
        if self._draws:
            whole = self._begun + data
            end = _unfinished(whole)
            self._begun = whole[end:]
            if is_drawn:
                self._drawing.feed(whole[:end])
        return bool(data)
