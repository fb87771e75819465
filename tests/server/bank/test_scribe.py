"""The scribe: the newest snapshot stays, whoever writes last."""

from pathlib import Path

from bj_server.bank.books import Books
from bj_server.bank.reader import Position
from bj_server.bank.snapshot import Snapshot, SnapshotWriter, state


def taken(seq: int) -> Snapshot:
    place = Position(seq=seq, digest="0" * 64, size=0)
    now = "2024-05-01T12:30:00.000Z"
    return Snapshot(
        time=now,
        number=1,
        place=place,
        sha256="0" * 64,
        closed=(),
        statement=state(Books()),
    )


def test_an_older_snapshot_is_never_written_over_a_newer_one(tmp_path: Path) -> None:
    writer = SnapshotWriter(tmp_path)
    for seq in (5, 9, 7):
        writer.write(taken(seq))
    known = Snapshot.read(tmp_path)
    assert known is not None
    assert known.place.seq == 9
    writer.write(taken(9))
    assert Snapshot.read(tmp_path) == known
