"""Repair: how a start makes a folder fit to go on with, once all of it is verified."""

import os
from pathlib import Path

from bj_server.bank.clock import Clock, stamp
from bj_server.bank.disk import append_file, naming, replace_file, sync, sync_folder
from bj_server.bank.history import History
from bj_server.bank.journal import HEADER, Journal, next_line
from bj_server.bank.reader import Place
from bj_server.bank.segment import segment_path


def begin(folder: Path, number: int, place: Place, now: Clock) -> None:
    """Put a segment into the folder that goes on after the line at ``place``.

    Raises:
        BankUnusable: if the system refuses.
    """
    path = segment_path(folder, number)
    with naming(path):
        replace_file(path, next_line(HEADER, place, stamp(now()), place.seq))


def go_on(folder: Path, history: History, now: Clock) -> tuple[Journal, str | None]:
    """Open the journal where its history ends.

    What is torn is moved aside; then there is a sentence about it.

    Raises:
        BankUnusable: if the system refuses.
    """
    path = segment_path(folder, history.number)
    with naming(path):
        for leftover in history.leftovers:
            leftover.unlink()
        if history.leftovers:
            sync_folder(folder)
        repaired = _cut(path, history) if history.torn else None
        # What the last server wrote may not have reached the disk yet.
        _sync(path)
        journal = Journal(folder, history.number, history.place, history.content, now)
    return journal, repaired


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def _cut(path: Path, history: History) -> str:
    seq = history.place.seq + 1
    beside = path.with_name(f"{path.stem}.torn-{seq}")
    append_file(beside, history.torn)
    os.truncate(path, history.place.size)
    count = len(history.torn)
    moved = "byte was" if count == 1 else "bytes were"
    return (
        f"A crash cut line {seq} of the journal short, in {path}. Nobody was told of "
        f"it; its {count} {moved} moved to {beside.name}."
    )
