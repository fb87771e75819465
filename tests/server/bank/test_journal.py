import asyncio
import errno
import hashlib
import os
import shutil
import stat
from pathlib import Path

import pytest

from bj_server.bank.error import (
    BankUnusableError,
    JournalDamagedError,
    JournalError,
    JournalStalledError,
)
from bj_server.bank.journal import Journal
from bj_server.bank.line import decode
from bj_server.bank.move import Clock
from support.journal import NOTE, Disk, full_disk, missing, open_journal, seen


def test_a_new_journal_holds_the_line_that_names_its_format(
    journal: Journal, path: Path, now: Clock
) -> None:
    assert (journal.seq, journal.written, journal.synced) == (1, 1, 1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (line,) = decode(path.read_bytes().removesuffix(b"\n"))
    assert (line.seq, line.kind, line.data) == (1, "journal", {"format": 3})
    assert line.time == "2024-05-01T12:30:00.000Z"


def test_lines_are_numbered_tied_together_and_read_back(
    journal: Journal, path: Path, now: Clock
) -> None:
    assert journal.append(NOTE) == 2
    assert journal.append(NOTE) == 3
    digest = journal.place.digest
    journal.close()
    again = open_journal(path.parent, now)
    assert (again.seq, again.place.digest) == (3, digest)
    again.append(NOTE)
    again.close()
    assert [line.seq for line in seen(path.parent, now)] == [1, 2, 3, 4]


def test_the_hash_of_a_segment_is_of_the_lines_that_are_still_to_be_written_too(
    journal: Journal, path: Path
) -> None:
    journal.append(NOTE)
    journal.append(NOTE)
    digest = journal.sha256
    journal.close()
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_a_line_reaches_the_file_when_written_and_not_before(
    journal: Journal, path: Path
) -> None:
    before = path.read_bytes()
    journal.append(NOTE)
    assert (path.read_bytes(), journal.written) == (before, 1)
    journal.write()
    assert path.read_bytes().count(b"\n") == 2
    assert (journal.written, journal.synced) == (2, 1)
    journal.sync()
    assert journal.synced == 2


async def test_a_line_is_written_and_synced_by_whoever_waits_for_it(
    journal: Journal, disk: Disk
) -> None:
    seq = journal.append(NOTE)
    await journal.durable(seq)
    assert (journal.written, journal.synced, disk.syncs) == (2, 2, 1)
    await journal.durable(seq)
    assert disk.syncs == 1


async def test_all_who_come_during_a_sync_share_the_next_one(
    journal: Journal, disk: Disk
) -> None:
    disk.gate.clear()
    first = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.to_thread(disk.entered.acquire)
    rest = [
        asyncio.create_task(journal.durable(journal.append(NOTE))) for _ in range(50)
    ]
    await asyncio.sleep(0)
    assert (journal.written, journal.synced) == (52, 1)
    disk.gate.set()
    await asyncio.gather(first, *rest)
    assert (journal.synced, disk.syncs) == (52, 2)


async def test_a_sync_wakes_only_those_whose_line_it_covered(
    journal: Journal, disk: Disk
) -> None:
    disk.gate.clear()
    first = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.to_thread(disk.entered.acquire)
    second = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.sleep(0)
    disk.gate.set()
    await first
    await second
    assert disk.syncs == 2


async def test_one_who_stops_waiting_disturbs_nobody(
    journal: Journal, disk: Disk
) -> None:
    disk.gate.clear()
    first = asyncio.create_task(journal.durable(journal.append(NOTE)))
    second = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.to_thread(disk.entered.acquire)
    first.cancel()
    disk.gate.set()
    await second
    assert first.cancelled()


def test_a_loop_that_is_gone_does_not_stop_the_syncing(
    journal: Journal, disk: Disk
) -> None:
    async def give_up() -> None:
        task = asyncio.create_task(journal.durable(journal.append(NOTE)))
        await asyncio.to_thread(disk.entered.acquire)
        task.cancel()

    disk.gate.clear()
    asyncio.run(give_up())
    disk.gate.set()
    asyncio.run(journal.durable(journal.append(NOTE)))
    assert journal.synced == 3


def test_a_new_page_begins_with_the_line_that_names_the_format(
    journal: Journal, path: Path, now: Clock
) -> None:
    journal.append(NOTE)
    journal.sync()
    closed = journal.turn_page()
    assert (closed.name, closed.seq, closed.size) == (path.name, 2, path.stat().st_size)
    with pytest.raises(JournalStalledError, match=": the next segment is not made"):
        journal.write()
    journal.mend_now()
    journal.append(NOTE)
    journal.close()
    assert journal.path.name == "journal-000002.jsonl"
    kinds = [(line.seq, line.kind) for line in seen(path.parent, now)]
    assert kinds == [(1, "journal"), (2, "note"), (3, "journal"), (4, "note")]


def test_a_page_that_cannot_be_made_is_made_later(
    journal: Journal, path: Path, now: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.turn_page()
    for name in ("open", "fsync", "write"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full_disk)
            with pytest.raises(JournalStalledError, match="No space left on device"):
                journal.mend_now()
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", missing)
        with pytest.raises(JournalStalledError, match="No such file"):
            journal.mend_now()
    journal.append(NOTE)
    journal.mend_now()
    journal.close()
    assert [line.seq for line in seen(path.parent, now)] == [1, 2, 3]


def test_a_page_whose_folder_cannot_be_made_is_made_later(
    journal: Journal, path: Path
) -> None:
    journal.turn_page()
    shutil.rmtree(path.parent)
    path.parent.touch()
    with pytest.raises(JournalStalledError, match="File exists"):
        journal.mend_now()
    assert journal.stalled == "File exists"
    path.parent.unlink()
    journal.mend_now()
    assert journal.stalled is None


def test_a_write_that_the_system_takes_in_pieces_is_completed(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, content: write(fd, content[:7]))
    journal.append(NOTE)
    journal.write()
    assert decode(path.read_bytes().splitlines()[1])[0].data == {"text": "hello"}


def test_a_closed_journal_is_on_the_disk_and_takes_nothing_more(
    journal: Journal, path: Path, disk: Disk
) -> None:
    journal.append(NOTE)
    journal.close()
    assert disk.syncs == 1
    assert path.read_bytes().count(b"\n") == 2
    with pytest.raises(JournalError, match=r": it is closed\. No bets"):
        journal.append(NOTE)
    journal.close()


async def test_those_who_still_wait_at_the_close_are_served(
    journal: Journal, disk: Disk
) -> None:
    waiting = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.sleep(0)
    journal.close()
    await waiting
    assert journal.synced == 2


def test_a_close_that_cannot_save_the_last_lines_says_so_and_closes(
    journal: Journal, disk: Disk
) -> None:
    disk.error = OSError(errno.EIO, "Input/output error")
    journal.append(NOTE)
    with pytest.raises(JournalStalledError, match="Input/output error"):
        journal.close()
    with pytest.raises(JournalError, match=r": it is closed\. No bets"):
        journal.append(NOTE)


def test_P1_a_crash_in_the_making_of_a_journal_does_not_stop_the_next_start(
    path: Path, now: Clock
) -> None:
    path.with_name("journal-000001.jsonl.new").write_bytes(b'{"seq":1,"ti')
    assert [line.kind for line in seen(path.parent, now)] == ["journal"]


def test_a_journal_that_cannot_be_made_is_told_with_its_path(
    path: Path, now: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", full_disk)
    with pytest.raises(BankUnusableError, match="No space left on device") as caught:
        open_journal(path.parent, now)
    assert str(path) in str(caught.value)
    assert not path.exists()


def test_a_journal_that_is_no_file_is_told_with_its_path(
    path: Path, now: Clock
) -> None:
    path.mkdir()
    with pytest.raises(BankUnusableError, match="it is a folder"):
        open_journal(path.parent, now)


def test_P2_a_link_to_nowhere_is_no_reason_to_begin_anew(
    path: Path, now: Clock
) -> None:
    path.symlink_to(path.with_name("unmounted"))
    with pytest.raises(BankUnusableError, match="No such file"):
        open_journal(path.parent, now)
    assert path.is_symlink()


@pytest.mark.parametrize(
    "name", ["journal-2.jsonl", "journal-000000.jsonl", "journal-000001.jsonl.bak"]
)
def test_P2_a_file_that_is_almost_a_segment_is_not_passed_over(
    path: Path, now: Clock, name: str
) -> None:
    path.with_name(name).touch()
    reason = f"{name}: its name is not that of a segment; move it elsewhere\\."
    with pytest.raises(JournalDamagedError, match=reason):
        open_journal(path.parent, now)
    assert not path.exists()


def test_a_start_that_cannot_sync_does_not_go_on(
    journal: Journal, path: Path, now: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    journal.close()
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(BankUnusableError, match="Input/output error"):
        open_journal(path.parent, now)
