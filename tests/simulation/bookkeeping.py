"""The books of the world: what players were told, held against the bank's files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from bj_game.house import House
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError
from bj_server.bank.history import read_history
from bj_server.bank.line import Line
from bj_server.bank.reader import Visit
from bj_server.bank.snapshot import Snapshot
from bj_server.bank_cli.audit import Audit
from bj_server.bank_cli.reading import Reading
from reference import Answer, Bet, disagreements
from reference.play import IllegalAnswerError, NoCardError
from simulation.failure import Failure, hold
from simulation.monitor import Monitor

_MAY_OWE = ("house", "donor")
_EVERY = 50
"""Steps between two audits of the books in memory."""


class Books:
    """Knows what was staked and paid by the lines of the journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._checks = self._seen = 0
        self._known: Snapshot | None = None
        """The place in the journal up to which all is known to be there."""
        self.judged = 0
        """The rounds that the reference has settled, too."""

    def check(self, bank: Bank) -> None:
        """See that all money sums to zero, and that nobody owes."""
        if bank.journal.seq == self._seen:
            return
        self._seen = bank.journal.seq
        accounts = bank.books.ledger.accounts
        hold(sum(accounts.values()) == 0, "money sums to zero", accounts)
        for name, cents in accounts.items():
            hold(cents >= 0 or name in _MAY_OWE, "nobody is below zero", name)
        self._checks += 1
        if self._checks % _EVERY == 0:
            try:
                bank.books.audit()
            except Exception as error:
                raise Failure("the books agree", str(error)) from error

    def compare(self, monitor: Monitor) -> None:
        """See that the files have every bet and payout that was told.

        What a former look has found is not looked for again: it stands before a
        ``bank.json`` of that time, and its bytes are compared with its hashes.
        """
        staked, paid = set[Any](), set[Any]()

        def note(line: Line) -> None:
            if line.round is None:
                return
            if line.kind == "stake":
                for move in line.moves:
                    handle = move.source.partition(":")[2]
                    staked.add((line.table, line.round, handle, move.amount))
            if line.kind == "settle":
                results: Any = line.data["results"]
                for each in results:
                    told = line.table, line.round, each["handle"], each["payout"]
                    paid.add(told)

        now = Snapshot.read(self._folder)
        read_history(self._folder, self._known, note)
        self._known = now
        for name, table in monitor.tables.items():
            table.staked -= staked
            table.paid -= paid
            lost = table.staked | table.paid
            what = f"{name}: {sorted(lost)[:3]}"
            hold(not lost, "what is told is on the disk", what)

    def close(
        self, monitor: Monitor, houses: Mapping[str, House], *, is_audited: bool
    ) -> None:
        """Have the reference settle each round of the journal once more.

        The files may be audited on the way, as by ``bj-bank audit``.
        """
        referee = Referee(monitor, houses)
        if is_audited:
            self._audit(referee.visit)
        else:
            read_history(self._folder, None, referee.visit)
        self.judged = referee.judged

    def _audit(self, show: Visit) -> None:
        reading = Reading(self._folder)
        opening = reading.opening
        first = 1 if opening is None else opening.number
        found = Audit(reading.snapshot, first, reading.books())
        hold(reading.damage is None, "the audit finds nothing", str(reading.damage))

        def visit(line: Line) -> None:
            found.visit(line)
            show(line)

        try:
            found.close(reading.read(visit))
        except BankError as error:
            raise Failure("the audit finds nothing", str(error)) from error
        hold(found.is_sound, "the audit finds nothing", found.findings.lines)


class Referee:
    """Settles each round once more, by the reference, as it was told."""

    def __init__(self, monitor: Monitor, houses: Mapping[str, House]) -> None:
        self._monitor, self._houses = monitor, houses
        self._bets: dict[str | None, list[Bet]] = {}
        self._answers: dict[str | None, list[Answer]] = {}
        self.judged = 0

    def visit(self, line: Line) -> None:
        """Take the next line of the journal."""
        table, data = line.table, cast("dict[str, Any]", line.data)
        if line.kind == "deal":
            self._bets[table] = [
                Bet(seat["seat"], seat["stake"], seat["funds"], seat["spots"])
                for seat in data["seats"]
            ]
            self._answers[table] = []
        elif line.kind == "answer":
            answer = Answer(data["seat"], data["play"], data.get("amount", 0))
            self._answers[table].append(answer)
        elif line.kind == "settle" and table is not None:
            self._judge(table, line.round or 0)

    def _judge(self, table: str, number: int) -> None:
        told = self._monitor.table(table).played.get(number)
        house = self._houses.get(table)
        if told is None or house is None or house.shoe == "never_refilled":
            return
        if any(event["type"] == "gift_given" for event in told):
            return  # the money of the round is not all that there is
        name = "a round ends as the rules have it"
        try:
            found = disagreements(house, self._bets[table], self._answers[table], told)
        except (NoCardError, IllegalAnswerError, LookupError) as error:
            raise Failure(name, f"{table} {number}: {error!r}") from error
        hold(not found, name, (table, number, found))
        self.judged += 1
