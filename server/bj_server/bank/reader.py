"""Reading a segment back: every line is verified, and nothing is changed.

A power cut does more to the end of a file than to cut a line short. Blocks that were
not synced reach the disk in any order, so that zeros, old bytes or half a line may
stand before good ones. So the question is whether the bytes were ever safe. Three
witnesses know:

* each line names the last line that was on the disk when it was made, ``synced``;
* ``bank.json`` names a line that was, and has the hash of all bytes up to it;
* a segment is closed only when all of it is.

From the first byte on that is not as it was written, all is dropped as torn if no
witness vouches for any of it, since nobody was told of it. If a witness vouches for a
part of it, the journal is damaged. The same holds for lines of format 2 of a command
without a seal.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bj_server.bank.error import (
    IllegibleError,
    JournalDamagedError,
    LineError,
    OtherFormatError,
    UnknownFormatError,
)
from bj_server.bank.line import NO_LINE, Line, decode
from bj_server.bank.move import Kind

Visit = Callable[[Line], None]
"""Is shown each line; may raise ``LineError`` where it makes no sense."""


@dataclass(slots=True, kw_only=True)
class Position:
    """A place in the journal where a line ends and the next one begins."""

    seq: int = 0
    """The number of the line that ends here."""
    digest: str = NO_LINE
    """Its SHA-256."""
    size: int = 0
    """The bytes of its segment up to here."""


class _Segment:
    """The bytes of one segment, and how far they have been read."""

    def __init__(
        self, path: Path, content: bytes, place: Position, visit: Visit
    ) -> None:
        self.path = path
        self.content = content
        self.place = place
        self.end_of_groups = place
        self._format = format_of(content) if place.size else None
        self._visit = visit
        self._group: list[tuple[int, Line]] = []
        """What is read of a command, which is one line, or several of format 2."""

    def read(self) -> str | None:
        """Read to the end, or to where the bytes are not what was written.

        Returns the fault in the bytes after the last whole group, if there are any.
        """
        while self.place.size < len(self.content):
            try:
                self._read_line()
            except IllegibleError as error:
                return str(error)
            except OtherFormatError as error:
                raise UnknownFormatError.of(self.path, error) from None
            except LineError as error:
                raise self.damaged(self.place.size, str(error)) from None
        return "its command has no end" if self._group else None

    def _read_line(self) -> None:
        start = self.place.size
        end = self.content.find(b"\n", start)
        if end < 0:
            raise IllegibleError("it is cut short")
        raw = self.content[start:end]
        lines = decode(raw, self._format)
        self._check(lines[0])
        if start == 0:
            self._format = format_of(raw)
        self._group += [(start, line) for line in lines]
        digest = hashlib.sha256(raw).hexdigest()
        self.place = Position(seq=lines[0].seq, digest=digest, size=end + 1)
        if lines[-1].ends_command:
            self._close_group()

    def _check(self, line: Line) -> None:
        if line.seq != self.place.seq + 1:
            raise LineError(f"it is numbered {line.seq}")
        if line.prev != self.place.digest:
            raise LineError("it does not follow the line before it")
        if not 0 <= line.synced < line.seq:
            raise LineError("it vouches for lines that were still to come")
        if (line.kind == Kind.JOURNAL) != (self.place.size == 0):
            raise LineError(
                "the line that names the format is the first of its file and no other"
            )
        if self._group and line.table != self._group[0][1].table:
            raise LineError(
                f"the command at table {self._group[0][1].table} before it has no end"
            )

    def _close_group(self) -> None:
        for start, line in self._group:
            try:
                self._visit(line)
            except LineError as error:
                raise self.damaged(start, str(error)) from None
        self._group.clear()
        self.end_of_groups = self.place

    def vouched(self) -> int:
        """Return the last line that the bytes after the last group say was synced."""
        witnesses = [0]
        for raw in self.content[self.end_of_groups.size :].split(b"\n"):
            try:
                witnesses.append(decode(raw)[0].synced)
            except LineError:
                continue
        return max(witnesses)

    def damaged(self, start: int, reason: str) -> JournalDamagedError:
        """Return the error about the line that begins at byte ``start``."""
        line = self.content[:start].count(b"\n") + 1
        return JournalDamagedError(self.path, line, reason)


def format_of(content: bytes) -> int:
    """Return the format of the lines of a segment, by its first one."""
    named = decode(content.partition(b"\n")[0])[0].data["format"]
    assert isinstance(named, int)
    return named


def read_on(
    path: Path, content: bytes, place: Position, visit: Visit, *, is_last: bool
) -> Position:
    """Verify the lines of a segment from ``place`` on; show them to ``visit``.

    Returns the place up to which the segment counts: all that follows is torn, which
    only the last segment can be.

    Raises:
        JournalDamagedError: naming the first line that is not as it was written.
        UnknownFormatError: if a server of another release has written it.
    """
    if not content:
        raise JournalDamagedError(path, 1, "the file is empty")
    segment = _Segment(path, content, place, visit)
    reason = segment.read()
    end = segment.end_of_groups
    if reason is None:
        return end
    if end.size == 0:
        # The file is made whole before it gets its name: no crash leaves it like this.
        raise segment.damaged(0, reason)
    if not is_last:
        raise segment.damaged(segment.place.size, reason)
    if segment.vouched() > end.seq:
        reason += ", though it was on the disk once"
        raise segment.damaged(segment.place.size, reason)
    return end
