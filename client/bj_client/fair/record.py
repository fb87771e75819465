"""The record: a visit as lines of JSON, one for each message and command.

``docs/fairness.md`` has the form. A line is written whole or taken back, and only its
owner can read the file where files have modes: the links of a running round are in it.
"""

import json
import os
import stat
from pathlib import Path

from bj_client.fair.unusable import RecordUnusable
from bj_client.system import IS_UNIX, OPENED

_MODE = 0o600
_TAIL = 1 << 16


def header(server: str, table: str) -> str:
    """Return the first line of a visit."""
    return json.dumps({"record": 2, "server": server, "table": table}) + "\n"


def heard(handle: str | None, at: float, message: str) -> str:
    """Return the line of a message; ``at`` is seconds since the visit began."""
    return f'{_start(handle, at)}, "heard": {message}}}\n'


def sent(handle: str | None, at: float, command: str) -> str:
    """Return the line of a command."""
    return f'{_start(handle, at)}, "sent": {command}}}\n'


def line_news(handle: str | None, at: float, state: str) -> str:
    """Return the line that says that a line is ``lost`` or ``back``."""
    return f'{_start(handle, at)}, "line": "{state}"}}\n'


def _start(handle: str | None, at: float) -> str:
    return f'{{"handle": {json.dumps(handle)}, "at": {at:.3f}'


class Recorder:
    """A file to which lines are added."""

    def __init__(self, path: Path) -> None:
        """Open ``path``, and make it if it is not there.

        A last line that was cut short, as by a power cut, is taken off.

        Raises:
            RecordUnusable: if it cannot be written.
        """
        self.path = path
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | OPENED
        try:
            self._descriptor = os.open(path, flags, _MODE)
        except OSError as error:
            raise RecordUnusable(path, error.strerror or "it is no file") from None
        try:
            self._prepare()
        except OSError as error:
            self.close()
            raise RecordUnusable(path, error.strerror or "it is no file") from None

    def write(self, line: str) -> None:
        """Add a line, which ends with a newline.

        Raises:
            OSError: if there is no room; what was written of it is taken back.
        """
        rest = memoryview(line.encode())
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            os.ftruncate(self._descriptor, self._size)
            raise
        self._size += len(line.encode())

    def close(self) -> None:
        """Close the file; harmless when it is closed already."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _prepare(self) -> None:
        found = os.fstat(self._descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(None, "it is no file")
        if IS_UNIX:
            os.fchmod(self._descriptor, _MODE)
        start = max(0, found.st_size - _TAIL)
        os.lseek(self._descriptor, start, os.SEEK_SET)
        tail = os.read(self._descriptor, _TAIL)
        self._size = start + tail.rfind(b"\n") + 1 if b"\n" in tail else found.st_size
        if tail and not tail.endswith(b"\n") and b"\n" not in tail:
            raise OSError(None, "it is something else than a record")
        os.ftruncate(self._descriptor, self._size)
