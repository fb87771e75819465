"""The pin: the key of one server, kept from visit to visit in a file of its own.

The first line has the key of the server, so that a file with nothing else is one, too.
Each line after it has an earlier key, or the balance of a player in the last good-bye
that the server has signed.
"""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from bj_client.error import KeyUnusableError
from bj_client.net.keyring import write_whole
from bj_client.system import IS_UNIX, OPENED

_MOST = 2**20
_REMEDY = "remove it, and name the server's key with --server-key"
_KEY = "[0-9a-f]{64}"
_line = re.compile(rf"before ({_KEY})|goodbye (\S+) ([0-9]{{1,30}})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The key by which a server is known, its earlier keys, and its good-byes."""

    key: str
    before: frozenset[str] = frozenset()
    """The keys that it had before, and that nobody may come with any more."""
    goodbyes: Mapping[str, int] = field(default_factory=dict)
    """The cents of players when they left, by handle."""

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read a file; None where there is none.

        Raises:
            KeyUnusableError: if it is somebody else's, cannot be read, or is damaged.
        """
        try:
            text = _text(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            reason = f"cannot be read ({error.strerror})"
            raise KeyUnusableError(path, reason, _REMEDY) from None
        pin = cls._of(text)
        if pin is None:
            raise KeyUnusableError(path, "holds no key of a server", _REMEDY)
        return pin

    @classmethod
    def _of(cls, text: str) -> Self | None:
        key, *lines = text.split("\n")
        if not re.fullmatch(_KEY, key.strip()) or (lines and lines.pop()):
            return None
        before, goodbyes = set(), {}
        for line in lines:
            found = _line.fullmatch(line)
            if found is None:
                return None
            if found[1]:
                before.add(found[1])
            else:
                goodbyes[found[2]] = int(found[3])
        return cls(key=key.strip(), before=frozenset(before), goodbyes=goodbyes)

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all.

        Raises:
            OSError: if it cannot be written; then nothing has changed.
        """
        lines = [self.key, *(f"before {key}" for key in sorted(self.before))]
        had = sorted(self.goodbyes.items())
        lines += (f"goodbye {handle} {cents}" for handle, cents in had)
        write_whole(path, "\n".join(lines))


def _text(path: Path) -> str:
    descriptor = os.open(path, os.O_RDONLY | OPENED)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise KeyUnusableError(path, "is no file", _REMEDY)
        if IS_UNIX and found.st_uid != os.geteuid():
            raise KeyUnusableError(path, "belongs to somebody else", _REMEDY)
        return os.read(descriptor, _MOST).decode("ascii", "replace")
    finally:
        os.close(descriptor)
