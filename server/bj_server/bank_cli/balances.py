"""Balances: the money in every account of the bank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.error import LineError
from bj_server.bank.line import Line
from bj_server.bank.move import DONOR, HOUSE, VAULT, Kind
from bj_server.bank.pending import changed
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading, players, read_books
from bj_server.bank_cli.report import Report, aligned


@dataclass(eq=False)
class Usage:
    """Takes the lines of a journal in their order."""

    seen: dict[str, str] = field(default_factory=dict)
    """The time of the last line that names a handle which has an account."""
    unused: set[str] = field(default_factory=set)
    """The handles whose money has not moved since their account was opened."""
    states: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The state of each table."""

    @classmethod
    def of(cls, books: Books) -> Self:
        """Begin with the books with which a journal begins."""
        pending = books.pending_rounds.items()
        return cls(states={name: each.state or {} for name, each in pending})

    def visit(self, line: Line) -> None:
        """Take down the handles in the next line."""
        for handle in line.handles:
            self.seen[handle] = line.time
            self.unused.discard(handle)
            if line.kind == Kind.OPEN:
                self.unused.add(handle)
        named = str(line.data.get("handle"))
        if line.kind in (Kind.KEY, Kind.TOLD):
            self.seen[named] = line.time
        elif line.kind in (Kind.CLOSE, Kind.DEPART):
            self.seen.pop(named, None)
        elif line.kind == Kind.SEAL:
            table = str(line.table)
            state = self.states[table] = changed(self.states.get(table), line.data)
            seats: Any = state.get("seats", ())
            try:
                self.seen.update({str(seat["handle"]): line.time for seat in seats})
            except (KeyError, TypeError):
                raise LineError("its state has a seat of nobody") from None


def balances(options: Options) -> Report:
    """Report the free money of players, the stakes, and the rest.

    For ``--seen`` the whole journal is read.
    """
    books, end = read_books(options.bank)
    fields = _fields(books, end.seq)
    rows = [(name, in_dollars(cents)) for name, cents in _amounts(fields)]
    if not options.seen:
        lines = aligned(rows, right={1})
        return Report.of(options, fields, lines, end.remark)
    reading = Reading(options.bank)
    usage = Usage.of(reading.books())
    reading.read(usage.visit, "balances")
    known = fields["players"]
    fields["seen"] = {handle: usage.seen.get(handle) for handle in known}
    days = {handle: seen[:10] for handle, seen in usage.seen.items()}
    unseen = dict.fromkeys(known, "before the journal")
    dated = [(*row, (unseen | days).get(row[0], "")) for row in rows]
    return Report.of(options, fields, aligned(dated, right={1}), end.remark)


def _amounts(fields: Mapping[str, Any]) -> list[tuple[str, int]]:
    held = [
        (f"stakes of {each['table']}/{each['round']}", sum(each["players"].values()))
        for each in fields["stakes"]
    ]
    sums = [(n, fields[n]) for n in (VAULT, HOUSE, DONOR, "total") if n in fields]
    return [*fields["players"].items(), *held, *sums]


def _fields(books: Books, seq: int) -> dict[str, Any]:
    return {
        "seq": seq,
        "players": players(books),
        "stakes": [
            {"table": table, "round": round, "players": books.held(table, round)}
            for table, round in books.live_rounds
        ],
        HOUSE: books.ledger.balance(HOUSE),
        DONOR: books.ledger.balance(DONOR),
        **({VAULT: books.ledger.balance(VAULT)} if books.fleet else {}),
        "total": books.ledger.total,
    }
