"""What others do to an open bank is noticed, and what is left opens."""

import json
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bj_protocol import events
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankDamagedError, JournalStalledError
from bj_server.bank_cli.command import main
from support.banks import no_pause
from support.rig import Rig

NAME = "journal-000001.jsonl"


def delete(path: Path) -> None:
    shutil.rmtree(path.parent)


def move_away(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")


def cut(path: Path) -> None:
    os.truncate(path, 100)


def put_another(path: Path) -> None:
    move_away(path)
    shutil.copy(path.parent.parent / "elsewhere", path)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x\n")


def copy_over(path: Path) -> None:
    """Do as ``cp`` does: the file stays, and what is in it does not."""
    path.write_bytes(path.read_bytes().replace(b"2", b"3") * 2)


LOSSES: dict[str, Callable[[Path], None]] = {
    "it was deleted": delete,
    "it was moved away": move_away,
    "another program has cut it short": cut,
    "another file was put in its place": put_another,
    "another program has changed it": copy_over,
}


def played(folder: Path) -> Rig:
    """Return a table with one round behind it, and one on which cards are out."""
    rig = Rig(folder, seed=15, pause=no_pause, segment_bytes=10**6)
    rig.join("ned21")
    rig.bet("ned21", 100)
    for _ in range(8):
        if not rig.seen(events.RoundEnded):
            rig.play("ned21", "stand")
    return rig


async def commit(rig: Rig) -> None:
    """Commit as a dealer does, waiting out what is mended."""
    while True:
        try:
            await rig.table.context.till.commit()
        except JournalStalledError:
            await rig.table.context.till.mended()
        else:
            return


def audit(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    status = main(["--bank", str(folder), "audit"])
    said = capsys.readouterr()
    assert status == 0, said.out + said.err
    return said.out + said.err


@pytest.mark.parametrize("reason", LOSSES)
async def test_14_5_a_lost_journal_is_said_and_what_is_left_is_sound(
    tmp_path: Path,
    reason: str,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "bank"
    rig = played(folder)
    rig.bet("ned21", 100)  # cards are out, and a stake is held
    await commit(rig)
    LOSSES[reason](folder / NAME)
    with caplog.at_level(logging.ERROR):
        rig.act("ned21", "stand, bet 50")
        await commit(rig)
    told = [record.getMessage() for record in caplog.records]
    (said,) = [text for text in told if text.startswith("others have changed")]
    assert f"{folder / NAME}: {reason}. No balance is lost" in said
    held = rig.table.context.till.held(rig.table.context.round)
    balance = rig.bank.balance("ned21")
    assert "statement.json" in audit(folder, capsys)  # beside the server
    rig.bank.close()
    said = audit(folder, capsys)
    assert "The bank is sound." in said
    assert "the balances before are taken from statement.json" in said
    (folder / "bank.json").unlink()
    assert "The bank is sound." in audit(folder, capsys)
    bank = Bank.open(folder, keep=None)
    assert bank.balance("ned21") == balance
    assert bank.till("main").held(rig.table.context.round) == held
    bank.close()
    assert main(["--bank", str(folder), "history", "ned21"]) == 0
    assert main(["--bank", str(folder), "balances"]) == 0
    assert main(["--bank", str(folder), "round", "main/1"]) in (0, 2)


async def test_14_5_lines_that_reach_as_far_as_those_cut_off_do_not_hide_the_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bank"
    rig = Rig(folder, pause=no_pause)
    await commit(rig)
    cut(folder / NAME)
    for number in range(9):
        rig.join(f"ned{number}")
    with pytest.raises(
        JournalStalledError, match=r": another program has cut it short\."
    ):
        await rig.table.context.till.commit()
    await commit(rig)
    assert "statement.json" in audit(folder, capsys)
    rig.bank.close()
    assert "The bank is sound." in audit(folder, capsys)


async def test_14_5_what_others_append_is_cut_off_again_and_nothing_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bank"
    rig = played(folder)
    await commit(rig)
    append(folder / NAME)
    rig.bet("ned21", 50)

    with pytest.raises(
        JournalStalledError, match=r": another program has written to it\."
    ):
        await rig.table.context.till.commit()
    await commit(rig)
    rig.bank.close()
    assert b"x\n" not in (folder / NAME).read_bytes().splitlines(keepends=True)
    assert "statement.json" not in audit(folder, capsys)


async def test_14_5_a_journal_that_is_lost_before_its_first_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bank"
    bank = Bank.open(folder, pause=no_pause)
    (folder / NAME).unlink()  # and bank.json stays, which knows as much
    with pytest.raises(JournalStalledError, match="it was deleted"):
        bank.journal.sync()
    await bank.mended()
    bank.stop()  # as a kill does
    assert "The bank is sound." in audit(folder, capsys)
    Bank.open(folder).close()


@pytest.mark.parametrize("reason", LOSSES)
def test_14_5_a_loss_that_only_the_stop_notices_leaves_a_sound_bank_too(
    tmp_path: Path, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bank"
    rig = played(folder)
    rig.bank.journal.sync()
    balance = rig.bank.balance("ned21")
    LOSSES[reason](folder / NAME)
    rig.bank.close()
    assert "The bank is sound." in audit(folder, capsys)
    bank = Bank.open(folder, keep=None)
    assert bank.balance("ned21") == balance
    bank.close()


def test_14_5_what_others_append_before_the_stop_is_cut_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bank"
    rig = played(folder)
    rig.bank.journal.sync()
    append(folder / NAME)
    rig.bet("ned21", 50)
    rig.bank.close()
    assert "The bank is sound." in audit(folder, capsys)


async def test_14_5_a_damaged_statement_is_found_by_the_audit_and_the_next_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bank"
    rig = played(folder)
    await commit(rig)
    delete(folder / NAME)
    rig.bet("ned21", 50)
    await commit(rig)
    rig.bank.close()
    path = folder / "statement.json"
    fields = json.loads(path.read_text())
    assert fields["closed"] == []
    path.write_text(path.read_text().replace('"main": ', '"main":  '))
    assert main(["--bank", str(folder), "audit"]) == 3
    assert "statement.json is not as it was written" in capsys.readouterr().err
    with pytest.raises(BankDamagedError, match="put it back from a good copy"):
        Bank.open(folder)
    path.unlink()
    Bank.open(folder).close()  # which needs bank.json alone
