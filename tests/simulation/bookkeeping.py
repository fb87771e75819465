"""The books of the world: what players were told, held against the bank's files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bj_game.event import RoundEvent
from bj_game.house import House
from bj_protocol import events
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError
from bj_server.bank_cli.audit import Audit
from bj_server.bank_cli.reading import Reading
from reference import Answer, Bet, disagreements
from reference.driver import told_of
from reference.play import IllegalAnswerError, NoCardError
from simulation.failure import Failure, hold
from simulation.monitor import Monitor
from simulation.past import Act, Past

_MAY_OWE = ("house", "donor", "vault")
_EVERY = 50
"""Steps between two audits of the books in memory."""


class Books:
    """Knows what was staked and paid by the lines of the journal."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._past = folder, Past(folder)
        self._checks = self._seen = 0
        self.judged = 0
        """The rounds that the reference has settled, too."""

    def check(self, bank: Bank) -> None:
        """See that all money sums to zero, and that nobody owes."""
        if bank.journal.seq == self._seen:
            return
        self._seen = bank.journal.seq
        balances = bank.books.ledger.balances
        hold(sum(balances.values()) == 0, "money sums to zero", balances)
        for name, cents in balances.items():
            if cents < 0:
                hold(name in _MAY_OWE, "nobody is below zero", name)
        self._checks += 1
        if self._checks % _EVERY == 0:
            try:
                bank.books.audit()
            except Exception as error:
                raise Failure("the books agree", str(error)) from error

    def compare(self, monitor: Monitor) -> None:
        """See that the files have every bet and payout that was told."""
        staked, paid = set[Any](), set[Any]()
        for act in self._past.acts():
            if act.kind == "stake":
                for source, _, amount in act.moves:
                    handle = source.partition(":")[2]
                    staked.add((act.table, act.round, handle, amount))
            elif act.kind == "settle":
                for each in act.data["results"]:
                    told = act.table, act.round, each["handle"], each["payout"]
                    paid.add(told)
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

        The files may be audited before, as by ``bj-bank audit``.
        """
        if is_audited:
            self._audit()
        referee = Referee(monitor, houses)
        for act in self._past.acts():
            referee.see(act)
        self.judged = referee.judged

    def _audit(self) -> None:
        reading = Reading(self._folder)
        opening = reading.opening
        first = 1 if opening is None else opening.number
        found = Audit(reading.snapshot, first, reading.books())
        hold(reading.damage is None, "the audit finds nothing", str(reading.damage))
        try:
            found.close(reading.read(found.visit))
        except BankError as error:
            raise Failure("the audit finds nothing", str(error)) from error
        hold(found.is_sound, "the audit finds nothing", found.findings.lines)


class Referee:
    """Settles each round once more, by the reference, as it was told."""

    def __init__(self, monitor: Monitor, houses: Mapping[str, House]) -> None:
        self._monitor, self._houses = monitor, houses
        self._bets: dict[str, list[Bet]] = {}
        self._answers: dict[str, list[Answer]] = {}
        self.judged = 0

    def see(self, act: Act) -> None:
        """Take the next act of the journal."""
        table, data = act.table, act.data
        if act.kind == "deal":
            self._bets[table] = [
                Bet(seat["seat"], seat["stake"], seat["funds"], seat["spots"])
                for seat in data["seats"]
            ]
            self._answers[table] = []
        elif act.kind == "answer":
            answer = Answer(data["seat"], data["play"], data.get("amount", 0))
            self._answers[table].append(answer)
        elif act.kind == "settle":
            self._judge(table, act.round)

    def _judge(self, table: str, number: int) -> None:
        told = self._monitor.table(table).played.get(number)
        house = self._houses.get(table)
        if told is None or house is None or house.shoe == "never_refilled":
            return
        if any(isinstance(event, events.GiftGiven) for event in told):
            return  # the money of the round is not all that there is
        name = "a round ends as the rules have it"
        ends = [told_of(event) for event in told if isinstance(event, RoundEvent)]
        try:
            found = disagreements(house, self._bets[table], self._answers[table], ends)
        except (NoCardError, IllegalAnswerError, LookupError) as error:
            raise Failure(name, f"{table} {number}: {error!r}") from error
        hold(not found, name, (table, number, found))
        self.judged += 1
