"""Balances: the money in every account of the bank."""

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.line import Line
from bj_server.bank.move import DONOR, HOUSE, Kind, handle_of
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading, players, read_books
from bj_server.bank_cli.report import Report, aligned, as_json, progress, stepping


class Usage:
    """Takes the lines of a journal in their order."""

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}
        """The time of the last line that names a handle which has an account."""
        self.unused: set[str] = set()
        """The handles whose money has not moved since their account was opened."""

    def visit(self, line: Line) -> None:
        """Take down the handles in the next line."""
        for move in line.moves:
            for handle in (handle_of(move.source), handle_of(move.target)):
                if handle is not None:
                    self.seen[handle] = line.time
                    self.unused.discard(handle)
                    if line.kind == Kind.OPEN:
                        self.unused.add(handle)
        named = str(line.data.get("handle"))
        if line.kind in (Kind.KEY, Kind.TOLD):
            self.seen[named] = line.time
        elif line.kind == Kind.CLOSE:
            self.seen.pop(named, None)
        elif line.kind == Kind.SEAL:
            self._sit(line)

    def _sit(self, line: Line) -> None:
        seats = line.data.get("seats")
        for seat in seats if isinstance(seats, list) else ():
            self.seen[str(seat["handle"])] = line.time


def balances(options: Options) -> Report:
    """Report the free money of players, the stakes, and the rest.

    With ``--seen`` also when each player was seen last, for which the whole journal is
    read.
    """
    books, end = read_books(options.bank)
    seen = _last_seen(options) if options.seen else {}
    if options.as_json:
        fields = _fields(books, end.seq)
        if options.seen:
            fields["seen"] = {handle: seen.get(handle) for handle in players(books)}
        return Report(lines=as_json(fields), remarks=[end.remark])
    rows = [(name, in_dollars(cents)) for name, cents in _amounts(books)]
    if not options.seen:
        return Report(lines=aligned(rows, right={1}), remarks=[end.remark])
    dated = [(*row, _day(row[0], seen, players(books))) for row in rows]
    return Report(lines=aligned(dated, right={1}), remarks=[end.remark])


def _last_seen(options: Options) -> dict[str, str]:
    """Return when the last line was written that names a handle."""
    reading, usage = Reading(options.bank), Usage()
    with progress("balances", reading.lines) as step:
        reading.read(stepping(usage.visit, step))
    return usage.seen


def _day(name: str, seen: dict[str, str], players: dict[str, int]) -> str:
    if name not in players:
        return ""
    return seen[name][:10] if name in seen else "before the journal"


def _amounts(books: Books) -> list[tuple[str, int]]:
    held = [
        (f"stakes of {table}/{round}", sum(books.held(table, round).values()))
        for table, round in books.live_rounds
    ]
    return [
        *players(books).items(),
        *held,
        (HOUSE, books.ledger.balance(HOUSE)),
        (DONOR, books.ledger.balance(DONOR)),
        ("total", books.ledger.total),
    ]


def _fields(books: Books, seq: int) -> dict[str, object]:
    return {
        "seq": seq,
        "players": players(books),
        "stakes": [
            {"table": table, "round": round, "players": books.held(table, round)}
            for table, round in books.live_rounds
        ],
        "house": books.ledger.balance(HOUSE),
        "donor": books.ledger.balance(DONOR),
        "total": books.ledger.total,
    }
