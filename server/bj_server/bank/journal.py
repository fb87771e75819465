"""The journal: one file of JSON lines, only ever added to.

Theory of operation. The bank's state is what the lines of the journal add up to, so
money is safe exactly as far as its lines are. A line passes three points:

* ``append`` gives it a number, ties it to the line before and puts it in a buffer;
* ``write`` hands the buffer to the system, in one call if the system takes it in one,
  on the thread of the caller. From here on the line survives ``kill -9``;
* ``durable`` waits until the disk has it. From here on it survives a power cut, and
  people may be told.

Syncing is slow and may be shared. One thread does it: it notes how far the file is
written, syncs, and wakes everybody whose line lies before that point. Those who come
while it is busy are served together by its next turn, so that the more tables wait,
the more one sync is worth (group commit).

A failed write or sync is final. The system reports a lost page once and may call the
next sync a success, so nothing after a failure is trusted: each waiter, and each later
call, gets a ``JournalError``. What a failed write left at the end of the file is a torn
line to the next start, which moves it to a file beside the journal. Only bytes after
the last newline are ever treated so; any other damage stops the start and is left as it
is. An empty file is damage as well, since a journal gets its name only when its first
line is on the disk.
"""

import hashlib
import os
from pathlib import Path
from typing import Self

from bj_server.bank.clock import Clock, stamp
from bj_server.bank.disk import append_file, naming, replace_file, why, write_all
from bj_server.bank.error import JournalDamaged, JournalError
from bj_server.bank.line import FORMAT, NO_LINE, Line, encode
from bj_server.bank.posting import Kind, Posting
from bj_server.bank.reader import Place, Visit, read_on
from bj_server.bank.syncer import Syncer

__all__ = ["JOURNAL_NAME", "Journal"]

JOURNAL_NAME = "journal-000001.jsonl"


class Journal:
    """An open journal; it belongs to one thread, the one that opened it."""

    def __init__(self, path: Path, descriptor: int, place: Place, now: Clock) -> None:
        """Go on at ``place``; callers use ``open``."""
        self.path = path
        self.repaired: str | None = None
        """A sentence about the torn line that the start found, if it found one."""
        self.seq = place.seq
        """The number of the last line appended."""
        self.digest = place.digest
        """The SHA-256 of the last line appended."""
        self._now = now
        self._buffer: list[bytes] = []
        self._descriptor = descriptor
        self._syncer = Syncer(path, descriptor, place.seq)

    @classmethod
    def open(
        cls,
        folder: Path,
        now: Clock,
        *,
        visit: Visit = lambda line: None,
        known: int = 0,
    ) -> Self:
        """Read the journal of a folder back, or begin one, and go on writing it.

        ``visit`` is shown every line. ``known`` is a line that is known to have been
        on the disk: a journal torn at or before it is damaged.

        Raises:
            JournalDamaged: if it is not as it was written, a torn last line aside.
            BankUnusable: if the system refuses a file.
        """
        path = folder / JOURNAL_NAME
        _refuse_other_journals(path)
        # A dangling link exists too: never begin a journal over whatever is there.
        if not os.path.lexists(path):
            with naming(path):
                replace_file(path, _first_line(now))
        with naming(path):
            content = path.read_bytes()
        place = read_on(path, content, Place(), visit, known=known)
        descriptor, repaired = _reopen(path, place, content[place.size :])
        journal = cls(path, descriptor, place, now)
        journal.repaired = repaired
        return journal

    @property
    def written(self) -> int:
        """The number of the last line that the system has."""
        return self._syncer.written

    @property
    def synced(self) -> int:
        """The number of the last line that is known to be on the disk."""
        return self._syncer.synced

    @property
    def has_failed(self) -> bool:
        """Whether nothing can be written any more; so too once closed."""
        return self._syncer.failure is not None

    def append(self, posting: Posting) -> int:
        """Make the posting the next line and return its number; nothing is written.

        Raises:
            BadLine: if its data is not plain JSON; the journal is as before.
            JournalError: if an earlier write or sync failed.
        """
        self._syncer.refuse_if_failed()
        line = Line(
            seq=self.seq + 1,
            time=stamp(self._now()),
            kind=posting.kind,
            table=posting.table,
            round=posting.round,
            entries=posting.entries,
            data=posting.data,
            synced=self.synced,
            prev=self.digest,
        )
        raw = encode(line)
        self._buffer.append(raw + b"\n")
        self.digest = hashlib.sha256(raw).hexdigest()
        self.seq = line.seq
        return line.seq

    def write(self) -> None:
        """Hand all appended lines to the system.

        Raises:
            JournalError: if this or an earlier write or sync failed.
        """
        self._syncer.refuse_if_failed()
        batch = b"".join(self._buffer)
        self._buffer.clear()
        try:
            write_all(self._descriptor, batch)
        except OSError as error:
            self._syncer.fail(why(error))
            raise JournalError(self.path, why(error)) from error
        self._syncer.written = self.seq

    async def durable(self, seq: int) -> None:
        """Wait until the line of that number is on the disk; write it if need be.

        Raises:
            JournalError: if a write or sync failed before it was.
        """
        if seq > self.written:
            self.write()
        if seq > self.synced:
            await self._syncer.wait(seq)

    def sync(self) -> None:
        """Put all appended lines on the disk, on the calling thread.

        Raises:
            JournalError: if this or an earlier write or sync failed.
        """
        self.write()
        self._syncer.sync()
        self._syncer.refuse_if_failed()

    def close(self) -> None:
        """Put all appended lines on the disk, unless failed, and close the file.

        Raises:
            JournalError: if the last write or sync fails; the file is closed then too.
        """
        try:
            if not self.has_failed:
                self.sync()
        finally:
            self._stop()

    def _stop(self) -> None:
        if self._descriptor < 0:
            return
        self._syncer.close()
        self._syncer.fail("it is closed")
        os.close(self._descriptor)
        self._descriptor = -1


def _first_line(now: Clock) -> bytes:
    data = {"format": FORMAT}
    line = Line(
        seq=1,
        time=stamp(now()),
        synced=0,
        prev=NO_LINE,
        kind=Kind.JOURNAL,
        data=data,
    )
    return encode(line) + b"\n"


def _refuse_other_journals(path: Path) -> None:
    for other in sorted(path.parent.glob("journal-*.jsonl")):
        if other.name != path.name:
            reason = f"this server knows {path.name} only, and not what this one holds"
            raise JournalDamaged(other, None, reason)


def _reopen(path: Path, place: Place, torn: bytes) -> tuple[int, str | None]:
    """Open a journal for adding, cut what is torn, and sync what is left."""
    with naming(path):
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            repaired = _cut(path, descriptor, place, torn) if torn else None
            # What the last server wrote may not have reached the disk yet.
            os.fsync(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
    return descriptor, repaired


def _cut(path: Path, descriptor: int, place: Place, torn: bytes) -> str:
    seq = place.seq + 1
    beside = path.with_name(f"{path.stem}.torn-{seq}")
    append_file(beside, torn)
    os.ftruncate(descriptor, place.size)
    return (
        f"A crash cut line {seq} of {path} short. Nobody was told of it; its "
        f"{len(torn)} bytes were moved to {beside.name}."
    )
