"""A bank folder, a clock that stands still, and a bank with two players."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.journal import Journal
from bj_server.bank.move import Clock, Payment, Reason
from bj_server.bank.till import Till
from support.banks import OpenBank
from support.journal import Disk, open_journal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bank"


@pytest.fixture
def now() -> Clock:
    return lambda: datetime(2024, 5, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def open_bank(folder: Path, now: Clock) -> Iterator[OpenBank]:
    """Open the bank of the folder; whatever is open is left as by a kill."""
    opener = OpenBank(folder, now)
    yield opener
    opener.leave()


@pytest.fixture
def small_journal(folder: Path, now: Clock) -> bytes:
    """The bytes of a journal with a bit of everything, left without bank.json.

    Lines 2 to 4 are one command and 5 to 7 another; the disk had each before the next.
    """
    bank = Bank.open(folder, now=now)
    till = bank.till("main")
    till.open("ned21", 1000_00)
    till.stake(1, "ned21", 50_00)
    till.seal({"seats": ["ned21"]})
    bank.journal.sync()
    till.record("answer", 1, {"seat": 1, "action": "stand"})
    won = Payment(handle="ned21", reason=Reason.HAND_WON, stake=50_00, payout=100_00)
    till.settle(1, [won], {"dealer": "Td 7s"})
    till.seal({})
    bank.close()
    (folder / "bank.json").unlink()
    return (folder / "journal-000001.jsonl").read_bytes()


@pytest.fixture
def bank(open_bank: OpenBank) -> Bank:
    return open_bank()


@pytest.fixture
def till(bank: Bank) -> Till:
    """A table at which ned21 and lia9 have 100.00 each."""
    till = bank.till("main")
    till.open("ned21", 100_00)
    till.open("lia9", 100_00)
    till.seal({})
    return till


@pytest.fixture
def path(folder: Path) -> Path:
    folder.mkdir()
    return folder / "journal-000001.jsonl"


@pytest.fixture
def journal(path: Path, now: Clock) -> Iterator[Journal]:
    journal = open_journal(path.parent, now)
    yield journal
    journal._stop()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)
