"""The cage: the one window through which all money of the bank passes.

In a casino the cage is where the cashier sits. This one checks a posting against the
books, writes it into the journal, and only then carries it out, so that the books
never hold what the journal does not.
"""

import contextlib
import logging
import os
from pathlib import Path

from bj_server.bank.books import Books
from bj_server.bank.clock import Clock, stamp
from bj_server.bank.error import (
    BadLine,
    BankDamaged,
    BankUnusable,
    JournalDamaged,
    JournalError,
    Misposted,
    Overdraft,
)
from bj_server.bank.journal import JOURNAL_NAME, Journal
from bj_server.bank.line import Line
from bj_server.bank.posting import Kind, Posting
from bj_server.bank.snapshot import SNAPSHOT_NAME, Snapshot

__all__ = ["ROUNDS_PER_SNAPSHOT", "Cage"]

ROUNDS_PER_SNAPSHOT = 1000
"""After so many settled rounds the books are audited and ``bank.json`` rewritten."""

_logger = logging.getLogger(__name__)


class Cage:
    """Books and journal in step."""

    def __init__(self, folder: Path, now: Clock) -> None:
        """Read the folder's journal back, and hold its snapshot against it.

        Raises:
            JournalDamaged: if the journal is not as it was written.
            BankDamaged: if the snapshot cannot be read or contradicts the journal.
            BankUnusable: if the system refuses a file.
        """
        self.books = Books()
        self._folder = folder
        self._now = now
        self._settled = 0
        _refuse_lone_snapshot(folder)
        self._old = Snapshot.read(folder)
        known = 0 if self._old is None else self._old.seq
        self.journal = Journal.open(folder, now, visit=self._read, known=known)
        self._refuse_other_snapshot()

    def post(self, posting: Posting) -> int:
        """Check, write down and carry out a posting; return the number of its line.

        Nothing is durable, and nobody may be told, before ``commit``.

        Raises:
            Overdraft: if somebody would owe.
            Misposted: if it does not fit the stakes held for its round.
            BadLine: if its data is not plain JSON.
            JournalError: if an earlier write or sync failed.
        """
        self.books.check(posting)
        seq = self.journal.append(posting)
        self.books.apply(posting)
        if posting.kind == Kind.SETTLE:
            self._settled += 1
        return seq

    async def commit(self, written: int, durable: int) -> None:
        """Wait until one line is written and another is on the disk.

        Raises:
            JournalError: if a write or sync failed before.
            Unbalanced: if the books, audited now and then, contradict themselves.
        """
        if written > self.journal.written:
            self.journal.write()
        if durable > self.journal.synced:
            await self.journal.durable(durable)
        if self._settled >= ROUNDS_PER_SNAPSHOT:
            self._checkpoint()

    def take_notices(self, handle: str) -> tuple[str, ...]:
        """Return the sentences that the handle must be told, once."""
        sentences = self.books.notices(handle)
        if sentences:
            # Where this cannot be written, they are told again: better than never.
            with contextlib.suppress(JournalError):
                self.post(Posting(kind=Kind.TOLD, data={"handle": handle}))
                self.journal.write()
        return sentences

    def snapshot(self) -> None:
        """Put all lines on the disk and the balances into ``bank.json``.

        Raises:
            JournalError: if the journal cannot be written.
            BankUnusable: if ``bank.json`` cannot.
        """
        self._settled = 0
        # A snapshot must never know a line that a power cut could take away.
        self.journal.sync()
        Snapshot.of(
            self.books,
            seq=self.journal.seq,
            line_sha256=self.journal.digest,
            time=stamp(self._now()),
        ).write(self._folder)

    def close(self) -> None:
        """Write the last snapshot and close the journal.

        Raises:
            JournalError: if the last lines cannot be written.
        """
        try:
            # After a failure the books may be ahead of the journal.
            if not self.journal.has_failed and self.books.open_table is None:
                self._try_snapshot()
        finally:
            self.journal.close()

    def _checkpoint(self) -> None:
        self.books.audit()
        self._try_snapshot()

    def _try_snapshot(self) -> None:
        try:
            self.snapshot()
        except BankUnusable as error:
            # The journal has everything; the old snapshot still agrees with it.
            _logger.warning("%s", error)

    def _read(self, line: Line) -> None:
        if self._old is not None and line.seq == self._old.seq + 1 > 1:
            self._old.compare(self._folder / SNAPSHOT_NAME, line.prev, self.books)
        try:
            self.books.apply(line)
        except (Overdraft, Misposted) as error:
            raise BadLine(f"it does not fit the lines before it. {error}") from None

    def _refuse_other_snapshot(self) -> None:
        """The journal must reach as far as the snapshot."""
        if self._old is None or 1 <= self._old.seq < self.journal.seq:
            return
        if 1 <= self._old.seq == self.journal.seq:
            path = self._folder / SNAPSHOT_NAME
            self._old.compare(path, self.journal.digest, self.books)
            return
        self.journal.close()
        reason = (
            f"is of line {self._old.seq}, but the journal has the lines 1 to "
            f"{self.journal.seq}"
        )
        raise BankDamaged(self._folder / SNAPSHOT_NAME, reason)


def _refuse_lone_snapshot(folder: Path) -> None:
    """Never begin anew where there was a bank once."""
    journal, snapshot = folder / JOURNAL_NAME, folder / SNAPSHOT_NAME
    if os.path.lexists(snapshot) and not os.path.lexists(journal):
        reason = f"it is missing, though {snapshot.name} is there"
        raise JournalDamaged(journal, None, reason)
