"""Audit: proves that a bank follows from its rules and its own records.

The chain is verified as it is read: every checksum, number and hash. Then each line is
added to a tally of all money, and shown to the inspector of its table, who plays every
round again. Nothing is kept of rounds that are over, so the length of a journal does
not matter.
"""

from dataclasses import dataclass
from itertools import chain

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.error import BankDamagedError, JournalDamagedError
from bj_server.bank.line import Line
from bj_server.bank.move import Kind
from bj_server.bank.snapshot import SNAPSHOT_NAME, STATEMENT_NAME, Snapshot
from bj_server.bank_cli.draw import Secrets
from bj_server.bank_cli.inspector import Findings, Inspector
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import End, Reading
from bj_server.bank_cli.report import Exit, Report, aligned
from bj_server.bank_cli.tally import Tally
from bj_server.history.replay import DifferenceError, compare_fields


@dataclass(eq=False)
class Place:
    """The place of the last line in the journal's files."""

    _segment: int
    _first: int = 1
    seq: int = 0
    """The number of the line, 0 before the first."""

    def follow(self, line: Line) -> None:
        """Go to a line; each segment begins with one of kind ``journal``."""
        self.seq = line.seq
        if line.kind == Kind.JOURNAL:
            self._segment += 1
            self._first = line.seq

    def __str__(self) -> str:
        number = self.seq - self._first + 1
        return f"journal-{self._segment:06}, line {number} (seq {self.seq})"


class Audit:
    """Takes the lines of a journal in their order, and keeps their faults."""

    def __init__(
        self, snapshot: Snapshot | None, first: int = 1, books: Books | None = None
    ) -> None:
        """Begin with the ``first`` segment, before which the ``books`` were so.

        ``snapshot`` is compared with the journal on the way.
        """
        self.findings = Findings()
        books = books or Books()
        self.tally = Tally(books)
        self._secrets = Secrets()
        self.inspectors: dict[str, Inspector] = {}
        self.place = Place(first - 1)
        self._snapshot = snapshot
        for table, pending in books.pending_rounds.items():
            inspector = self._inspector(table)
            for difference in inspector.begin(pending, books.rounds.get(table, 0)):
                self.findings.add(difference, STATEMENT_NAME)

    def visit(self, line: Line) -> None:
        """Audit the next line."""
        self._check_digest(line.seq - 1, line.prev)
        self.place.follow(line)
        found = self.tally.add(line)
        if line.table is not None:
            found = chain(found, self._inspector(line.table).inspect(line))
        for difference in found:
            round = "" if line.round is None else f", round {line.table}/{line.round}"
            self.findings.add(difference, f"{self.place}{round}", line)
        old = self._snapshot
        if old is not None and line.seq == old.place.seq and line.ends_command:
            self._check_accounts(old)

    def close(self, end: End) -> None:
        """Check the rest after the last line."""
        self._check_digest(end.seq, end.digest)
        for table, round in self.tally.live_rounds:
            if round < self.inspectors[table].newest:
                what = f"Stakes of round {table}/{round} are held, though it is past"
                self.findings.add(DifferenceError(what), "At the end")

    def _inspector(self, table: str) -> Inspector:
        if table not in self.inspectors:
            self.inspectors[table] = Inspector(table, self.tally, self._secrets)
        return self.inspectors[table]

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return self.findings.count == 0 and self.tally.total == 0

    def _check_digest(self, seq: int, digest: str) -> None:
        old = self._snapshot
        if old is not None and old.place.seq == seq and old.place.digest != digest:
            what = f"It belongs to another journal: line {seq} of this one differs"
            self.findings.add(DifferenceError(what), SNAPSHOT_NAME)

    def _check_accounts(self, old: Snapshot) -> None:
        try:
            what = "Its record of the accounts, in cents,"
            compare_fields(what, old.statement["accounts"], self.tally.accounts)
        except DifferenceError as error:
            self.findings.add(error, SNAPSHOT_NAME)


def audit(options: Options) -> Report:
    """Audit a bank from its first line to its last."""
    reading = Reading(options.bank)
    opening = reading.opening
    first = 1 if opening is None else opening.number
    found, remark = Audit(reading.snapshot, first, reading.books()), None
    if reading.damage is not None:
        found.findings.add(reading.damage)
    try:
        end = reading.read(found.visit, "audit")
        remark = None if reading.damage else end.remark
        found.close(end)
    except (JournalDamagedError, BankDamagedError) as error:
        found.findings.add(str(error))
    status = Exit.FINE if found.is_sound else Exit.UNSOUND
    remarks = (remark, _begins(opening), _before(found))
    return Report.of(options, _fields(found), _lines(found), *remarks, status=status)


def _begins(opening: Snapshot | None) -> str | None:
    if opening is None:
        return None
    return (
        f"The journal begins with line {opening.place.seq + 1:,}: the balances "
        f"before are taken from {STATEMENT_NAME}, of {opening.time}."
    )


def _before(found: Audit) -> str | None:
    count = sum(inspector.before for inspector in found.inspectors.values())
    if not count:
        return None
    rounds = "1 round was" if count == 1 else f"{count:,} rounds were"
    return (
        f"{rounds} dealt before each round had a draw of its own: their money is "
        "audited, and their cards are not dealt again."
    )


def _lines(found: Audit) -> list[str]:
    rounds = (f"{count:,} {what}" for what, count in _rounds(found).items())
    rows = [
        ("lines", f"{found.place.seq:,}"),
        ("rounds", ", ".join(rounds)),
        ("accounts", f"{len(found.tally.accounts):,}"),
        ("total", in_dollars(found.tally.total)),
    ]
    return [*found.findings.lines, *aligned(rows), _verdict(found)]


def _verdict(found: Audit) -> str:
    if found.is_sound:
        return "The bank is sound."
    count = found.findings.count
    wrong = "1 thing is wrong" if count == 1 else f"{count:,} things are wrong"
    return f"The bank is not sound: {wrong}."


def _rounds(found: Audit) -> dict[str, int]:
    inspectors = found.inspectors.values()
    return {
        "settled": sum(inspector.settled for inspector in inspectors),
        "returned": sum(inspector.returned for inspector in inspectors),
        "running": sum(inspector.live is not None for inspector in inspectors),
    }


def _fields(found: Audit) -> dict[str, object]:
    return {
        "sound": found.is_sound,
        "lines": found.place.seq,
        "rounds": _rounds(found),
        "accounts": len(found.tally.accounts),
        "total": found.tally.total,
        "wrong": found.findings.count,
        "findings": found.findings.kept,
    }
