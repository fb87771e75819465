"""Archive: moves closed segments out of a bank, which goes on from a statement.

The statement is the sum of all that is moved. It names the hash of the last line that
is moved, so that the segments can be put back in front of the rest at any time.
"""

import contextlib
import hashlib
from dataclasses import replace
from pathlib import Path

from bj_server.bank.disk import (
    make_folder,
    naming,
    read_file,
    replace_file,
    sync_folder,
)
from bj_server.bank.line import Line
from bj_server.bank.lock import FolderLock
from bj_server.bank.reader import Position
from bj_server.bank.segment import stored_path
from bj_server.bank.snapshot import STATEMENT_NAME, Snapshot, state
from bj_server.bank_cli.change import to_change
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading
from bj_server.bank_cli.report import Exit, RefusedError, Report


def archive(options: Options) -> Report:
    """Move all closed segments to a folder; they are on its disk before they go."""
    bank, target = options.bank, options.folder
    Reading(bank)
    with to_change(bank):
        pass  # which verifies all, and writes a bank.json of the end
    lock = FolderLock(bank)
    try:
        snapshot = Snapshot.read(bank)
        names = _move(bank, target, snapshot) if snapshot and snapshot.closed else []
    finally:
        lock.release()
    line = "No segment of the journal is closed yet."
    if names:
        moved = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
        line = f"{moved} went to {target}; the bank goes on from {STATEMENT_NAME}."
    return Report.of(options, {"folder": str(target), "moved": names}, [line])


def _move(bank: Path, target: Path, snapshot: Snapshot) -> list[str]:
    """Move the closed segments of a snapshot; return the names of their files."""
    statement = _statement(bank, snapshot)
    paths = [stored_path(bank, each.number) for each in snapshot.closed]
    make_folder(target)
    for path in paths:
        with naming(path):
            content = read_file(path)
        _put(target / path.name, content)
    with contextlib.suppress(FileNotFoundError):
        # The first one names the line with which the oldest segment there begins.
        before = read_file(bank / STATEMENT_NAME)
        if not (target / STATEMENT_NAME).exists():
            _put(target / STATEMENT_NAME, before)
    statement.write(bank, STATEMENT_NAME)
    replace(snapshot, closed=()).write(bank)
    with naming(bank):
        for path in paths:
            path.unlink()
        sync_folder(bank)
    return [path.name for path in paths]


def _put(path: Path, content: bytes) -> None:
    with naming(path):
        if not path.exists():
            replace_file(path, content)
        elif read_file(path) != content:
            raise RefusedError(
                Exit.WRONG_OPTIONS,
                f"{path} is there already, and is not of this bank: name another "
                "folder.",
            )


def _statement(bank: Path, snapshot: Snapshot) -> Snapshot:
    """Return the books as of the end of the last closed segment."""
    reading, last = Reading(bank), snapshot.closed[-1]
    books, digest = reading.books(), ""

    def visit(line: Line) -> None:
        nonlocal digest
        if line.seq <= last.seq:
            books.apply(line)
        elif line.seq == last.seq + 1:
            digest = line.prev

    reading.read(visit, "archive")
    return Snapshot(
        time=snapshot.time,
        number=last.number + 1,
        place=Position(seq=last.seq, digest=digest),
        sha256=hashlib.sha256().hexdigest(),
        closed=(),
        statement=state(books),
    )
