"""P6: a disk fails, and a journal stalls until it is mended."""

import asyncio
import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bj_server.bank.error import (
    JournalStalledError,
)
from bj_server.bank.journal import Journal
from bj_server.bank.move import Clock
from support.journal import NOTE, Disk, full_disk, open_journal, seen

EIO = OSError(errno.EIO, "Input/output error")


async def stall(journal: Journal, disk: Disk, lines: int = 3) -> None:
    """Have a sync fail that several wait for."""
    disk.gate.clear()
    disk.error = EIO
    waiting = [
        asyncio.create_task(journal.durable(journal.append(NOTE))) for _ in range(lines)
    ]
    await asyncio.to_thread(disk.entered.acquire)
    disk.gate.set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result) for result in results] == [JournalStalledError] * lines
    assert "Input/output error" in str(results[0])
    disk.error = None


async def test_P6_a_failed_sync_is_told_to_all_who_wait_and_nothing_is_trusted(
    journal: Journal, disk: Disk, path: Path
) -> None:
    await stall(journal, disk)
    assert journal.stalled == "Input/output error"
    with pytest.raises(JournalStalledError, match="Input/output error"):
        journal.write()
    with pytest.raises(JournalStalledError):
        journal.sync()
    with pytest.raises(JournalStalledError):
        await journal.durable(3)
    assert (journal.synced, disk.syncs) == (1, 1)


async def test_P6_a_mended_journal_has_every_line_once_and_goes_on(
    journal: Journal, disk: Disk, path: Path, now: Clock
) -> None:
    await stall(journal, disk)
    # The system may have lost what it was given before the sync failed.
    os.truncate(path, path.stat().st_size - 30)
    journal.append(NOTE)
    await journal.mend()
    assert (journal.stalled, journal.synced, journal.written) == (None, 5, 5)
    await journal.durable(journal.append(NOTE))
    journal.close()
    assert [line.seq for line in seen(path.parent, now)] == [1, 2, 3, 4, 5, 6]


async def test_P6_a_mending_that_fails_can_be_tried_again(
    journal: Journal, disk: Disk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stall(journal, disk)
    for name in ("open", "ftruncate", "write", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full_disk)
            with pytest.raises(JournalStalledError, match="No space left on device"):
                await journal.mend()
    assert journal.stalled is not None
    await journal.mend()
    assert path.read_bytes().count(b"\n") == 4


async def test_P6_lines_of_a_failed_write_are_written_when_mended(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.durable(journal.append(NOTE))
    journal.append(NOTE)
    journal.write()
    journal.append(NOTE)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        with pytest.raises(JournalStalledError, match="No space left on device"):
            journal.write()
    with pytest.raises(JournalStalledError):
        await journal.durable(3)
    assert (journal.written, journal.synced) == (3, 2)
    journal.mend_now()
    assert (journal.written, journal.synced) == (4, 4)
    assert path.read_bytes().count(b"\n") == 4


async def test_a_sync_that_runs_while_a_write_fails_still_counts(
    journal: Journal, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.gate.clear()
    first = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.to_thread(disk.entered.acquire)
    second = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.sleep(0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        with pytest.raises(JournalStalledError):
            await journal.durable(journal.append(NOTE))
    disk.gate.set()
    await first
    with pytest.raises(JournalStalledError, match="No space left on device"):
        await second
    assert disk.syncs == 1
    await journal.mend()
    assert journal.synced == 4


async def test_P6_a_line_that_a_sync_makes_safe_meanwhile_is_not_written_again(
    journal: Journal, disk: Disk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.gate.clear()
    first = asyncio.create_task(journal.durable(journal.append(NOTE)))
    await asyncio.to_thread(disk.entered.acquire)
    journal.append(NOTE)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        with pytest.raises(JournalStalledError):
            journal.write()
    # The only thread is busy, so that both lines wait to be written.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    is_free = threading.Event()
    busy = asyncio.create_task(asyncio.to_thread(is_free.wait, 60))
    mending = asyncio.create_task(journal.mend())
    await asyncio.sleep(0)
    disk.gate.set()
    await first
    is_free.set()
    await asyncio.gather(busy, mending)
    assert (journal.stalled, journal.synced) == (None, 3)
    assert path.read_bytes().count(b"\n") == 3


async def test_a_file_that_was_deleted_is_noticed_by_the_next_sync(
    journal: Journal, path: Path
) -> None:
    path.unlink()
    with pytest.raises(JournalStalledError, match="it was deleted"):
        await journal.durable(journal.append(NOTE))
    with pytest.raises(FileNotFoundError):
        await journal.mend()


async def test_a_file_that_lost_lines_that_were_safe_is_not_written_to(
    journal: Journal, disk: Disk, path: Path
) -> None:
    await stall(journal, disk)
    os.truncate(path, 10)
    with pytest.raises(FileNotFoundError, match="another program has cut it short"):
        await journal.mend()
    assert path.stat().st_size == 10


def test_P6_a_line_that_was_written_by_half_is_torn_to_the_next_start(
    journal: Journal, path: Path, now: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = path.read_bytes()
    write = os.write

    def half_then_full(descriptor: int, content: memoryview) -> int:
        monkeypatch.setattr(os, "write", full_disk)
        return write(descriptor, content[: len(content) // 2])

    journal.append(NOTE)
    monkeypatch.setattr(os, "write", half_then_full)
    with pytest.raises(JournalStalledError):
        journal.write()
    monkeypatch.undo()
    journal.close()
    assert len(path.read_bytes()) > len(whole)
    open_journal(path.parent, now).close()
    assert path.with_name("journal-000001.torn-2").exists()
    assert path.read_bytes() == whole
