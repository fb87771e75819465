"""History: the contents of a bank folder, verified from the first byte to the last.

Bytes before the place of ``bank.json`` are hashed, and lines after it are read. Without
a ``bank.json`` all lines are read. Nothing is changed here.
"""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from bj_server.bank.disk import (
    append_file,
    naming,
    read_file,
    replace_file,
    sync,
    sync_folder,
)
from bj_server.bank.error import JournalDamagedError, LineError
from bj_server.bank.journal import Journal
from bj_server.bank.line import HEADER, decode, encode
from bj_server.bank.move import Clock, stamp
from bj_server.bank.reader import Position, Visit, read_on
from bj_server.bank.segment import (
    Closed,
    find_segments,
    load,
    packed,
    segment_path,
    stored_path,
)
from bj_server.bank.snapshot import SNAPSHOT_NAME, Snapshot

_NOT_ITS_BYTES = f"its bytes are not those that {SNAPSHOT_NAME} knows of"


@dataclass(slots=True, kw_only=True)
class History:
    """All that was found, and the place at which the journal goes on."""

    number: int = 0
    """The last segment; 0 in a folder that never was a bank."""
    place: Position = field(default_factory=Position)
    """The end of what counts in it."""
    content: bytes = b""
    """The lines of it that count."""
    torn: bytes = b""
    """The bytes after them."""
    closed: list[Closed] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)
    """Segments that stand beside their packed selves."""


def read_history(folder: Path, snapshot: Snapshot | None, visit: Visit) -> History:
    """Verify a folder, and show ``visit`` every line after the snapshot."""
    numbers = find_segments(folder)
    if snapshot is None and not numbers:
        return History()
    first = 1 if snapshot is None else snapshot.number
    last = max([first, *numbers])
    history = History(number=last)
    if snapshot is not None:
        for closed in snapshot.closed:
            history.closed.append(_verify_closed(folder, closed, history))
        history.place = snapshot.place
    for number in range(first, last + 1):
        plain = segment_path(folder, number)
        if number not in numbers:
            others = SNAPSHOT_NAME if number == last else "a later segment"
            raise JournalDamagedError(
                plain, None, f"it is missing, though {others} is there"
            )
        if number == last and packed(plain).exists():
            reason = "it is closed, but the segment after it is missing"
            raise JournalDamagedError(packed(plain), None, reason)
        _read_segment(folder, number, snapshot, visit, history)
    return history


def _verify_closed(folder: Path, closed: Closed, history: History) -> Closed:
    path = stored_path(folder, closed.number)
    if not os.path.lexists(path):
        reason = f"it is missing, though {SNAPSHOT_NAME} is there"
        raise JournalDamagedError(folder / closed.name, None, reason)
    if path.name == closed.name and path.suffix == ".gz":
        # Hashed as it is stored: unpacking would take the time that is to be saved.
        with naming(path):
            stored = read_file(path)
        if Closed.of(path.name, closed.seq, stored) != closed:
            raise _blame(path, load(path)[0])
        _compare_copies(folder, closed.number, history)
        return closed
    content, stored = load(path)
    _compare_copies(folder, closed.number, history)
    if Closed.of(closed.name, closed.seq, content) != closed:
        raise _blame(path, content)
    return Closed.of(path.name, closed.seq, stored)


def _compare_copies(folder: Path, number: int, history: History) -> None:
    """See to a segment that was being packed when the server ended."""
    plain = segment_path(folder, number)
    path = stored_path(folder, number)
    if path == plain or not plain.exists():
        return
    if load(plain)[0] != load(path)[0]:
        reason = f"it is there a second time as {path.name}, with other lines"
        raise JournalDamagedError(plain, None, reason)
    history.leftovers.append(plain)


def _read_segment(
    folder: Path, number: int, snapshot: Snapshot | None, visit: Visit, history: History
) -> None:
    path = stored_path(folder, number)
    content, stored = load(path)
    _compare_copies(folder, number, history)
    begin = Position(seq=history.place.seq, digest=history.place.digest)
    if snapshot is not None and number == snapshot.number:
        begin = snapshot.place
        start = content[: begin.size]
        is_whole = len(start) == begin.size
        if not is_whole or hashlib.sha256(start).hexdigest() != snapshot.sha256:
            raise _blame(path, start)
    is_last = number == history.number
    place = read_on(path, content, begin, visit, is_last=is_last)
    history.place = place
    if is_last:
        history.content, history.torn = content[: place.size], content[place.size :]
    else:
        history.closed.append(Closed.of(path.name, place.seq, stored))


def _blame(path: Path, content: bytes) -> JournalDamagedError:
    """Find the line to blame for bytes that are not those that were hashed."""
    try:
        first = decode(content.partition(b"\n")[0])[0]
        begin = Position(seq=first.seq - 1, digest=first.prev)
        read_on(path, content, begin, lambda line: None, is_last=False)
    except JournalDamagedError as damaged:
        return damaged
    except LineError as error:
        return JournalDamagedError(path, 1, str(error))
    return JournalDamagedError(path, None, _NOT_ITS_BYTES)


def begin(folder: Path, number: int, place: Position, now: Clock) -> None:
    """Put a segment into the folder that goes on after the line at ``place``."""
    path, seq, time = segment_path(folder, number), place.seq + 1, stamp(now())
    raw = encode(HEADER, seq=seq, time=time, synced=place.seq, prev=place.digest)
    with naming(path):
        replace_file(path, raw + b"\n")


def go_on(folder: Path, history: History, now: Clock) -> tuple[Journal, str | None]:
    """Open the journal where its history ends.

    Torn bytes are moved aside; then there is a sentence about them.
    """
    path = segment_path(folder, history.number)
    with naming(path):
        for leftover in history.leftovers:
            leftover.unlink()
        if history.leftovers:
            sync_folder(folder)
        repaired = _cut(path, history) if history.torn else None
        # The last lines of the server before may not be on the disk yet.
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
