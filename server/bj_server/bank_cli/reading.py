"""Reading: the one way in which ``bj-bank`` looks at the files of a bank.

It takes no lock and changes nothing, so a server may be writing meanwhile. A part that
the server has only half written is no error: the reading stops before it, and says so.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from bj_server.bank.books import Books
from bj_server.bank.disk import naming
from bj_server.bank.error import BankDamagedError, JournalDamagedError
from bj_server.bank.history import History, read_history
from bj_server.bank.line import Line
from bj_server.bank.move import handle_of
from bj_server.bank.reader import Visit
from bj_server.bank.segment import segment_path
from bj_server.bank.snapshot import SNAPSHOT_NAME, STATEMENT_NAME, Snapshot, newest
from bj_server.bank_cli.report import Exit, RefusedError, progress


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The place at which a reading has ended."""

    seq: int
    """The number of the last line that counts."""
    digest: str
    """Its SHA-256."""
    remark: str | None
    """A sentence about what came after it, if anything did."""
    torn: int = 0
    """The bytes of that."""


class Reading:
    """A bank folder that is about to be read."""

    def __init__(self, folder: Path) -> None:
        """Read the ``bank.json`` of a folder, without which the journal has all too."""
        self._folder = folder
        _refuse_if_missing(folder)
        self.opening = Snapshot.read(folder, STATEMENT_NAME)
        """From which the journal begins, where the segments before are gone."""
        # Before the journal, which is then at least as far as it says.
        self.snapshot: Snapshot | None = None
        self.damage: str | None = None
        """A sentence about a damaged ``bank.json``."""
        try:
            self.snapshot = Snapshot.read(folder)
        except BankDamagedError as error:
            self.damage = str(error)

    def read(self, visit: Visit, what: str = "") -> End:
        """Verify the journal from its first byte, and show every line to ``visit``.

        With a name for ``what`` it is for, the progress is shown.

        Raises:
            JournalDamagedError: naming the first line that is not as it was written.
            BankDamagedError: if the journal does not reach as far as ``bank.json``.
            BankUnusableError: if the system refuses.
        """
        known = 0 if self.snapshot is None else self.snapshot.place.seq
        with progress(what, known) as step:

            def visited(line: Line) -> None:
                step(line.seq)
                visit(line)

            history = read_history(self._folder, self.opening, visited)
        last = history.place.seq
        if known > last:
            reason = f"is of line {known}, but the journal ends with line {last}"
            raise BankDamagedError(self._folder / SNAPSHOT_NAME, reason)
        return self.end(history)

    def books(self) -> Books:
        """Return the books with which the journal begins."""
        return Books() if self.opening is None else self.opening.books(self._folder)

    def end(self, history: History) -> End:
        """Return the end of the reading of a history."""
        place, remark = history.place, self.damage
        if history.torn:
            name = segment_path(self._folder, history.number).name
            after = (
                f"Line {place.seq} of {name} is the last one read: the rest is not "
                "complete, as while a server writes or after a crash."
            )
            remark = f"{remark} {after}" if remark else after
        torn = len(history.torn)
        return End(seq=place.seq, digest=place.digest, remark=remark, torn=torn)


def read_books(folder: Path) -> tuple[Books, End]:
    """Return the books of a bank as its journal has them now."""
    reading = Reading(folder)
    snapshot = newest(reading.snapshot, reading.opening)
    books = Books() if snapshot is None else snapshot.books(folder)

    history = read_history(folder, snapshot, books.follow)
    books.audit()
    return books, reading.end(history)


def players(books: Books) -> dict[str, int]:
    """Return the free money of each player, in the order of the handles."""
    accounts = ((handle_of(a), cents) for a, cents in books.ledger.accounts.items())
    return {handle: cents for handle, cents in accounts if handle is not None}


def _refuse_if_missing(folder: Path) -> None:
    with naming(folder):
        try:
            names = os.listdir(folder)
        except (FileNotFoundError, NotADirectoryError):
            names = []
    if any(name.startswith("journal-") for name in names):
        return
    if SNAPSHOT_NAME in names:
        reason = f"it is missing, though {SNAPSHOT_NAME} is there"
        raise JournalDamagedError(segment_path(folder, 1), None, reason)
    raise RefusedError(
        f"There is no bank in {folder}: name the folder of one, as with --bank, or "
        "start bj-server once to have one made.",
        Exit.NO_BANK,
    )
