"""Copies: a whole bank in another folder, and closed segments that are moved away.

The journal is only ever added to, so a copy of its files in their order is the bank as
of the end of the last one. Only whole commands of that are taken. The copy is verified
before it gets its name, and so is whole or not there at all. It is made beside a
running server.

A bank of which segments were moved away goes on from a statement: the sum of all that
is moved. It names the hash of the last line that is moved, so that the segments can be
put back in front of the rest at any time.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

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
from bj_server.bank.segment import find_segments, load, segment_path, stored_path
from bj_server.bank.signer import KEY_NAME, Signer
from bj_server.bank.snapshot import SNAPSHOT_NAME, STATEMENT_NAME, Snapshot, state
from bj_server.bank_cli.change import to_change
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading, read_books
from bj_server.bank_cli.report import RefusedError, Report, progress


def backup(options: Options) -> Report:
    """Copy the bank to a new folder; a server may run on it meanwhile."""
    return _copy(options, options.bank, options.folder, "is the backup of")


def restore(options: Options) -> Report:
    """Put a backup into a new folder, for a server to go on with."""
    return _copy(options, options.backup, options.folder, "goes on from the backup")


@contextlib.contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a folder that becomes ``target`` at the end of the block, or is gone then.

    Raises:
        RefusedError: if there is something in ``target``.
    """
    with naming(target), contextlib.suppress(FileNotFoundError):
        if os.listdir(target):
            raise RefusedError(
                f"There is something in {target}: name a folder that is empty or new."
            )
    with naming(target):
        place = target.resolve()  # it may be a link, or the folder that we are in
    make_folder(place.parent)
    with naming(place.parent):
        beside = Path(mkdtemp(".new", f"{place.name}.", place.parent))
    try:
        yield beside
        with naming(target):
            beside.replace(place)
            sync_folder(place.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def _copy(options: Options, source: Path, target: Path, what: str) -> Report:
    with new_folder(target) as beside:
        _copy_files(source, beside)
        books, end = read_books(beside)
        if (beside / KEY_NAME).exists():
            Signer.open(beside)
        if end.torn:  # a copy ends with the last whole command
            last = segment_path(beside, find_segments(beside)[-1])
            with naming(target):
                replace_file(last, read_file(last)[: -end.torn])
    accounts = len(books.ledger.accounts)
    fields = {"folder": str(target), "seq": end.seq, "accounts": accounts}
    upto = f"up to line {end.seq:,}, with {accounts:,} accounts"
    return Report.of(options, fields, [f"{target} {what} {source}, {upto}."])


def _copy_files(source: Path, target: Path) -> None:
    # bank.json before the journal, which is then at least as far as it says.
    Reading(source)
    with naming(source):
        named = (*source.glob("*.json"), source / KEY_NAME)
        documents = sorted(path for path in named if path.is_file())
    for path in sorted(documents, key=lambda path: path.name != SNAPSHOT_NAME):
        with naming(path), contextlib.suppress(FileNotFoundError):
            content = read_file(path)
            with naming(target / path.name):
                replace_file(target / path.name, content)
    numbers = find_segments(source)
    with progress("copy, segments", len(numbers), steps=1) as step:
        for number in numbers:
            path = stored_path(source, number)
            if not path.exists():  # it was packed just now
                path = stored_path(source, number)
            content, stored = load(path)
            if number == numbers[-1]:  # a copy ends with an open segment
                path, stored = segment_path(source, number), content
            with naming(target / path.name):
                replace_file(target / path.name, stored)
            step(number)


def archive(options: Options) -> Report:
    """Move all closed segments to a folder; they are on its disk before they go."""
    bank, target = options.bank, options.folder
    Reading(bank)
    if target.exists() and target.samefile(bank):
        raise RefusedError(f"{target} is the bank itself: name another folder.")
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
                f"{path} is there already, and is not of this bank: name another "
                "folder."
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
        statement=state(books),
    )
