"""Folders of format 2, in which each posting was a line: they open and go on."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalStalledError
from bj_server.bank.journal import Journal
from bj_server.bank.segment import find_segments, load, stored_path
from support.banks import (
    BankCommand,
    as_format_2,
    of_kind,
    play,
    read_lines,
    tamper,
    write_bank,
)
from support.rig import Rig, state_of

HANDLES = ("ned21", "lia9")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder of format 2 whose server was killed in the middle of a round."""
    now, old = tmp_path / "now", tmp_path / "old"
    with Rig(now, seed=11, seats=2) as rig:
        for handle in HANDLES:
            rig.join(handle)
        play(rig, 5, HANDLES)
        for handle in HANDLES:
            rig.bet(handle, 25)
        assert rig.table.context.till.pending.deal is not None
        rig.kill()
    write_bank(old, as_format_2(read_lines(now)))
    return old


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> BankCommand:
    return BankCommand(capsys)


def formats(folder: Path) -> list[int]:
    """Return the format of each segment."""
    contents = [load(stored_path(folder, n))[0] for n in find_segments(folder)]
    return [json.loads(c.splitlines()[0])["data"]["format"] for c in contents]


def as_snapshot_of_before(folder: Path) -> None:
    """Make bank.json one of format 2."""
    path = folder / "bank.json"
    text = path.read_text().replace('"format": 3', '"format": 2')
    body = text[: text.index(',\n "checksum"')]
    seal = hashlib.sha256(body.encode()).hexdigest()
    path.write_text(f'{body},\n "checksum": "{seal}"\n}}\n')


def test_a_round_that_runs_in_a_folder_of_format_2_goes_on(
    old: Path, ask: BankCommand
) -> None:
    assert formats(old) == [2]
    assert ask("--bank", old, "audit")[0] == 0
    with Rig(old, seed=11, seats=2) as rig:
        assert formats(old) == [2, 3]
        deal = rig.table.context.till.pending.deal
        assert deal is not None
        assert deal.round == rig.table.context.round
        for handle in HANDLES:
            rig.join(handle)
        play(rig, 5, HANDLES)
        rounds = rig.table.context.round
        assert rig.table.context.till.pending.state == state_of(rig.table)
    status, lines, said = ask("--bank", old, "audit")
    assert (status, lines[-1], said) == (0, "The bank is sound.", "")
    assert f"{rounds - 1} settled" in lines[1]
    assert formats(old) == [2, 3]


def test_a_folder_of_both_formats_is_told_from_its_first_line_to_its_last(
    old: Path, ask: BankCommand
) -> None:
    with Rig(old, seed=11, seats=2) as rig:
        for handle in HANDLES:
            rig.join(handle)
        play(rig, 5, HANDLES)
        rounds, balance = rig.table.context.round, rig.bank.balance("ned21")
    history = ask("--bank", old, "history", "ned21")
    assert history[0] == 0
    assert str(balance % 100).zfill(2) == history[1][-1][-2:]
    for number in range(1, rounds):
        status, lines, said = ask("--bank", old, "round", f"main/{number}")
        assert (status, said) == (0, ""), number
        assert any("Dealer" in line for line in lines)
    exported = ask("--bank", old, "export", "--csv")[1]
    assert sum(",opening_balance," in row for row in exported) == 2
    (old / "bank.json").unlink()
    bank = Bank.open(old, keep=None)
    assert bank.balance("ned21") == balance
    bank.close()


def test_bank_json_of_format_2_is_read_and_written_anew(
    old: Path, tmp_path: Path
) -> None:
    before = tmp_path / "before"
    shutil.copytree(old, before)
    Bank.open(old, keep=None).close()
    shutil.copy(old / "bank.json", before)
    # As an older server has left it, which knew of one segment.
    fields = json.loads((before / "bank.json").read_text())
    segment = load(stored_path(before, 1))[0]
    place = {"number": 1, "size": len(segment)}
    fields |= {
        "seq": segment.count(b"\n"),
        "line_sha256": hashlib.sha256(segment.splitlines()[-1]).hexdigest(),
        "segment": {**place, "sha256": hashlib.sha256(segment).hexdigest()},
        "closed": [],
    }
    (before / "bank.json").write_text(json.dumps(fields, indent=1) + "\n")
    as_snapshot_of_before(before)
    bank = Bank.open(before, keep=None)
    accounts = bank.books.ledger.accounts
    bank.close()
    assert formats(before) == [2, 3]
    assert json.loads((before / "bank.json").read_text())["format"] == 3
    assert accounts == fields["accounts"]


def test_a_start_that_cannot_begin_the_new_segment_changes_nothing(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(journal: Journal) -> None:
        raise JournalStalledError(journal.path, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "mend_now", fail)
        with pytest.raises(JournalStalledError, match="No space left"):
            Bank.open(old, keep=None)
    assert formats(old) == [2]
    Bank.open(old, keep=None).close()
    assert formats(old) == [2, 3]


def test_a_cent_that_was_moved_in_a_line_of_now_is_found(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path / "now", seed=11, seats=2) as rig:
        for handle in HANDLES:
            rig.join(handle)
        play(rig, 5, HANDLES)
    lines = read_lines(tmp_path / "now")
    at = next(
        number
        for number, line in enumerate(lines)
        for act in line.get("acts", ())
        if act["kind"] == "settle"
    )
    (settle,) = of_kind(lines[at]["acts"], "settle")
    settle["entries"][0][1][2] += 1
    write_bank(tmp_path / "changed", lines)
    status, said, _ = ask("--bank", tmp_path / "changed", "audit")
    assert status == 3
    assert f"line {at + 1} (seq {at + 1}), round main/{settle['round']}" in said[0]
    assert tamper(tmp_path / "now", tmp_path / "same", lambda lines: None)
    assert ask("--bank", tmp_path / "same", "audit")[0] == 0


def test_a_command_of_format_2_that_names_no_seats_leaves_nobody_at_the_table(
    old: Path,
) -> None:
    lines = read_lines(old)
    assert lines[-1]["data"].pop("seats")
    write_bank(old, lines)
    bank = Bank.open(old, keep=["main"])
    state = bank.till("main").pending.state
    assert state is not None
    assert state["seats"] == []
    bank.close()


def test_who_sits_at_a_table_is_seen_with_each_command_of_it(
    tmp_path: Path, ask: BankCommand
) -> None:
    folder = tmp_path / "bank"
    with Rig(folder, seed=11, seats=2) as rig:
        for handle in HANDLES:
            rig.join(handle)
        play(rig, 2, HANDLES)
        rig.leave("lia9")
        play(rig, 2, ("ned21",))
    lines = read_lines(folder)
    for number, line in enumerate(lines):
        line["time"] = f"2024-05-01T12:{number // 60:02}:{number % 60:02}.000Z"
    last = max(n for n, line in enumerate(lines) if '"lia9"' in json.dumps(line))
    gone = next(n for n, line in enumerate(lines) if '"2": null' in json.dumps(line))
    write_bank(folder, lines)
    found = json.loads(
        "\n".join(ask("--bank", folder, "balances", "--seen", "--json")[1])
    )
    assert found["seen"]["ned21"] == lines[-1]["time"]
    assert found["seen"]["lia9"] == lines[max(last, gone - 1)]["time"]
