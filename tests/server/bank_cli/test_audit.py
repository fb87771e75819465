"""The audit: sound banks of all kinds, and others in which one thing is not true."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.snapshot import Snapshot
from bj_server.settings import load_house
from support.banks import (
    BankCommand,
    Lines,
    as_before,
    of_kind,
    play,
    play_bank,
    read_bank,
    read_lines,
    tamper,
    write_bank,
)
from support.linked import LinkedRig
from support.rig import Rig, play_alone


@pytest.mark.parametrize(
    ("house", "seed"),
    [
        ("cpsc386", None),
        ("cpsc386", 5),
        ("vegas-strip", None),
        ("atlantic-city", 5),
        ("european", None),
        ("downtown", None),
        ("cs220", None),
        ("cs220", 5),
        ("dsc20", None),
        ("dsc20", 5),
        ("cs1114", None),
        ("cs1114", 5),
        ("iipp6", None),
        ("iipp6", 5),
    ],
)
def test_a_bank_of_any_house_is_sound(
    tmp_path: Path, ask: BankCommand, house: str, seed: int | None
) -> None:
    play_bank(tmp_path / "bank", house, seed=seed, rounds=15)
    status, lines, remarks = ask("audit", "--bank", tmp_path / "bank")
    assert (status, lines[-1], remarks) == (0, "The bank is sound.", "")


def test_the_figures_of_an_audit(bank: Path, ask: BankCommand) -> None:
    count = len(read_lines(bank))
    status, lines, _ = ask("audit", "--bank", bank)
    assert status == 0
    assert lines == [
        f"lines     {count:,}",
        "rounds    20 settled, 0 returned, 0 running",
        "accounts  5",
        "total     $0.00",
        "The bank is sound.",
    ]
    status, lines, _ = ask("audit", "--json", "--bank", bank)
    assert json.loads("\n".join(lines)) == {
        "sound": True,
        "lines": count,
        "rounds": {"settled": 20, "returned": 0, "running": 0},
        "accounts": 5,
        "total": 0,
        "wrong": 0,
        "findings": [],
    }


@pytest.mark.parametrize("house", ["cpsc386", "dsc20", "cs1114", "iipp6"])
@pytest.mark.parametrize("seed", [None, 5])
def test_restarts_kills_and_returned_rounds_leave_a_sound_bank(
    tmp_path: Path, ask: BankCommand, house: str, seed: int | None
) -> None:
    rules, folder = load_house(house), tmp_path / "bank"
    with LinkedRig(folder, house=rules, seed=seed, seats=2) as rig:
        rig.join("ned21")
        play(rig, 3, ["ned21"])
        rig.bet("ned21", rig.ask("ned21").wager.minimum // 100)  # type: ignore[union-attr]
        rig.restart()
        rig.join("ned21")
        play(rig, 2, ["ned21"])
        rig.kill()
        rig.join("ned21")
        play(rig, 2, ["ned21"])
        rig.table.void("Something went wrong.")
        rig.dealer.carry_out(())
        play(rig, 2, ["ned21"])
        rig.restart(house=load_house("european"))
        rig.join("lia9")
        play(rig, 2, ["lia9"])
        rig.bet("lia9", 25)
    status, lines, _ = ask("audit", "--bank", folder)
    assert (status, lines[-1]) == (0, "The bank is sound.")


def test_a_bet_that_is_taken_back_is_nothing_to_find(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path, stack="Ts 9h 9s 8h") as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.bet("ned21", 100)
        rig.leave("ned21")
    assert ask("audit", "--bank", tmp_path)[0] == 0


def test_rounds_that_run_or_were_returned_are_counted(
    tmp_path: Path, ask: BankCommand
) -> None:
    play_alone(tmp_path, "Ts 9h 9s 8h", "bet 100")
    assert "0 settled, 0 returned, 1 running" in ask("audit", "--bank", tmp_path)[1][1]
    Bank.open(tmp_path).close()
    status, lines, _ = ask("audit", "--bank", tmp_path)
    assert (status, lines[1]) == (0, "rounds    0 settled, 1 returned, 0 running")


def test_rounds_from_before_draws_are_audited_for_their_money_alone(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    folder = tamper(bank, tmp_path / "old", as_before)
    status, lines, remarks = ask("audit", "--bank", folder)
    assert (status, lines[-1]) == (0, "The bank is sound.")
    assert "20 settled, 0 returned, 0 running" in lines[1]
    assert remarks == (
        "bj-bank: 20 rounds were dealt before each round had a draw of its own: their "
        "money is audited, and their cards are not dealt again.\n"
    )
    status, lines, remarks = ask("round", 5, "--bank", folder)
    assert (status, remarks) == (0, "")
    assert "  They came from a shoe of before, and are not told." in lines

    def change(lines: Lines) -> None:
        as_before(lines)
        of_kind(lines, "settle", round=5)[0]["entries"][0]["moves"][0][2] += 1
        of_kind(lines, "deal", round=7)[0]["data"]["seats"][0]["stake"] += 100

    status, lines, _ = ask("audit", "--bank", tamper(bank, tmp_path / "bad", change))
    assert status == 3
    assert any("The payout of the stakes" in line for line in lines)
    assert any("The record of the bets in the deal" in line for line in lines)


def test_rounds_whose_cards_were_drawn_otherwise_are_audited_for_their_money_alone(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        for number in (4, 9):
            del of_kind(lines, "deal", round=number)[0]["data"]["draw"]

    status, lines, remarks = ask(
        "audit", "--bank", tamper(bank, tmp_path / "a", change)
    )
    assert (status, lines[-1]) == (0, "The bank is sound.")
    assert remarks.startswith("bj-bank: 2 rounds were dealt before")


def test_a_new_server_goes_on_in_a_folder_from_before_draws(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    folder = tamper(bank, tmp_path / "old", as_before)
    with LinkedRig(folder) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        play(rig, 3, ["ned21", "lia9"])
    status, lines, remarks = ask("audit", "--bank", folder)
    assert (status, lines[-1]) == (0, "The bank is sound.")
    assert "23 settled" in lines[1]
    assert remarks.startswith("bj-bank: 20 rounds were dealt before")


# The files.


def test_a_damaged_line_ends_the_audit_and_is_named(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    folder = tamper(bank, tmp_path / "bank", nothing)
    path = folder / "journal-000001.jsonl"
    raw = path.read_bytes().split(b"\n")
    raw[40] = raw[40].replace(b'"time"', b'"tame"')
    path.write_bytes(b"\n".join(raw))
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert "line 41: its checksum is wrong" in lines[0]
    found = json.loads("\n".join(ask("audit", "--json", "--bank", folder)[1]))
    assert (found["wrong"], found["findings"][0]["seq"]) == (1, None)


def test_a_bank_file_that_says_something_else_is_found(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    write_bank(tmp_path, read_bank(bank))
    Bank.open(tmp_path).close()
    known = Snapshot.read(tmp_path)
    assert known is not None
    elsewhere = replace(known.place, digest="0" * 64)
    replace(known, place=elsewhere).write(tmp_path)
    status, lines, _ = ask("audit", "--bank", tmp_path)
    assert (status, lines[0].startswith("bank.json: It belongs to another")) == (3, 1)
    accounts = {**known.statement["accounts"], "house": 1}
    statement = {**known.statement, "accounts": accounts}
    replace(known, statement=statement).write(tmp_path)
    status, lines, _ = ask("audit", "--bank", tmp_path)
    assert status == 3
    assert "Its record of the accounts, in cents," in lines[0]


def test_a_damaged_bank_file_is_found_and_the_journal_audited_without_it(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    write_bank(tmp_path, read_bank(bank))
    Bank.open(tmp_path).close()
    path = tmp_path / "bank.json"
    path.write_bytes(path.read_bytes().replace(b'"donor"', b'"Donor"'))
    status, lines, remarks = ask("audit", "--bank", tmp_path)
    assert (status, remarks) == (3, "")
    assert f"The bank file {path} " in lines[0]
    assert lines[-1] == "The bank is not sound: 1 thing is wrong."
    status, lines, remarks = ask("balances", "--bank", tmp_path)
    assert (status, lines[-1].split()[0]) == (0, "total")
    assert f"The bank file {path} " in remarks


def test_a_journal_that_ends_before_its_bank_file_is_found(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    write_bank(tmp_path, read_bank(bank))
    Bank.open(tmp_path, keep=None).close()
    path = tmp_path / "journal-000002.jsonl"
    assert path.read_bytes().count(b"\n") == 1
    path.unlink()
    packed = tmp_path / "journal-000001.jsonl.gz"
    first = gzip.decompress(packed.read_bytes()).splitlines(keepends=True)[0]
    packed.with_suffix("").write_bytes(first)
    packed.unlink()
    status, lines, _ = ask("audit", "--bank", tmp_path)
    assert status == 3
    assert "but the journal ends with line 1" in lines[0]


def nothing(lines: Lines) -> None:
    pass
