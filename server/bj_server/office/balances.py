"""Balances: what every account of the bank holds."""

from bj_server.bank.books import Books
from bj_server.bank.move import DONOR, HOUSE, handle_of
from bj_server.money import in_dollars
from bj_server.office.options import Options
from bj_server.office.reading import read_books
from bj_server.office.report import Report, as_json
from bj_server.office.sheet import aligned

__all__ = ["balances"]


def balances(options: Options) -> Report:
    """Report what players are free to wager, what is at stake, and the rest.

    Raises:
        Refused, BankError: if the bank cannot be read.
    """
    books, end = read_books(options.bank)
    if options.as_json:
        return Report(lines=as_json(_fields(books, end.seq)), remarks=[end.remark])
    rows = [(name, in_dollars(cents)) for name, cents in _amounts(books)]
    return Report(lines=aligned(rows, right={1}), remarks=[end.remark])


def _players(books: Books) -> dict[str, int]:
    accounts = ((handle_of(a), cents) for a, cents in books.ledger.accounts.items())
    return {handle: cents for handle, cents in accounts if handle is not None}


def _amounts(books: Books) -> list[tuple[str, int]]:
    held = [
        (f"stakes of {table}/{round}", sum(books.held(table, round).values()))
        for table, round in books.live_rounds
    ]
    return [
        *_players(books).items(),
        *held,
        (HOUSE, books.ledger.balance(HOUSE)),
        (DONOR, books.ledger.balance(DONOR)),
        ("total", books.ledger.total),
    ]


def _fields(books: Books, seq: int) -> dict[str, object]:
    return {
        "seq": seq,
        "players": _players(books),
        "stakes": [
            {"table": table, "round": round, "players": books.held(table, round)}
            for table, round in books.live_rounds
        ],
        "house": books.ledger.balance(HOUSE),
        "donor": books.ledger.balance(DONOR),
        "total": books.ledger.total,
    }
