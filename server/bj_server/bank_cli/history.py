"""History: every movement of one player's money, oldest first."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.line import Line
from bj_server.bank.move import Entry, Kind, Reason, handle_of, player
from bj_server.bank_cli.change import find_handle
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading
from bj_server.bank_cli.report import Report, aligned, as_json
from bj_server.money import signed


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
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

    @property
    def place(self) -> str:
        """The table and round, as in ``main/12``; a dash where there is none."""
        numbers = [part for part in (self.table, self.round) if part is not None]
        return "/".join(map(str, numbers)) or "-"


class _Passbook:
    """Takes down the movements of one handle, and the other handles."""

    def __init__(self, wanted: str, books: Books) -> None:
        self.movements: list[Movement] = []
        self.handles = set(filter(None, map(handle_of, books.ledger.accounts)))
        self._handle = wanted.lower()
        self._balance = books.ledger.balance(player(self._handle))

    def visit(self, line: Line) -> None:
        for index, entry in enumerate(line.entries):
            self.handles.update(_handles(entry))
            cents = _net(entry, player(self._handle))
            if cents or _owner(line, index) == self._handle:
                self._note(line, entry, cents)

    def _note(self, line: Line, entry: Entry, cents: int) -> None:
        self._balance += cents
        self.movements.append(
            Movement(
                seq=line.seq,
                time=line.time,
                table=line.table,
                round=line.round,
                reason=entry.reason,
                cents=cents,
                balance=self._balance,
            )
        )


def history(options: Options) -> Report:
    """Report the movements of a handle."""
    reading = Reading(options.bank)
    passbook = _Passbook(options.handle, reading.books())
    end = reading.read(passbook.visit)
    handle = find_handle(options.handle, passbook.handles)
    if options.as_json:
        movements = [asdict(movement) for movement in passbook.movements]
        lines = as_json({"handle": handle, "movements": movements})
        return Report(lines=lines, remarks=[end.remark])
    head = ("time (UTC)", "round", "reason", "amount", "balance")
    rows = [head, *map(_row, passbook.movements)]
    return Report(lines=aligned(rows, right={3, 4}), remarks=[end.remark])


def shown_time(time: str) -> str:
    """Return the time of a line to the second, for people.

    >>> shown_time("2024-05-01T12:30:00.000Z")
    '2024-05-01 12:30:00'
    """
    return time[:19].replace("T", " ")


def _row(movement: Movement) -> tuple[str, ...]:
    return (
        shown_time(movement.time),
        movement.place,
        movement.reason.words,
        signed(movement.cents),
        in_dollars(movement.balance),
    )


def _handles(entry: Entry) -> Iterator[str]:
    for move in entry.moves:
        for handle in (handle_of(move.source), handle_of(move.target)):
            if handle is not None:
                yield handle


def _net(entry: Entry, account: str) -> int:
    return sum(
        move.amount * ((move.target == account) - (move.source == account))
        for move in entry.moves
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
