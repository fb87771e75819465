"""Closed segments, moved out of the bank and put back again."""

import asyncio
import gzip
import shutil
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.bank import Bank
from bj_server.command import main
from support.banks import BankCommand, play
from support.rig import Rig


async def play_some(folder: Path, rounds: int) -> int:
    """Play on in a bank of small segments; return the balance of a player."""
    with Rig(folder, seed=11, segment_bytes=8_000) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        for _ in range(rounds):
            play(rig, 4, ("ned21", "lia9"))
            await rig.table.context.till.commit()
        return rig.bank.balance("ned21")


async def test_14_10_an_archived_bank_goes_on_and_is_proved_with_or_without(
    tmp_path: Path, ask: BankCommand
) -> None:
    bank, old, whole = (tmp_path / name for name in ("bank", "old", "whole"))
    await play_some(bank, 3)
    for _ in range(2):
        balance = await play_some(bank, 3)
        status, lines, said = ask("--bank", bank, "archive", old)
        assert status == 0, said
        assert lines[0].endswith("; the bank goes on from statement.json.")
        assert "jsonl.gz" in lines[0]
        assert len(list(bank.glob("journal-*"))) == 1
        for _ in range(2):
            status, lines, said = ask("--bank", bank, "audit")
            assert (status, lines[-1]) == (0, "The bank is sound.")
            assert "are taken from statement.json" in said
            opened = Bank.open(bank, keep=None)
            assert opened.balance("ned21") == balance
            opened.close()
            (bank / "bank.json").unlink()
    Bank.open(bank, keep=None).close()
    names = ask("--bank", bank, "balances", "--seen")[1]
    assert names[0].split()[0] == "lia9"
    history = ask("--bank", bank, "history", "ned21")
    assert history[0] == 0
    # All that was ever played, put together again.
    shutil.copytree(bank, whole)
    (whole / "statement.json").unlink()
    for path in old.glob("journal-*"):
        shutil.copy(path, whole)
    status, lines, said = ask("--bank", whole, "audit")
    assert (status, lines[-1]) == (0, "The bank is sound.")
    assert "statement.json" not in said


async def test_14_10_a_copy_that_differs_is_not_written_over(
    tmp_path: Path, ask: BankCommand
) -> None:
    bank, old = tmp_path / "bank", tmp_path / "old"
    await play_some(bank, 2)
    old.mkdir()
    (old / "journal-000001.jsonl.gz").write_bytes(gzip.compress(b""))
    before = {path.name for path in bank.iterdir()}
    status, _, said = ask("--bank", bank, "archive", old)
    assert (status, "is not of this bank" in said) == (2, True)
    assert before <= {path.name for path in bank.iterdir()}
    assert ask("--bank", bank, "audit")[0] == 0


async def test_14_10_a_bank_is_no_archive_of_its_own(
    tmp_path: Path, ask: BankCommand
) -> None:
    await play_some(tmp_path / "bank", 3)
    (tmp_path / "link").symlink_to(tmp_path / "bank")
    for folder in ("bank", "link"):
        status, _, said = ask("--bank", tmp_path / "bank", "archive", tmp_path / folder)
        assert (status, "is the bank itself: name another folder" in said) == (2, True)
    status, lines, said = ask("--bank", tmp_path / "bank", "audit")
    assert (status, lines[-1], said) == (0, "The bank is sound.", "")


def test_14_10_nothing_is_archived_before_a_segment_is_closed(
    tmp_path: Path, ask: BankCommand, bank: Path
) -> None:
    folder = shutil.copytree(bank, tmp_path / "bank")
    said: Any = ask("--bank", folder, "archive", tmp_path / "old")
    assert said == (0, ["No segment of the journal is closed yet."], "")
    status, lines, _ = ask("--bank", folder, "archive", tmp_path / "old", "--json")
    assert (status, lines[2]) == (0, '  "moved": []')
    assert ask("--bank", tmp_path / "none", "archive", tmp_path / "old")[0] == 4
    server = Bank.open(folder, keep=None)
    assert ask("--bank", folder, "archive", tmp_path / "old")[0] == 4
    server.close()
    with pytest.raises(SystemExit):
        ask("--bank", folder, "archive")


def test_a_start_says_that_the_statement_is_missing_and_plays_on(
    tmp_path: Path, ask: BankCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    def start() -> tuple[int, str]:
        # Where no server can listen, a bank that is sound gives status 3.
        status = main(["--bank", str(bank), "--host", "203.0.113.1", "--insecure"])
        return status, capsys.readouterr().err

    bank = tmp_path / "bank"
    balance = asyncio.run(play_some(bank, 3))
    assert "statement.json" not in start()[1]
    assert ask("--bank", bank, "archive", tmp_path / "old")[0] == 0
    statement = (bank / "statement.json").read_bytes()
    assert "statement.json" not in start()[1]
    (bank / "statement.json").unlink()
    for _ in range(2):
        status, said = start()
        assert status == 3
        assert f"The bank file {bank / 'statement.json'} is missing" in said
        assert "Put it back from a backup." in said
    opened = Bank.open(bank, keep=None)
    assert opened.balance("ned21") == balance
    opened.close()
    assert ask("--bank", bank, "audit")[0] != 0
    (bank / "statement.json").write_bytes(statement)
    assert "statement.json" not in start()[1]
    assert ask("--bank", bank, "audit")[0] == 0
