"""Backups beside a server that runs, and banks made of them."""

import errno
import os
import pty
import select
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.handles import Bans
from bj_server.bank.signer import KEY_NAME
from bj_server.bank_cli.report import progress
from bj_server.host_cli.command import read_options
from support.banks import BankCommand, finish_packing, play
from support.linked import LinkedRig
from support.rig import Rig


@pytest.fixture
def rig(tmp_path: Path) -> Any:
    """Return a table that plays on, in a bank of several segments."""
    with LinkedRig(tmp_path / "bank", segment_bytes=30_000) as rig:
        rig.join("ned21")
        rig.join("lia9")
        yield rig


async def play_some(rig: Rig, rounds: int = 4) -> None:
    play(rig, rounds, ("ned21", "lia9"))
    await rig.table.context.till.commit()


async def test_14_10_a_backup_beside_a_server_is_whole_and_goes_on(
    rig: Rig, tmp_path: Path, ask: BankCommand
) -> None:
    bank, copy, again = (tmp_path / name for name in ("bank", "copy", "again"))
    Bans(bank).add("eve")
    for _ in range(3):
        await play_some(rig)
    finish_packing(rig.bank)
    with (bank / rig.bank.journal.path.name).open("ab") as file:
        file.write(b'{"half a line')
    status, lines, _ = ask("--bank", bank, "backup", copy)
    assert (status, len(lines)) == (0, 1)
    assert lines[0].startswith(f"{copy} is the backup of {bank}, up to line ")
    names = {path.name for path in copy.iterdir()}
    assert {"bank.json", "bans.json", "server.key", "journal-000001.jsonl.gz"} <= names
    assert not names & {"lock", "host.sock"}
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in copy.iterdir()} == {0o600}
    balances = {h: rig.bank.balance(h) for h in ("ned21", "lia9")}
    await_path = bank / rig.bank.journal.path.name
    os.truncate(await_path, await_path.stat().st_size - len(b'{"half a line'))
    await play_some(rig)
    status, lines, said = ask("restore", copy, again)
    assert status == 0, said
    assert lines[0].startswith(f"{again} goes on from the backup {copy}, up to line ")
    assert ask("--bank", again, "audit")[0] == 0
    restored = Bank.open(again, keep=None)
    assert restored.repaired is None
    assert {h: restored.balance(h) for h in balances} == balances
    assert list(Bans(again)) == ["eve"]
    assert restored.signer.key == rig.bank.signer.key
    restored.close()
    assert ask("--bank", bank, "audit")[0] == 0


def test_14_10_a_backup_without_bank_json_and_as_json(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    status, lines, _ = ask("--bank", bank, "backup", copy, "--json")
    assert (status, lines[0]) == (0, "{")
    (copy / "bank.json").unlink()
    assert ask("restore", copy, tmp_path / "again")[0] == 0


def test_14_10_nothing_is_written_over(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note").touch()
    for words in (
        ("--bank", bank, "backup", tmp_path / "full"),
        ("restore", bank, tmp_path / "full"),
        ("restore", bank, bank),
    ):
        status, _, said = ask(*words)
        assert status == 2
        assert "name a folder that is empty or new" in said
    status, _, said = ask("restore", tmp_path / "none", tmp_path / "new")
    assert (status, "There is no bank in" in said) == (4, True)
    assert not list(tmp_path.glob("new*"))


def test_14_10_a_folder_beside_that_is_named_like_a_new_one_is_left_alone(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    shutil.copytree(bank, other := tmp_path / "copy.new")
    assert ask("--bank", bank, "backup", tmp_path / "copy")[0] == 0
    assert ask("--bank", other, "audit")[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"copy", "copy.new"}


def test_14_10_a_copy_goes_to_where_a_link_leads_and_into_the_folder_we_are_in(
    bank: Path, tmp_path: Path, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    assert ask("--bank", bank, "backup", tmp_path / "link")[0] == 0
    assert ask("--bank", tmp_path / "disk", "audit")[0] == 0
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    status, (said, *_), _ = ask("--bank", bank, "backup", ".")
    assert (status, said[:20]) == (0, ". is the backup of /")
    assert ask("--bank", tmp_path / "here", "audit")[0] == 0


def test_in_a_folder_that_is_gone_a_copy_has_no_place(
    bank: Path, tmp_path: Path, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    status, _, said = ask("--bank", bank, "backup", "copy")
    assert (status, "copy: No such file or directory" in said) == (4, True)
    status, _, said = ask("--bank", bank, "export", "--csv", "--output", "all.csv")
    assert (status, "all.csv cannot be written: No such file" in said) == (1, True)
    (_, order) = read_options(["--bank", str(bank), "open", "club=mine.toml"])
    assert '"house":"mine.toml"' in order.model_dump_json()


def test_14_10_a_damaged_backup_makes_no_bank(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    ask("--bank", bank, "backup", tmp_path / "copy")
    journal = tmp_path / "copy" / "journal-000001.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"ned21", b"ned22", 1))
    assert ask("restore", tmp_path / "copy", tmp_path / "again")[0] == 3
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def test_14_10_a_bank_whose_key_is_none_is_not_called_backed_up(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    shutil.copytree(bank, spoiled := tmp_path / "spoiled")
    (spoiled / KEY_NAME).write_text("")
    status, _, said = ask("--bank", spoiled, "backup", tmp_path / "copy")
    assert (status, "server.key is no key of a server" in said) == (3, True)
    (spoiled / KEY_NAME).unlink()
    assert ask("--bank", spoiled, "backup", tmp_path / "copy")[0] == 0
    assert not (tmp_path / "copy" / KEY_NAME).exists()


def test_14_10_a_backup_that_does_not_fit_is_not_left_half(
    bank: Path, tmp_path: Path, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("bj_server.bank.disk.write_all", lambda *_: full(0))
        said = ask("--bank", bank, "backup", tmp_path / "copy")[2]
    assert f"{tmp_path / 'copy.'}" in said
    assert ".new/bank.json: No space left" in said
    monkeypatch.setattr(os, "fsync", full)
    status, _, said = ask("--bank", bank, "backup", tmp_path / "copy")
    assert (status, "Make space on its disk" in said) == (4, True)
    assert not list(tmp_path.iterdir())


def test_14_10_long_work_shows_its_progress_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bj_server.bank_cli.report._SECONDS", 0.0)
    with progress("audit", 10) as step:
        step(1)
    assert capsys.readouterr().err == ""
    reader, writer = pty.openpty()
    with os.fdopen(writer, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        with progress("audit", 2000, steps=1) as step:
            step(500)
        with progress("audit", 0, steps=1) as step:
            step(500)
        monkeypatch.undo()
        said = ""  # a terminal hands on in pieces what is written
        while said.count("\r\x1b[K") < 4 and select.select([reader], [], [], 5)[0]:
            said += os.read(reader, 1000).decode()
    os.close(reader)
    assert "bj-bank: audit: 500 of 2,000 (25 %)" in said
    assert "bj-bank: audit: 500\r\x1b[K" in said
    assert said.endswith("\r\x1b[K")
