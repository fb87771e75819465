"""Movements: all movements of money as CSV for programs, or a player's for people."""

import csv
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

from bj_game.money import in_dollars, signed
from bj_server.bank.disk import sync, why
from bj_server.bank.line import Line
from bj_server.bank.move import PLAYER, Kind, Reason, gained
from bj_server.bank_cli.change import find_handle
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import End, Reading, players
from bj_server.bank_cli.report import Exit, RefusedError, Report, aligned

COLUMNS = (
    "seq",
    "time",
    "kind",
    "table",
    "round",
    "reason",
    "source",
    "target",
    "cents",
)


def export(options: Options) -> Report:
    """Write all moves as CSV (RFC 4180, UTF-8), to a file or to standard output.

    A file is in its place whole or not at all.

    Raises:
        BrokenPipeError: if nobody reads standard output any more.
    """
    reading = Reading(options.bank)
    if options.output is None:
        with _standard_output() as stream:
            end = _write(reading, stream)
        return Report(remarks=[end.remark])
    _check_place(options.output, options)
    with _new_file(options.output) as stream:
        end = _write(reading, stream)
    lines = "line of the journal is" if end.seq == 1 else "lines of the journal are"
    written = f"{end.seq} {lines} in {options.output}."
    return Report(remarks=[end.remark, written])


def _check_place(path: Path, options: Options) -> None:
    """See that a file may be written: no device, folder, or file of the bank."""
    with _told(path):
        is_of_bank = path.resolve().parent == options.bank.resolve()
    if is_of_bank or (path.exists() and not path.is_file()):
        raise RefusedError(
            f"{path} is no file of yours: name another one, outside the bank."
        )
    if path.exists() and not options.force:
        raise RefusedError(
            f"The file {path} is there already: name another one, or have it "
            "replaced with --force."
        )


def _write(reading: Reading, stream: TextIO) -> End:
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    return reading.read(lambda line: writer.writerows(_rows(line)))


def _rows(line: Line) -> Iterator[tuple[object, ...]]:
    head = (line.seq, line.time, line.kind, line.table, line.round)
    for entry in line.entries:
        for move in entry.moves:
            yield (*head, entry.reason.value, move.source, move.target, move.amount)


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Give standard output as UTF-8 and with the line ends of CSV, whatever it was."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict", newline="")
    with _told(Path("standard output")):
        yield sys.stdout
        sys.stdout.flush()


@contextmanager
def _new_file(path: Path) -> Iterator[TextIO]:
    beside = path.parent / f"{path.name}.{os.getpid()}.new"
    with _told(path):
        stream = beside.open("x", encoding="utf-8", newline="")
        try:
            with stream:
                yield stream
                stream.flush()
                sync(stream.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise RefusedError(
            f"{path} cannot be written: {why(error)}. Choose another --output.",
            Exit.NO_OUTPUT,
        ) from None


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
    account, handles = PLAYER + spelt, set(players(books))
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
