"""Balances: what every account of the bank holds."""

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.move import DONOR, HOUSE
from bj_server.office.options import Options
from bj_server.office.progress import progress, stepping
from bj_server.office.reading import Reading, players, read_books
from bj_server.office.report import Report, as_json
from bj_server.office.sheet import aligned
from bj_server.office.usage import Usage


def balances(options: Options) -> Report:
    """Report what players are free to wager, what is at stake, and the rest.

    With ``--seen`` also when each player was seen last, for which the whole journal is
    read.

    Raises:
        Refused, BankError: if the bank cannot be read.
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
