"""History: every movement of one player's money, oldest first."""

from typing import NamedTuple

from bj_game.money import in_dollars, signed
from bj_server.bank.line import Line
from bj_server.bank.move import Kind, Reason, gained, player
from bj_server.bank_cli.change import find_handle
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading, players
from bj_server.bank_cli.report import Report, aligned


class Movement(NamedTuple):
    """The change of a player's free money by one entry; in cents.

    A hand that was lost moves nothing any more, since its stake was gone already. The
    closing of an empty account moves nothing either. Both are told all the same.
    """

    seq: int
    time: str
    table: str | None
    round: int | None
    reason: Reason
    cents: int
    balance: int


def history(options: Options) -> Report:
    """Report the movements of a handle."""
    reading = Reading(options.bank)
    books, spelt = reading.books(), options.handle.lower()
    account, handles = player(spelt), set(players(books))
    balance = books.ledger.balance(account)
    movements: list[Movement] = []

    def visit(line: Line) -> None:
        nonlocal balance
        handles.update(line.handles)
        place = (line.seq, line.time, line.table, line.round)
        for index, entry in enumerate(line.entries):
            cents = gained(entry.moves, account)
            if cents or _owner(line, index) == spelt:
                balance += cents
                movements.append(Movement(*place, entry.reason, cents, balance))

    end = reading.read(visit)
    handle = find_handle(options.handle, handles)
    fields = {"handle": handle, "movements": [each._asdict() for each in movements]}
    head = ("time (UTC)", "round", "reason", "amount", "balance")
    lines = aligned([head, *map(_row, movements)], right={3, 4})
    return Report.of(options, fields, lines, end.remark)


def shown_time(time: str) -> str:
    """Return the time of a line to the second, for people.

    >>> shown_time("2024-05-01T12:30:00.000Z")
    '2024-05-01 12:30:00'
    """
    return time[:19].replace("T", " ")


def _row(movement: Movement) -> tuple[str, ...]:
    place = [str(part) for part in (movement.table, movement.round) if part is not None]
    return (
        shown_time(movement.time),
        "/".join(place) or "-",
        movement.reason.words,
        signed(movement.cents),
        in_dollars(movement.balance),
    )


def _owner(line: Line, index: int) -> object:
    """Return the owner of the wager that an entry settles, or of a closed account."""
    if line.kind == Kind.CLOSE:
        return line.data.get("handle")
    results = line.data.get("results")
    if line.kind != Kind.SETTLE or not isinstance(results, list):
        return None
    match results[index : index + 1]:
        case [{"handle": handle}]:
            return handle
        case _:
            return None
