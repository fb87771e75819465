"""The bank of one folder: a server opens it once, and gives each table a till."""

import asyncio
import logging
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Self

from bj_game.money import dollars
from bj_server.bank.disk import make_folder
from bj_server.bank.error import FleetFolderError
from bj_server.bank.lock import FolderLock
from bj_server.bank.move import (
    DONOR,
    PLAYER,
    Clock,
    Entry,
    Kind,
    Posting,
    Reason,
    moved,
    utc_now,
)
from bj_server.bank.signer import Signer
from bj_server.bank.store import SEGMENT_BYTES, Pause, Store
from bj_server.bank.till import Till
from bj_server.bank.visit import Arrival, Departure, Membership
from bj_server.gauges import NO_GAUGES, Gauges

_log = logging.getLogger(__name__)


class Bank(Store):
    """An open bank; it belongs to one thread, that of the event loop.

    Handles are given in their one spelling.
    """

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        keep: Collection[str] | None = (),
        in_fleet: bool = False,
        now: Clock = utc_now,
        segment_bytes: int = SEGMENT_BYTES,
        pause: Pause = asyncio.sleep,
        gauges: Gauges = NO_GAUGES,
    ) -> Self:
        """Open the bank of a folder, which is made if it is not there.

        The bank reads ``bank.json`` and the lines of the journal after it, and compares
        all before with its hashes. The stakes of unfinished rounds go back to their
        players, who get a notice. At the tables of ``keep`` they stay, so that the
        tables go on; with None they stay at all tables. The folder of a fleet's server
        is opened only ``in_fleet``. A segment of the journal is closed once it has
        ``segment_bytes``. ``pause`` waits between two tries to mend the journal, and
        ``gauges`` are told how long the disk takes.

        Raises:
            FolderLockedError: if another server holds the folder.
            FleetFolderError: if the folder belongs to a server of a fleet.
            JournalDamagedError: if the journal is not as it was written.
            BankDamagedError: if ``bank.json`` is not as it was written.
            UnknownFormatError: if a server of another release has written the folder.
            BankUnusableError: if the system refuses a file.
            JournalStalledError: if the stakes that go back cannot be written down.
            UnbalancedError: if the books contradict themselves.
        """
        with ExitStack() as undo:
            make_folder(folder)
            lock = FolderLock(folder, now=now)
            undo.callback(lock.release)
            bank = cls(
                lock, now, segment_bytes=segment_bytes, pause=pause, gauges=gauges
            )
            undo.callback(bank.stop)
            fleet = bank.books.fleet
            if fleet is not None and not in_fleet:
                raise FleetFolderError(folder, fleet.name)
            bank.audit()
            bank.leave_old_format()
            if keep is not None:
                _leave_others(bank, keep)
            bank.snapshot()
            undo.pop_all()
        return bank

    @cached_property
    def signer(self) -> Signer:
        """The signer of this run of the server, with the key of the folder."""
        return Signer.open(self._lock.folder)

    def balance(self, handle: str) -> int:
        """Return the free cents of a handle, live stakes not among them."""
        return self.books.ledger.balance(PLAYER + handle)

    def reset_key(self, handle: str) -> bool:
        """Forget the key of a handle for good; return whether there was one.

        The next to join claims the handle anew.
        """
        if handle not in self.books.keys:
            return False
        data = {"handle": handle, "sha256": None}
        self.post(Posting(kind=Kind.KEY, data=data))
        self.journal.sync()
        return True

    def claim(self, handle: str, sha256: str) -> None:
        """Let a handle that is not claimed be known by a key; it is durable then."""
        self.post(Posting(kind=Kind.KEY, data={"handle": handle, "sha256": sha256}))
        self.journal.sync()

    def give(self, handle: str, amount: int) -> None:
        """Give a handle the donor's cents, at no table; they are durable then."""
        given = moved(Reason.GIFT, DONOR, PLAYER + handle, amount)
        self.post(Posting(kind=Kind.GIFT, entries=(given,)))
        self.journal.sync()

    def arrive(self, arrival: Arrival) -> int:
        """Let a player in with money; return the line, which is to be synced."""
        self.post(arrival.posting)
        return self.journal.seq

    def depart(self, handle: str) -> tuple[int, Departure]:
        """Let a player go with all of it; return the line, which is to sync.

        Raises:
            MispostedError: if something is held for the handle.
        """
        books = self.books
        departure = Departure(
            id=books.visits[handle],
            handle=handle,
            cents=self.balance(handle),
            notices=tuple(books.notices.get(handle, ())),
        )
        self.post(departure.posting)
        return self.journal.seq, departure

    def join_fleet(self, membership: Membership) -> None:
        """Mark the folder as a fleet's, at each start; it is durable then."""
        self.post(membership.posting)
        self.journal.sync()

    def put_account(self, handle: str, cents: int, sha256: str | None) -> None:
        """Open an account as it was elsewhere, which is to be synced."""
        entries: tuple[Entry, ...] = ()
        if cents:
            account = PLAYER + handle
            entries = (moved(Reason.OPENING_BALANCE, DONOR, account, cents),)
        data: dict[str, object] = {"handle": handle}
        self.post(Posting(kind=Kind.OPEN, entries=entries, data=data))
        if sha256 is not None:
            self.post(Posting(kind=Kind.KEY, data=data | {"sha256": sha256}))

    def close_accounts(self, handles: Iterable[str]) -> None:
        """Close accounts; what they hold goes back to the donor, and all is durable."""
        for handle in handles:
            moves = self.books.back_to_donor(handle)
            entries = (Entry(reason=Reason.CLOSING_BALANCE, moves=moves),)
            data = {"handle": handle}
            self.post(Posting(kind=Kind.CLOSE, entries=entries, data=data))
        self.journal.sync()

    @cached_property
    def _tills(self) -> dict[str, Till]:
        return {}

    def till(self, table: str) -> Till:
        """Return the till of a table, always the same one."""
        return self._tills.setdefault(table, Till(self, table))


def _leave_others(bank: Bank, keep: Collection[str]) -> None:
    """Void the rounds of all tables but those to ``keep``; nobody sits there then."""
    books, rounds = bank.books, bank.books.live_rounds
    sat_at = {
        table
        for table, pending in books.pending_rounds.items()
        if pending.state and pending.state.get("seats")
    }
    for table in sorted((sat_at | {table for table, _ in rounds}) - {*keep}):
        till = bank.till(table)
        told, state = till.pending.told, till.pending.state
        for round in [round for at, round in rounds if at == table]:
            for handle, cents in sorted(till.void(round, told).items()):
                known = {"table": table, "round": round, "handle": handle}
                what = "%s goes back, for the server has that table no more"
                _log.warning(what, dollars(cents), extra=known)
        till.seal({**(state or {}), "seats": []})
