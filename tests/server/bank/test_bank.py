import asyncio
import errno
import json
import logging
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bj_server.bank import store
from bj_server.bank.bank import Bank
from bj_server.bank.error import (
    BankUnusableError,
    FolderLockedError,
    JournalError,
    MispostedError,
    UnbalancedError,
)
from bj_server.bank.move import Clock, Payment, Reason, Stake
from bj_server.bank.till import Till
from support.banks import OpenBank, read_bank


def full_disk(*args: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def kill(bank: Bank) -> None:
    """Leave the bank as a kill does: what is written stays, nothing else."""
    bank.journal.write()


def play(till: Till, round: int) -> None:
    till.stake(round, "ned21", 1_00)
    won = Payment(handle="ned21", reason=Reason.HAND_WON, stake=1_00, payout=2_00)
    till.settle(round, [won], {})
    till.seal({})


def test_a_new_bank_is_empty_and_for_its_owner_alone(
    tmp_path: Path, now: Clock
) -> None:
    folder = tmp_path / "state" / "bank"
    bank = Bank.open(folder, now=now)
    assert "player:ned21" not in bank.books.ledger
    assert bank.balance("ned21") == 0
    assert bank.take_notices("ned21") == ()
    assert bank.repaired is None
    bank.audit()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == [
        "bank.json",
        "journal-000001.jsonl",
        "lock",
    ]
    bank.close()


def test_a_bank_knows_how_long_ago_its_books_were_audited(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [1000.0]
    monkeypatch.setattr("bj_server.bank.store.perf_counter", lambda: seconds[-1])
    moments = [datetime(2024, 5, 1, 12, 30, tzinfo=UTC)]
    bank = Bank.open(folder, now=lambda: moments[-1])
    seconds.append(1090.0)
    moments.append(moments[0] - timedelta(days=90))  # somebody sets the clock
    assert bank.audit_age == 90
    bank.audit()
    assert bank.audit_age == 0
    bank.close()


def test_balances_and_rounds_are_there_after_a_restart(open_bank: OpenBank) -> None:
    bank = open_bank()
    bank.till("main").open("ned21", 1000_00)
    for round in range(1, 4):
        play(bank.till("main"), round)
    bank.close()
    bank = open_bank()
    assert "player:ned21" in bank.books.ledger
    assert bank.balance("ned21") == 1003_00
    assert bank.till("main").last_round == 3
    assert bank.till("other").last_round == 0
    assert bank.take_notices("ned21") == ()


def test_a_table_has_one_till(open_bank: OpenBank) -> None:
    bank = open_bank()
    assert bank.till("main") is bank.till("main")
    assert bank.till("main") is not bank.till("other")


@pytest.mark.parametrize(
    "amount", [2**31, 2**53 + 1, 10**30, pytest.param(10**4000, id="huge")]
)
def test_B12_big_balances_are_kept_to_the_cent(
    open_bank: OpenBank, amount: int
) -> None:
    bank = open_bank()
    bank.till("main").open("ned21", amount)
    bank.till("main").give("ned21", 1)
    bank.till("main").seal({})
    bank.close()
    assert open_bank().balance("ned21") == amount + 1


def test_P10_the_stakes_of_unfinished_rounds_come_back_and_each_is_told_once(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = open_bank()
    main, other = bank.till("main"), bank.till("other")
    for handle in ("ned21", "lia9"):
        main.open(handle, 1000_00)
    play(main, 11)
    main.stake(12, "ned21", 20_00)
    double = Stake(handle="ned21", amount=30_00, reason=Reason.DOUBLE)
    main.record("answer", 12, {}, [double])
    main.stake(12, "lia9", 1234_00 - 500_00)
    main.seal({})
    other.stake(3, "ned21", 7)
    other.seal({})
    kill(bank)

    bank = open_bank()
    assert bank.balance("ned21") == 1001_00
    assert bank.balance("lia9") == 1000_00
    assert bank.till("main").held(12) == {}
    assert (bank.till("main").last_round, bank.till("other").last_round) == (12, 3)
    bank.audit()
    void = read_bank(folder)[-4:]
    assert [(line["kind"], line["table"], line["round"]) for line in void] == [
        ("void", "main", 12),
        ("seal", "main", None),
        ("void", "other", 3),
        ("seal", "other", None),
    ]
    assert [line["data"] for line in void[1::2]] == [{"seats": []}] * 2
    assert bank.take_notices("ned21") == (
        "The server stopped during round 12 at table main: your $50 came back.",
        "The server stopped during round 3 at table other: your $0.07 came back.",
    )
    assert bank.take_notices("ned21") == ()

    bank = open_bank()
    assert bank.balance("ned21") == 1001_00
    assert bank.take_notices("ned21") == ()
    assert bank.take_notices("lia9") == (
        "The server stopped during round 12 at table main: your $734 came back.",
    )
    bank.close()
    assert open_bank().take_notices("lia9") == ()


def test_P10_stakes_of_a_table_that_is_gone_are_logged_with_their_place(
    open_bank: OpenBank, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bank = open_bank()
    main = bank.till("main")
    main.open("ned21", 1000_00)
    main.stake(12, "ned21", 50_00)
    main.record("deal", 12, {"secret": "ab"})
    main.seal({"seq": 7, "seats": [{"seat": 1, "handle": "ned21"}]})
    kill(bank)
    with caplog.at_level(logging.WARNING):
        open_bank()
    # Whoever was dealt cards can check them all the same.
    void, left = read_bank(folder)[-2:]
    assert (void["kind"], void["data"]) == ("void", {"secret": "ab"})
    assert (left["kind"], left["data"]) == ("seal", {"seq": 7, "seats": []})
    (record,) = caplog.records
    said = "$50 goes back, for the server has that table no more"
    assert (record.levelname, record.getMessage()) == ("WARNING", said)
    known = {name: vars(record)[name] for name in ("table", "round", "handle")}
    assert known == {"table": "main", "round": 12, "handle": "ned21"}


def test_P10_a_till_tells_balances_and_notices_like_its_bank(
    open_bank: OpenBank,
) -> None:
    bank = open_bank()
    bank.till("main").open("ned21", 10_00)
    bank.till("main").stake(1, "ned21", 5_00)
    bank.till("main").seal({})
    assert bank.till("main").balance("ned21") == bank.balance("ned21") == 5_00
    kill(bank)
    bank = open_bank()
    assert len(bank.till("main").take_notices("ned21")) == 1
    assert bank.take_notices("ned21") == ()


def test_P10_a_voided_round_takes_no_more_stakes(open_bank: OpenBank) -> None:
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 10_00)
    till.stake(1, "ned21", 5_00)
    till.seal({})
    kill(bank)
    till = open_bank().till("main")
    with pytest.raises(MispostedError, match="Round 1 at table main is over"):
        till.stake(1, "ned21", 5_00)
    till.stake(till.last_round + 1, "ned21", 5_00)


def test_P10_a_clean_stop_in_the_middle_of_a_round_returns_its_stakes_too(
    open_bank: OpenBank,
) -> None:
    bank = open_bank()
    bank.till("main").open("ned21", 10_00)
    bank.till("main").stake(1, "ned21", 5_00)
    bank.till("main").seal({})
    bank.close()
    bank = open_bank()
    assert bank.balance("ned21") == 10_00
    assert len(bank.take_notices("ned21")) == 1


def test_a_notice_whose_telling_cannot_be_written_down_is_told_all_the_same(
    open_bank: OpenBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = open_bank()
    bank.till("main").open("ned21", 10_00)
    bank.till("main").stake(1, "ned21", 5_00)
    bank.till("main").seal({})
    kill(bank)
    bank = open_bank()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        assert len(bank.take_notices("ned21")) == 1
    bank.close()
    assert len(open_bank().take_notices("ned21")) == 1


def test_bank_json_follows_after_every_so_many_rounds(
    open_bank: OpenBank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rounds(till: Till, first: int, last: int) -> None:
        for round in range(first, last + 1):
            play(till, round)
            await till.commit()

    def figure() -> object:
        return json.loads((folder / "bank.json").read_text())["rounds"]

    assert store.ROUNDS_PER_SNAPSHOT == 1000
    monkeypatch.setattr(store, "ROUNDS_PER_SNAPSHOT", 10)
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 1000_00)
    asyncio.run(rounds(till, 1, 9))
    assert figure() == {}
    asyncio.run(rounds(till, 10, 19))
    assert figure() == {"main": 10}
    asyncio.run(rounds(till, 20, 20))
    assert figure() == {"main": 20}
    bank.close()


def test_P6_a_bank_json_that_cannot_be_written_stops_no_play_and_is_logged(
    open_bank: OpenBank,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 1000_00)
    till.seal({})
    before = (folder / "bank.json").read_bytes()
    (folder / "bank.json.new").mkdir()
    with caplog.at_level(logging.WARNING):
        bank.close()
    (record,) = caplog.records
    assert record.getMessage() == (
        f"The bank cannot use {folder / 'bank.json.new'}: Is a directory. "
        "Move that away, or choose another bank folder."
    )
    assert (folder / "bank.json").read_bytes() == before
    (folder / "bank.json.new").rmdir()
    assert open_bank().balance("ned21") == 1000_00


async def test_CFR_547_8_books_that_do_not_balance_stop_the_bets(
    open_bank: OpenBank,
) -> None:
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 1000_00)
    play(till, 1)
    bank._settled = 1000
    bank.books.ledger.balances["house"] += 1
    for _ in range(2):
        with pytest.raises(UnbalancedError):
            await till.commit()
    with pytest.raises(UnbalancedError):
        bank.audit()
    bank.books.ledger.balances["house"] -= 1


def test_a_bank_that_failed_leaves_bank_json_and_the_lock_alone_at_its_close(
    open_bank: OpenBank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = open_bank()
    before = (folder / "bank.json").read_bytes()
    bank.till("main").open("ned21", 1000_00)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        bank.till("main").seal({})
        with pytest.raises(JournalError):
            asyncio.run(bank.till("main").commit())
    bank.close()
    assert (folder / "bank.json").read_bytes() == before
    assert "player:ned21" not in open_bank().books.ledger


def test_a_close_that_cannot_save_the_last_lines_says_so_and_unlocks(
    open_bank: OpenBank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = open_bank()
    bank.till("main").open("ned21", 1000_00)
    bank.till("main").seal({})
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        with pytest.raises(JournalError, match="No space left on device"):
            bank.close()
    assert "player:ned21" not in open_bank().books.ledger


def test_a_start_that_fails_leaves_the_folder_unlocked(
    folder: Path, now: Clock, open_bank: OpenBank
) -> None:
    folder.mkdir()
    (folder / "bank.json.new").mkdir()
    with pytest.raises(BankUnusableError, match=r"bank\.json\.new: Is a directory"):
        Bank.open(folder, now=now)
    (folder / "bank.json.new").rmdir()
    open_bank()
    with pytest.raises(FolderLockedError):
        Bank.open(folder, now=now)


def test_a_folder_that_cannot_be_made_is_told_with_its_path(
    tmp_path: Path, now: Clock
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BankUnusableError, match="file: File exists"):
        Bank.open(tmp_path / "file", now=now)
    with pytest.raises(BankUnusableError, match="cannot use .*file"):
        Bank.open(tmp_path / "file" / "bank", now=now)


def test_a_bank_needs_no_clock_of_ours(folder: Path) -> None:
    bank = Bank.open(folder)
    bank.close()
    assert json.loads((folder / "bank.json").read_text())["time"].endswith("Z")
