"""The journal: JSON lines in segments, only ever added to.

Theory of operation. The bank's state is what the lines of the journal add up to, so
money is safe exactly as far as its lines are. A line passes three points:

* ``append`` gives it a number, ties it to the line before and puts it in a buffer;
* ``write`` hands the buffer to the system, in one call if the system takes it in one,
  on the thread of the caller. From here on the line survives ``kill -9``;
* ``durable`` waits until the disk has it. From here on it survives a power cut, and
  people may be told.

Syncing is slow and may be shared. One thread does it: it notes how far the file is
written, syncs, and wakes every table whose line lies before that point. Tables that
come while it is busy are served together by its next turn (group commit).

When a write or a sync fails, the journal is stalled. The system reports a lost page
once and may call the next sync a success, so nothing after the last good sync is
trusted: all lines since then are kept in memory, and ``mend`` opens the file anew, cuts
it at that place, writes them again and syncs. A new segment, and one that takes the
place of a deleted file, are made in the same way: as a file of which nothing is synced.
"""

import asyncio
import hashlib
import os
from pathlib import Path

from bj_server.bank.disk import make_folder, replace_file, sync, why, write_all
from bj_server.bank.error import BankUnusableError, JournalError, JournalStalledError
from bj_server.bank.line import HEADER, encode
from bj_server.bank.move import Clock, stamp
from bj_server.bank.reader import Position
from bj_server.bank.segment import Closed, segment_path
from bj_server.bank.syncer import Syncer, check_own

_Parts = tuple[tuple[Position, bytes], ...]
"""Bytes that follow one another, each with the place of its end."""


class Journal:
    """An open journal; it belongs to one thread, that of the event loop.

    All that writes or syncs raises ``JournalStalledError`` if that, or an earlier write
    or sync, has failed.
    """

    def __init__(
        self, folder: Path, number: int, place: Position, content: bytes, now: Clock
    ) -> None:
        """Go on writing segment ``number``, which holds ``content`` up to ``place``."""
        self.folder = folder
        self.number = number
        """The segment that is written."""
        self.place = place
        """The end of the last line appended."""
        self._now = now
        self._hash = hashlib.sha256(content)
        self._buffer: list[bytes] = []
        self._unsynced: list[tuple[Position, bytes]] = []
        """The parts that were written since the last good sync, each with its end."""
        self.is_closed = False
        """Whether nothing more is taken."""
        self._is_new = False
        """Whether the segment is yet to be made."""
        self._descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        self._syncer = Syncer(self.path, self._descriptor, place)

    @property
    def path(self) -> Path:
        """The file that is written."""
        return segment_path(self.folder, self.number)

    @property
    def seq(self) -> int:
        """The number of the last line appended."""
        return self.place.seq

    @property
    def sha256(self) -> str:
        """The SHA-256 of all of the segment's lines so far."""
        whole = self._hash.copy()
        whole.update(b"".join(self._buffer))
        return whole.hexdigest()

    @property
    def written(self) -> int:
        """The number of the last line that the system has."""
        return self._syncer.written.seq

    @property
    def synced(self) -> int:
        """The number of the last line that is known to be on the disk."""
        return self._syncer.synced.seq

    @property
    def synced_place(self) -> Position:
        """The end of that line."""
        return self._syncer.synced

    @property
    def stalled(self) -> str | None:
        """Why nothing can be written just now; None while all is well."""
        return self._syncer.failure

    def takes_no_more(self) -> JournalError:
        """Return the error of a line that comes after the end."""
        return JournalError(self.path, "it is closed")

    def append(self, says: str) -> int:
        """Make the next line, which says this, and return its number.

        Nothing is written.
        """
        if self.is_closed:
            raise self.takes_no_more()
        place, synced = self.place, self._syncer.synced.seq
        seq, time = place.seq + 1, stamp(self._now())
        raw = encode(says, seq=seq, time=time, synced=synced, prev=place.digest)
        self._buffer.append(raw + b"\n")
        self.place = Position(
            seq=seq,
            digest=hashlib.sha256(raw).hexdigest(),
            size=place.size + len(raw) + 1,
        )
        return seq

    def write(self) -> None:
        """Hand all appended lines to the system."""
        batch = self._take_buffer()
        self._syncer.refuse_if_failed()
        try:
            self._refuse_if_changed()
            write_all(self._descriptor, batch)
        except OSError as error:
            self._syncer.fail(why(error))
            raise JournalStalledError(self.path, why(error)) from error
        self._syncer.written = self.place

    async def durable(self, seq: int) -> None:
        """Wait until the line of that number is on the disk; write it if need be."""
        if seq > self.written:
            self.write()
        if seq > self.synced:
            await self._syncer.wait(seq)

    def sync(self) -> None:
        """Put all appended lines on the disk, on the calling thread."""
        self.write()
        self._syncer.sync()
        self._syncer.refuse_if_failed()

    def turn_page(self) -> Closed:
        """Close the segment, which must be synced, and begin the next one.

        The next one is not on the disk before ``mend``; until then nothing is written.
        """
        closed = Closed(
            name=self.path.name,
            seq=self.place.seq,
            size=self.place.size,
            sha256=self.sha256,
        )
        self.leave_file()
        return closed

    def leave_file(self) -> None:
        """Go on in a new segment, whatever became of the one so far.

        Lines that were not synced are forgotten: a snapshot has to have them.
        """
        self._syncer.fail("the next segment is not made yet")
        self._syncer.settle()
        self._buffer.clear()
        self._unsynced.clear()
        self.number += 1
        self.place = Position(seq=self.place.seq, digest=self.place.digest)
        self._hash = hashlib.sha256()
        self._is_new = True
        self.append(HEADER)

    async def mend(self) -> None:
        """Try to write down anew what was not synced; its file I/O is on a thread.

        Raises:
            FileNotFoundError: if the file that was written is gone.
        """
        parts = self._parts()
        rewritten = asyncio.to_thread(self._try_rewrite, parts, self.sha256)
        self._adopt(parts, await rewritten)

    def mend_now(self) -> None:
        """Do the same on the calling thread."""
        parts = self._parts()
        self._adopt(parts, self._try_rewrite(parts, self.sha256))

    def close(self) -> None:
        """Put all appended lines on the disk, unless stalled, and close the file."""
        try:
            if self.stalled is None and not self.is_closed:
                self.sync()
        finally:
            self._stop()

    def _stop(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        self._syncer.close()
        os.close(self._descriptor)

    def _refuse_if_changed(self) -> None:
        """Check that nobody else has written to the file, or cut it short."""
        size, ours = os.fstat(self._descriptor).st_size, self._syncer.written.size
        if size > ours:
            raise OSError("another program has written to it")
        if size < ours:
            raise OSError("another program has cut it short")

    def _take_buffer(self) -> bytes:
        """Move what was appended to what is not synced yet."""
        synced = self._syncer.synced.seq
        if self._unsynced and self._unsynced[0][0].seq <= synced:
            self._unsynced = [part for part in self._unsynced if part[0].seq > synced]
        batch = b"".join(self._buffer)
        self._buffer.clear()
        if batch:
            self._hash.update(batch)
            self._unsynced.append((self.place, batch))
        return batch

    def _parts(self) -> _Parts:
        """Return all that is not synced yet."""
        self._take_buffer()
        return tuple(self._unsynced)

    def _try_rewrite(self, parts: _Parts, sha256: str) -> int:
        try:
            return self._rewrite(parts, sha256)
        except OSError as error:
            self._syncer.failure = why(error)
            if isinstance(error, FileNotFoundError) and not self._is_new:
                raise
            raise JournalStalledError(self.path, why(error)) from error
        except BankUnusableError as error:
            self._syncer.failure = error.reason
            raise JournalStalledError(error.path, error.reason) from error

    def _rewrite(self, parts: _Parts, sha256: str) -> int:
        """Make the file hold what is synced and ``parts``, safely; return it open.

        ``sha256`` is that of all this.
        """
        synced = self._syncer.settle()
        rest = b"".join(raw for place, raw in parts if place.seq > synced.seq)
        if self._is_new:
            make_folder(self.folder)
            replace_file(self.path, rest)
            return os.open(self.path, os.O_WRONLY | os.O_APPEND)
        check_own(self.path, self._descriptor, synced.size)
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND)
        try:
            ours = os.pread(descriptor, synced.size, 0)
            if hashlib.sha256(ours + rest).hexdigest() != sha256:
                raise FileNotFoundError("another program has changed it")
            os.ftruncate(descriptor, synced.size)
            write_all(descriptor, rest)
            sync(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _adopt(self, parts: _Parts, descriptor: int) -> None:
        os.close(self._descriptor)
        self._descriptor = descriptor
        end = parts[-1][0] if parts else self._syncer.synced
        self._syncer.adopt(self.path, descriptor, end)
        self._is_new = False
