"""A witness: holds what players were told against what a bank folder has."""

from pathlib import Path
from typing import Any

from bj_server.bank.books import Books
from bj_server.bank.history import read_history
from bj_server.bank.line import Line
from bj_server.bank.snapshot import Snapshot

OPENING = 10_000_00

Told = set[tuple[int, str, int]]
"""Rounds, handles and cents."""


class Witness:
    """Knows the bets and payouts that were told, and the lines that were read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bets: Told = set()
        """Told since the last comparison."""
        self.payouts: Told = set()
        self.bets_told = self.payouts_told = 0
        self.lines = 0
        """The number of the last line that was read."""
        self._staked: Told = set()
        self._paid: Told = set()

    def compare(self) -> Books:
        """Verify the whole folder, read what is new, and find all that was told."""
        books = self._read()
        books.audit()
        for account, cents in books.ledger.accounts.items():
            assert cents >= 0 or account in ("house", "donor", "vault"), account
        assert books.ledger.accounts.get("donor", 0) % OPENING == 0
        assert self.bets <= self._staked
        assert self.payouts <= self._paid
        self.bets_told += len(self.bets)
        self.payouts_told += len(self.payouts)
        self.bets.clear()
        self.payouts.clear()
        return books

    def _read(self) -> Books:
        """Return the books; the lines before ``bank.json`` are only held to hashes."""
        snapshot = Snapshot.read(self.folder)
        if snapshot is not None and snapshot.place.seq > self.lines:
            snapshot = None  # it knows lines that nobody here has read yet
        books = Books() if snapshot is None else snapshot.books(self.folder)

        def note(line: Line) -> None:
            books.apply(line)
            self._note(line)

        self.lines = read_history(self.folder, snapshot, note).place.seq
        return books

    def _note(self, line: Line) -> None:
        if line.round is None:
            return
        if line.kind == "stake":
            for move in line.moves:
                handle = move.source.partition(":")[2]
                self._staked.add((line.round, handle, move.amount))
        if line.kind == "settle":
            results: Any = line.data["results"]
            for each in results:
                self._paid.add((line.round, each["handle"], each["payout"]))
