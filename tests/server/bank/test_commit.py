"""A commit: which moves of money wait for the disk."""

import asyncio
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.disk import write_all
from bj_server.bank.error import (
    JournalStalledError,
)
from bj_server.bank.move import Reason, Stake
from bj_server.bank.till import Till
from bj_server.gauges import Gauges


class Syncs:
    """Counts the syncs, or fails them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.fails = False
        monkeypatch.setattr(os, "fdatasync", self.sync)

    def sync(self, descriptor: int) -> None:
        self.count += 1
        if self.fails:
            raise OSError(errno.EIO, "Input/output error")


@pytest.fixture
def syncs(till: Till, monkeypatch: pytest.MonkeyPatch) -> Syncs:
    till._store.journal.sync()
    return Syncs(monkeypatch)


async def test_a_commit_with_nothing_to_save_returns_at_once(
    till: Till, bank: Bank, syncs: Syncs
) -> None:
    await bank.till("other").commit()
    await till.commit()
    assert syncs.count == 0


async def test_a_commit_of_records_writes_and_waits_for_no_disk(
    bank: Bank, till: Till, syncs: Syncs
) -> None:
    double = Stake(handle="ned21", amount=10_00, reason=Reason.DOUBLE)
    till.record("answer", 1, {"action": "double"}, [double])
    till.seal({})
    await till.commit()
    assert syncs.count == 0
    assert bank.journal.written == bank.journal.seq


def test_the_first_command_of_a_start_waits_for_no_disk_either(bank: Bank) -> None:
    bank.till("main").record("note", None, {})
    assert bank.seal("main", {}) == (bank.journal.seq, False)


async def test_how_long_a_commit_waited_for_the_disk_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, told = iter((1000.0, 1000.25)), list[float]()
    gauges = Gauges()
    monkeypatch.setattr(gauges, "committed", told.append)
    bank = Bank.open(folder, gauges=gauges)
    monkeypatch.setattr("bj_server.bank.store.perf_counter", seconds.__next__)
    bank.till("main").open("ned21", 100_00)
    bank.till("main").seal({})
    await bank.till("main").commit()
    assert told == [0.25]
    bank.stop()


async def test_tables_that_are_ready_in_one_turn_share_one_write(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[int] = []

    def write(descriptor: int, content: bytes) -> None:
        writes.append(content.count(b"\n"))
        write_all(descriptor, content)

    monkeypatch.setattr("bj_server.bank.journal.write_all", write)
    tills = [bank.till(name) for name in ("main", "other", "third")]
    for till in tills:
        till.seal({"seq": 1})
    await asyncio.gather(*(till.commit() for till in tills))
    assert writes == [3]
    assert bank.journal.written == bank.journal.seq


def move_money(till: Till) -> Iterator[None]:
    """Move money in each of the ways, one after the other."""
    till.open("eve", 5)
    yield
    till.give("eve", 5)
    yield
    till.stake(1, "ned21", 5)
    yield
    till.refund(1)
    yield
    till.settle(1, [], {})
    yield


async def test_a_commit_of_money_waits_for_the_disk(till: Till, syncs: Syncs) -> None:
    for count, _ in enumerate(move_money(till), 1):
        till.record("answer", 1, {})
        till.seal({})
        await till.commit()
        assert syncs.count == count


async def test_CFR_547_8_a_commit_that_failed_goes_on_failing_until_mended(
    bank: Bank, till: Till, syncs: Syncs
) -> None:
    syncs.fails = True
    till.stake(1, "ned21", 50_00)
    till.seal({})
    for _ in range(2):
        with pytest.raises(JournalStalledError, match="No bets are taken"):
            await till.commit()
    syncs.fails = False
    with pytest.raises(JournalStalledError):
        await till.commit()
    await asyncio.gather(till.mended(), bank.till("other").mended())
    await till.commit()
    assert till.held(1) == {"ned21": 50_00}
