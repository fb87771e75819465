"""Evidence: all that was said on our lines, kept in case it must be shown.

It is held in memory, packed, and written to a file of its own once something does not
hold; from then on the file grows with the visit. Of a very long visit the beginning is
kept, and the last thousands of rounds, which is more than any stream has.
"""

import contextlib
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bj_client.fair.record import Recorder
from bj_client.fair.unusable import RecordUnusable

_FASTEST = 1
_PART_BYTES = 4 * 2**20
"""Packed bytes of a part, some fifteen times as many unpacked."""


def _now() -> datetime:
    return datetime.now(UTC)


class Evidence:
    """The lines of a visit, in the form of a record."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        """Have the file go to ``folder``, named by the time ``now``, if ever."""
        self._folder = folder
        self._now = now
        self._packer = zlib.compressobj(_FASTEST)
        self._packed = bytearray()
        self._parts: list[bytes] = []
        """Packed each by itself: the first one, and the last two."""
        self._recorder: Recorder | None = None
        self.is_lost = False
        """Whether it could not be written."""

    @property
    def path(self) -> Path | None:
        """The file; None as long as there is none."""
        return None if self._recorder is None else self._recorder.path

    def add(self, line: str) -> None:
        """Keep a line."""
        if self._recorder is None:
            self._packed += self._packer.compress(line.encode())
            if len(self._packed) > _PART_BYTES:
                self._close_part()
        elif not self.is_lost:
            self._write(line)

    def save(self) -> None:
        """Write everything to a file, unless that was done."""
        if self._recorder is not None or self.is_lost:
            return
        self._close_part()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._recorder = Recorder(next(self._free_paths()))
        except (OSError, RecordUnusable):
            self.is_lost = True
            return
        for part in self._parts:
            self._write(zlib.decompress(part).decode())
        self._parts.clear()

    def _close_part(self) -> None:
        self._parts.append(bytes(self._packed + self._packer.flush()))
        self._packer, self._packed = zlib.compressobj(_FASTEST), bytearray()
        del self._parts[1:-2]

    def close(self) -> None:
        """Close the file."""
        if self._recorder is not None:
            self._recorder.close()

    def _write(self, text: str) -> None:
        assert self._recorder is not None
        try:
            self._recorder.write(text)
        except OSError:
            self.is_lost = True

    def _free_paths(self) -> Iterator[Path]:
        stem = f"evidence-{self._now():%Y%m%d-%H%M%S}"
        for number in range(1, 1000):
            suffix = "" if number == 1 else f"-{number}"
            path = self._folder / f"{stem}{suffix}.jsonl"
            with contextlib.suppress(FileExistsError):
                path.touch(0o600, exist_ok=False)
                yield path
