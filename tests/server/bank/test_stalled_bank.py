"""A bank whose disk fails says so once, is mended by trying, and loses nothing."""

import asyncio
import logging
import os
import threading
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalError, JournalStalledError, UnbalancedError
from bj_server.bank.move import DONOR, PLAYER, Clock, Entry, Kind, Move, Posting, Reason
from bj_server.bank.store import MOST_UNSYNCED
from support.banks import OpenBank
from support.journal import full_disk

STALLED = (
    "the bank cannot write, so the tables pause: No space left on device. They go on "
    "by themselves once it can: mend the disk, or free some space"
)
MENDED = "the bank can write again, and the tables go on"


def gift(cents: int = 100) -> Posting:
    move = Move(source=DONOR, target=PLAYER + "ned21", amount=cents)
    return Posting(kind=Kind.GIFT, entries=(Entry(reason=Reason.GIFT, moves=(move,)),))


async def give(bank: Bank) -> None:
    bank.post(gift())
    await bank.commit(bank.journal.seq, bank.journal.seq)


class Full:
    """A disk that is full until it is not; ``tries`` are the pauses between tries."""

    def __init__(self, folder: Path, now: Clock, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.tries = 0
        self.mended_after = 3
        self.bank = Bank.open(folder, now=now, pause=self._pause)

    def fill(self) -> None:
        self._patch.setattr(os, "write", full_disk)

    async def _pause(self, seconds: float) -> None:
        assert seconds == 1.0
        self.tries += 1
        if self.tries == self.mended_after:
            self._patch.undo()


@pytest.fixture
def full(folder: Path, now: Clock, monkeypatch: pytest.MonkeyPatch) -> Full:
    return Full(folder, now, monkeypatch)


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


async def test_P6_a_stalled_bank_is_mended_by_one_for_all_who_wait_and_says_so_once(
    full: Full, caplog: pytest.LogCaptureFixture, open_bank: OpenBank
) -> None:
    bank = full.bank
    full.fill()
    with caplog.at_level(logging.INFO, "bj_server.bank"):
        with pytest.raises(JournalStalledError):
            await give(bank)
        await asyncio.gather(bank.mended(), bank.mended(), bank.mended())
        await bank.mended()
    assert full.tries == 3
    failed = [text for level, text in said(caplog) if level == "INFO"]
    assert len(failed) == 2
    assert all(text.startswith("The journal ") for text in failed)
    assert all("No space left on device" in text for text in failed)
    others = [each for each in said(caplog) if each[0] != "INFO"]
    assert others == [("ERROR", STALLED), ("WARNING", MENDED)]
    caplog.clear()
    full.tries = 0
    full.fill()
    with pytest.raises(JournalStalledError):
        await give(bank)
    await bank.mended()
    assert [text for level, text in said(caplog) if level != "INFO"] == [
        STALLED,
        MENDED,
    ]
    assert bank.balance("ned21") == 200
    bank.close()
    assert open_bank().balance("ned21") == 200


async def test_P6_one_try_at_once_tells_whether_the_bank_can_write(full: Full) -> None:
    bank = full.bank
    assert await bank.mend_once()
    full.fill()
    with pytest.raises(JournalStalledError):
        await give(bank)
    assert not await bank.mend_once()
    assert not await bank.mend_once()
    full._patch.undo()
    assert await bank.mend_once()
    assert (full.tries, bank.journal.stalled) == (0, None)
    await give(bank)
    bank.close()


async def test_P6_what_a_stalled_bank_took_in_is_on_the_disk_once_it_is_mended(
    full: Full, folder: Path
) -> None:
    bank = full.bank
    full.fill()
    for _ in range(3):
        with pytest.raises(JournalStalledError):
            await give(bank)
    await bank.mended()
    assert bank.journal.synced == bank.journal.seq
    bank.stop()  # as a kill does: no bank.json
    again = Bank.open(folder)
    assert again.balance("ned21") == 300
    again.audit()
    again.close()


async def test_lines_are_synced_before_more_of_them_than_may_are_on_no_disk(
    open_bank: OpenBank,
) -> None:
    bank = open_bank()
    first = bank.journal.synced
    for _ in range(MOST_UNSYNCED):
        bank.post(gift())
    await bank.commit(bank.journal.seq, 0)
    assert bank.journal.synced == first
    bank.post(gift())
    await bank.commit(bank.journal.seq, 0)
    assert bank.journal.synced == bank.journal.seq


async def test_a_segment_is_closed_once_it_has_its_bytes_and_not_before(
    folder: Path, now: Clock
) -> None:
    bank = Bank.open(folder, now=now)
    await give(bank)
    size = bank.journal.place.size
    bank.close()
    for more, number in ((1, 1), (0, 2)):
        (folder / "bank.json").unlink()
        bank = Bank.open(folder, now=now, segment_bytes=size + more)
        await bank.commit(bank.journal.seq, 0)
        assert bank.journal.number == number
        bank.close()


def test_books_that_fail_their_audit_are_not_sound_until_one_succeeds(
    open_bank: OpenBank,
) -> None:
    bank = open_bank()
    assert bank.is_sound
    bank.books.ledger.balances["house"] = 1
    with pytest.raises(UnbalancedError):
        bank.audit()
    assert not bank.is_sound
    del bank.books.ledger.balances["house"]
    bank.audit()
    assert bank.is_sound


def test_a_gift_moves_the_donors_cents_and_is_on_the_disk(
    open_bank: OpenBank,
) -> None:
    bank = open_bank()
    bank.give("ned21", 500)
    assert bank.journal.synced == bank.journal.seq
    assert bank.books.ledger.accounts == {"donor": -500, "player:ned21": 500}
    bank = open_bank()
    assert bank.books.ledger.accounts == {"donor": -500, "player:ned21": 500}


def test_a_gift_that_cannot_be_written_is_refused_with_the_remedy(
    full: Full,
) -> None:
    full.fill()
    with pytest.raises(JournalError, match="mend the disk or free some space"):
        full.bank.give("ned21", 500)
    full._patch.undo()
    full.bank.close()


def test_no_thread_of_a_bank_keeps_a_process_from_its_end(open_bank: OpenBank) -> None:
    before = set(threading.enumerate())
    open_bank()
    threads = set(threading.enumerate()) - before
    assert {thread.name for thread in threads} == {"journal-sync", "journal-archive"}
    assert all(thread.daemon for thread in threads)
