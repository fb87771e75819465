"""Segments: the files that the journal is made of, open, closed and packed.

Only the last segment is written to. A closed one is packed with gzip in time, on a
thread of its own; then ``journal-000001.jsonl.gz`` stands for ``journal-000001.jsonl``.
While it is packed both are there, and the plain one goes last. Nothing waits for it. A
failure is logged, and the next start tries again: a segment that is not packed is as
good as one that is.
"""

import gzip
import hashlib
import logging
import os
import queue
import re
import threading
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bj_server.bank.disk import naming, read_file, replace_file, sync_folder
from bj_server.bank.error import BankUnusableError, JournalDamagedError

_NAME = re.compile(r"journal-([0-9]{6,})\.jsonl(\.gz)?")
GZIP_LEVEL = 3
"""How hard gzip tries: 9 takes four times as long for files that are 14 % smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A closed segment, as it is stored."""

    name: str
    """The name of the file, packed or not."""
    seq: int
    """The number of its last line."""
    size: int
    """The bytes of the file."""
    sha256: str
    """The SHA-256 of the file."""

    @classmethod
    def of(cls, name: str, seq: int, stored: bytes) -> Self:
        """Describe a file by its bytes."""
        digest = hashlib.sha256(stored).hexdigest()
        return cls(name=name, seq=seq, size=len(stored), sha256=digest)

    @property
    def number(self) -> int:
        """The number of the segment, from 1."""
        return _number(self.name)


def segment_path(folder: Path, number: int) -> Path:
    """Return the place of a segment that is not packed.

    >>> segment_path(Path("bank"), 7).name
    'journal-000007.jsonl'
    """
    return folder / f"journal-{number:06}.jsonl"


def packed(path: Path) -> Path:
    """Return the place of the same segment once it is packed."""
    return path.with_name(path.name + ".gz")


def stored_path(folder: Path, number: int) -> Path:
    """Return the file that holds a segment; the packed one where there is one."""
    plain = segment_path(folder, number)
    return packed(plain) if os.path.lexists(packed(plain)) else plain


def find_segments(folder: Path) -> list[int]:
    """Return the numbers of all segments in a folder, in order."""
    numbers = set[int]()
    for path in sorted(folder.glob("journal-*.jsonl*")):
        if path.suffix == ".new":
            continue
        number = _number(path.name)
        plain = segment_path(folder, number)
        if number < 1 or path not in (plain, packed(plain)):
            reason = "its name is not that of a segment; move it elsewhere"
            raise JournalDamagedError(path, None, reason)
        numbers.add(number)
    return sorted(numbers)


def _number(name: str) -> int:
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else 0


def load(path: Path) -> tuple[bytes, bytes]:
    """Return a segment's lines, and the bytes of the file that holds them."""
    with naming(path):
        stored = read_file(path)
    if path.suffix != ".gz":
        return stored, stored
    try:
        return gzip.decompress(stored), stored
    except (OSError, EOFError, zlib.error):
        reason = "it is no gzip file, or not all of it"
        raise JournalDamagedError(path, None, reason) from None


_logger = logging.getLogger(__name__)


def pack(path: Path, seq: int) -> Closed:
    """Put a packed segment in the place of a closed one, and describe it.

    The plain file goes only when the packed one is on the disk. The same lines always
    give the same bytes, so that two copies can be compared.
    """
    beside = packed(path)
    with naming(path):
        stored = gzip.compress(read_file(path), GZIP_LEVEL, mtime=0)
        replace_file(beside, stored)
        path.unlink()
        sync_folder(path.parent)
    return Closed.of(beside.name, seq, stored)


class SegmentPacker:
    """Packs the segments that are submitted."""

    def __init__(self) -> None:
        self._packed: dict[int, Closed] = {}
        self._tasks: queue.Queue[tuple[Path, int] | None] = queue.Queue()
        self._thread = threading.Thread(
            target=self._serve, name="journal-archive", daemon=True
        )
        self._thread.start()

    def submit(self, path: Path, seq: int) -> None:
        """Have a closed segment packed, whose last line is ``seq``."""
        self._tasks.put((path, seq))

    def newest(self, closed: Closed) -> Closed:
        """Return the segment as it is stored by now."""
        return self._packed.get(closed.number, closed)

    def close(self) -> None:
        """Finish what is to be done, and end."""
        self._tasks.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                closed = pack(*task)
            except BankUnusableError as error:
                _logger.warning("%s", error)
            else:
                self._packed[closed.number] = closed
            finally:
                self._tasks.task_done()
