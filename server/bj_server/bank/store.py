"""The store: books and journal, through which all money of the bank passes.

All that one command to a table does becomes one line of the journal. The postings of
the command are carried out as they come, since one may depend on another, and nobody
can ask in between: a command is carried out at once, and its line is made at its end.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import perf_counter

from bj_server.bank.books import Books
from bj_server.bank.disk import make_folder, naming
from bj_server.bank.error import (
    BankUnusableError,
    JournalError,
    JournalStalledError,
    MispostedError,
    UnbalancedError,
)
from bj_server.bank.history import History, begin, go_on, read_history
from bj_server.bank.line import FORMAT, act, command
from bj_server.bank.lock import FolderLock
from bj_server.bank.move import Clock, Kind, Posting, stamp
from bj_server.bank.reader import Position, format_of
from bj_server.bank.segment import SegmentPacker, find_segments, segment_path
from bj_server.bank.snapshot import (
    STATEMENT_NAME,
    Snapshot,
    SnapshotWriter,
    newest,
    state,
)
from bj_server.gauges import Gauges

ROUNDS_PER_SNAPSHOT = 1000
"""After so many settled rounds the books are audited and ``bank.json`` rewritten."""

SEGMENT_BYTES = 16 * 2**20
"""After so many bytes a segment is closed, and the next one begun."""

MOST_UNSYNCED = 1024
"""Lines that may be on no disk yet; they are kept in memory until they are."""

RETRY_SECONDS = 1.0
"""How long a stalled journal is left alone before the next try to mend it."""

Pause = Callable[[float], Awaitable[None]]
"""Waits for a number of seconds."""

_logger = logging.getLogger(__name__)


class Store:
    """Books and journal in step.

    Whatever needs the disk raises ``JournalStalledError`` if it cannot be written just
    now; what audits the books, ``UnbalancedError`` if they contradict themselves.
    """

    def __init__(
        self,
        lock: FolderLock,
        now: Clock,
        *,
        segment_bytes: int,
        pause: Pause,
        gauges: Gauges,
    ) -> None:
        """Verify the locked folder, and go on where it ends."""
        self._lock = lock
        self._folder = lock.folder
        self._now = now
        self._segment_bytes = segment_bytes
        self._pause = pause
        self._gauges = gauges
        self.is_sound = True
        """Whether the last audit found the books right."""
        self._audited_at = perf_counter()
        self._is_stall_told = False
        self._settled = 0
        self._acts: list[str] = []
        """The texts of what the command that is being carried out has done so far."""
        self.open_table: str | None = None
        """The table of that command; None between commands."""
        self._needs_disk = False
        """Whether people may be told of that command only once it is on the disk."""
        self._mending = asyncio.Lock()
        self._writer = SnapshotWriter(self._folder)
        self._rescue: Snapshot | None = None
        """The snapshot to write before a journal whose file was deleted goes on."""
        history = self._read_back()
        self._closed = history.closed
        self._is_of_old_format = format_of(history.content) != FORMAT
        self.journal, self.repaired = go_on(self._folder, history, now)
        self._packer = SegmentPacker()
        self._packing = 0
        self._pack()

    def post(self, posting: Posting, *, durable: bool = True) -> None:
        """Carry out a posting, or nothing of it.

        One of a table is in the journal once the command has its ``seal``; nothing is
        safe, and nobody may be told, before ``commit``. That waits for the disk if one
        posting of the command is ``durable``.
        """
        table = posting.table
        if self.open_table is not None and self.open_table != table:
            raise has_no_end(self.open_table)
        if self.journal.is_closed:
            raise self.journal.takes_no_more()
        text = act(posting)
        self.books.apply(posting)
        if table is None:
            self.journal.append(command(None, [text], None))
            return
        self._acts.append(text)
        self.open_table = table
        self._needs_disk |= durable
        if posting.kind == Kind.SETTLE:
            self._settled += 1

    def seal(self, table: str, change: Mapping[str, object]) -> tuple[int, bool]:
        """End a command, which has changed the state of its table so.

        Returns the number of its line, and whether it must be on the disk before
        people are told.
        """
        if self.open_table is not None and self.open_table != table:
            raise has_no_end(self.open_table)
        says = command(table, self._acts, change)
        self.books.seal(table, change)
        sealed = self.journal.append(says), self._needs_disk
        self._acts.clear()
        self.open_table, self._needs_disk = None, False
        return sealed

    async def commit(self, written: int, durable: int) -> None:
        """Wait until one line is written and another is on the disk.

        If the journal is stalled, wait for ``mended`` and try again.
        """
        journal = self.journal
        if written > journal.written:
            await asyncio.sleep(0)  # tables that are about to write share one write
            if written > journal.written:
                journal.write()
        if written - (synced := journal.synced) > MOST_UNSYNCED:
            durable = written
        if durable > synced:
            began = perf_counter()
            await journal.durable(durable)
            self._gauges.committed(perf_counter() - began)
        if self._settled >= ROUNDS_PER_SNAPSHOT:
            await self._checkpoint()
        if journal.place.size >= self._segment_bytes:
            await self._turn_page()

    def audit(self, books: Books | None = None) -> None:
        """Check the books, or a copy of them; note when and with what result."""
        self._audited_at, self.is_sound = perf_counter(), False
        (books or self.books).audit()
        self.is_sound = True

    @property
    def audit_age(self) -> float:
        """The seconds since the last audit, however the clock was set meanwhile."""
        return perf_counter() - self._audited_at

    async def mended(self) -> None:
        """Wait until the journal can be written again, trying now and then."""
        while self.journal.stalled is not None:
            self._tell_stall()
            # One tries for all who wait.
            async with self._mending:
                if self.journal.stalled is not None:
                    await self._pause(RETRY_SECONDS)
                    await self._mend()
        self._tell_stall()

    async def mend_once(self) -> bool:
        """Try at once, and once, to write again; return whether that is possible."""
        async with self._mending:
            if self.journal.stalled is not None:
                await self._mend()
        return self.journal.stalled is None

    def _tell_stall(self) -> None:
        """Log once that the journal cannot be written, and once that it can again."""
        reason, was_told = self.journal.stalled, self._is_stall_told
        self._is_stall_told = reason is not None
        if reason is not None and not was_told:
            _logger.error(
                "the bank cannot write, so the tables pause: %s. They go on by "
                "themselves once it can: mend the disk, or free some space",
                reason,
            )
        elif reason is None and was_told:
            _logger.warning("the bank can write again, and the tables go on")

    def take_notices(self, handle: str) -> tuple[str, ...]:
        """Return the sentences that the handle must be told, once."""
        sentences = tuple(self.books.notices.get(handle, ()))
        if sentences:
            # If this cannot be written, they are told again: better than never.
            with contextlib.suppress(JournalError):
                self.post(Posting(kind=Kind.TOLD, data={"handle": handle}))
                self.journal.write()
        return sentences

    def snapshot(self) -> None:
        """Put all lines on the disk and the books into ``bank.json``."""
        self.audit()
        self._settled = 0
        # A snapshot must never know a line that a power cut could take away.
        self.journal.sync()
        self._writer.write(self._note_place()(self.books))

    def close(self) -> None:
        """Write all down, ``bank.json`` too, and let the next server in."""
        if self.journal.is_closed:
            return
        try:
            # After a failure the books may be ahead of the journal; and in the middle
            # of a command there is nothing that would count.
            if self.journal.stalled is None and self.open_table is None:
                with contextlib.suppress(UnbalancedError):
                    self._save_last()
        finally:
            self.stop()

    def stop(self) -> None:
        """Close the journal, leave ``bank.json`` as it is, let the next server in."""
        try:
            self.journal.close()
        finally:
            self._packer.close()
            self._lock.release()

    def _read_back(self) -> History:
        statement = Snapshot.read(self._folder, STATEMENT_NAME)
        snapshot = newest(Snapshot.read(self._folder), statement)
        self.books = Books() if snapshot is None else snapshot.books(self._folder)
        history = read_history(self._folder, snapshot, self.books.follow)
        if history.number == 0:
            begin(self._folder, 1, Position(), self._now)
            history = read_history(self._folder, None, self.books.follow)
        is_cut = find_segments(self._folder)[0] > 1
        self.lacks_statement = is_cut and statement is None
        """Whether what the journal begins with is not there any more."""
        return history

    def leave_old_format(self) -> None:
        """Write no more lines into a segment of an older format."""
        if self._is_of_old_format:
            self._closed.append(self.journal.turn_page())
            self.journal.mend_now()
            self._pack()

    def _note_place(self) -> Callable[[Books], Snapshot]:
        """Return the maker of a snapshot of books as of this end of the journal."""
        journal = self.journal
        place = partial(
            Snapshot,
            time=stamp(self._now()),
            number=journal.number,
            place=journal.place,
            sha256=journal.sha256,
            closed=tuple(self._packer.newest(each) for each in self._closed),
        )
        return lambda books: place(statement=state(books))

    async def _checkpoint(self) -> None:
        """Audit the books, and write them down while other tables play on."""
        self._settled = 0
        books, take_down, seq = self.books.copy(), self._note_place(), self.journal.seq
        # Work that grows with the accounts is for a thread, not for the event loop.
        try:
            await asyncio.to_thread(self.audit, books)
        except UnbalancedError:
            self._settled = ROUNDS_PER_SNAPSHOT  # so that nobody commits any more
            raise
        # A snapshot must never know a line that a power cut could take away.
        await self.journal.durable(seq)
        try:
            await asyncio.to_thread(lambda: self._writer.write(take_down(books)))
        except BankUnusableError as error:
            _logger.warning("%s", error)

    def _try_snapshot(self) -> None:
        try:
            self.snapshot()
        except BankUnusableError as error:
            # The journal has everything; the old snapshot still agrees with it.
            _logger.warning("%s", error)

    def _save_last(self) -> None:
        try:
            self._try_snapshot()
        except JournalStalledError:
            try:
                self.journal.mend_now()
            except FileNotFoundError:
                self._write_rescue(self._leave_file())
                self.journal.mend_now()
            self._try_snapshot()

    async def _turn_page(self) -> None:
        """Begin the next segment; if that fails, the journal is stalled."""
        with contextlib.suppress(JournalStalledError):
            self.journal.sync()
            self._closed.append(self.journal.turn_page())
            self.journal.mend_now()
            await self._checkpoint()
            self._pack()

    def _pack(self) -> None:
        """Have the segments packed that are closed; the next one is on the disk."""
        for closed in self._closed[self._packing :]:
            path = self._folder / closed.name
            if path.suffix != ".gz":
                self._packer.submit(path, closed.seq)
        self._packing = len(self._closed)

    async def _mend(self) -> None:
        try:
            if self._rescue is not None:
                await asyncio.to_thread(self._write_rescue, self._rescue)
            await self.journal.mend()
        except FileNotFoundError:
            self._rescue = self._leave_file()
        except (BankUnusableError, JournalStalledError) as error:
            _logger.info("%s", error)
        else:
            self._rescue = None
            self._pack()

    def _leave_file(self) -> Snapshot:
        """Go on in a new segment, as of the books, since the old file is not ours."""
        folder, journal = self._folder, self.journal
        _logger.error(
            "others have changed the bank while it is open: %s: %s. No balance is "
            "lost: the journal goes on in %s from %s; earlier rounds are only in "
            "the rest of the older files. Keep other programs out of the folder",
            journal.path,
            journal.stalled,
            segment_path(folder, journal.number + 1).name,
            STATEMENT_NAME,
        )
        self._closed, self._packing = [], 0
        statement = Snapshot(
            time=stamp(self._now()),
            number=journal.number + 1,
            place=Position(seq=journal.seq, digest=journal.place.digest),
            statement=state(self.books),
        )
        journal.leave_file()
        return statement

    def _write_rescue(self, snapshot: Snapshot) -> None:
        folder = self._folder
        make_folder(folder)
        self._lock.renew()
        begin(folder, snapshot.number, snapshot.place, self._now)
        # From here on the folder opens again, whenever a crash comes.
        snapshot.write(folder, STATEMENT_NAME)
        self._writer.write(snapshot)
        old = segment_path(folder, snapshot.number - 1)
        with naming(old):
            if os.path.lexists(old):
                old.replace(old.with_name(f"{old.stem}.left-{snapshot.place.seq}"))


def has_no_end(table: str) -> MispostedError:
    """Return the error of what comes before the end of a command of a table."""
    return MispostedError(f"The command of table {table} has no end yet.")
