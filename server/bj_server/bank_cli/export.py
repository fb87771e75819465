"""Export: every movement of money as a row of CSV, for other programs."""

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from bj_server.bank.disk import sync, why
from bj_server.bank.line import Line
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import End, Reading
from bj_server.bank_cli.report import Exit, RefusedError, Report

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
    if options.output.exists() and not options.force:
        raise RefusedError(
            Exit.WRONG_OPTIONS,
            f"The file {options.output} is there already: name another one, or have it "
            "replaced with --force.",
        )
    with _new_file(options.output) as stream:
        end = _write(reading, stream)
    lines = "line of the journal is" if end.seq == 1 else "lines of the journal are"
    written = f"{end.seq} {lines} in {options.output}."
    return Report(remarks=[end.remark, written])


def _write(reading: Reading, stream: TextIO) -> End:
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)

    def visit(line: Line) -> None:
        writer.writerows(_rows(line))

    return reading.read(visit)


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
    beside = path.with_name(path.name + ".new")
    with _told(path):
        try:
            with beside.open("w", encoding="utf-8", newline="") as stream:
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
            Exit.NO_OUTPUT,
            f"{path} cannot be written: {why(error)}. Choose another --output.",
        ) from None
