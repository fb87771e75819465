"""Balances: what every account holds, also while a server writes."""

import json
from pathlib import Path

from support.banks import BankCommand, Lines, of_kind, tamper
from support.rig import Rig

JOURNAL_NAME = "journal-000001.jsonl"


def lay_bank(folder: Path) -> None:
    """Leave a bank with a round that is on."""
    with Rig(folder, stack="Ts 9h 9s 8h 2c 3c") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 50, stand")
        rig.join("lia9")
        rig.bet("ned21", 100)


def test_every_account_has_its_line_and_all_are_nothing(
    tmp_path: Path, ask: BankCommand
) -> None:
    lay_bank(tmp_path)
    status, lines, remarks = ask("balances", "--bank", tmp_path)
    assert (status, remarks) == (0, "")
    assert lines == [
        "lia9               $10,000.00",
        "ned21               $9,950.00",
        "stakes of main/2      $100.00",
        "house                 -$50.00",
        "donor             -$20,000.00",
        "total                   $0.00",
    ]


def test_14_10_the_day_on_which_each_player_was_seen_last_is_told(
    tmp_path: Path, ask: BankCommand
) -> None:
    lay_bank(tmp_path)
    day = json.loads((tmp_path / JOURNAL_NAME).read_text().splitlines()[-1])["time"]
    status, lines, remarks = ask("balances", "--seen", "--bank", tmp_path)
    assert (status, remarks) == (0, "")
    assert lines[0] == f"lia9               $10,000.00  {day[:10]}"
    assert lines[1] == f"ned21               $9,950.00  {day[:10]}"
    assert lines[2] == "stakes of main/2      $100.00"
    _, lines, _ = ask("balances", "--seen", "--json", "--bank", tmp_path)
    seen = json.loads("\n".join(lines))["seen"]
    assert sorted(seen) == ["lia9", "ned21"]
    assert {time[:10] for time in seen.values()} == {day[:10]}


def test_balances_for_programs_are_in_cents(tmp_path: Path, ask: BankCommand) -> None:
    lay_bank(tmp_path)
    _, lines, _ = ask("balances", "--json", "--bank", tmp_path)
    found = json.loads("\n".join(lines))
    assert found.pop("seq") == len((tmp_path / JOURNAL_NAME).read_bytes().splitlines())
    assert found == {
        "players": {"lia9": 1_000_000, "ned21": 995_000},
        "stakes": [{"table": "main", "round": 2, "players": {"ned21": 10_000}}],
        "house": -5_000,
        "donor": -2_000_000,
        "total": 0,
    }


def test_what_a_server_has_half_written_is_a_remark(
    tmp_path: Path, ask: BankCommand
) -> None:
    lay_bank(tmp_path)
    (tmp_path / "bank.json").unlink()
    path = tmp_path / JOURNAL_NAME
    lines, whole = path.read_bytes().splitlines(keepends=True), path.read_bytes()
    for tail in (b'{"seq":', b"\0" * 40, lines[-2][:-1]):
        path.write_bytes(whole + tail)
        status, said, remarks = ask("balances", "--bank", tmp_path)
        assert (status, said[1]) == (0, "ned21               $9,950.00")
        assert f"Line {len(lines)} of {path.name} is the last one read" in remarks
        assert path.read_bytes() == whole + tail  # nothing is repaired


def test_P2_a_journal_that_ends_before_its_bank_file_is_damaged(
    tmp_path: Path, ask: BankCommand
) -> None:
    lay_bank(tmp_path)
    path = tmp_path / JOURNAL_NAME
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:1]))
    status, said, remarks = ask("balances", "--bank", tmp_path)
    assert (status, said) == (3, [])
    assert "journal-000001.jsonl: its bytes are not those that bank.json" in remarks


def test_a_journal_that_contradicts_itself_is_damaged(
    tmp_path: Path, ask: BankCommand, bank: Path
) -> None:
    def change(lines: Lines) -> None:
        of_kind(lines, "settle")[3]["entries"].pop()

    folder = tamper(bank, tmp_path / "bank", change)
    status, _, remarks = ask("balances", "--bank", folder)
    assert status == 3
    assert "does not fit the lines before it" in remarks
    assert ".." not in remarks


def test_a_journal_that_is_gone_is_not_a_bank_that_is_missing(
    tmp_path: Path, ask: BankCommand
) -> None:
    status, _, remarks = ask("balances", "--bank", tmp_path / "nowhere")
    assert status == 4
    assert "There is no bank in" in remarks
    assert "--bank" in remarks
    lay_bank(tmp_path)
    (tmp_path / JOURNAL_NAME).rename(tmp_path / "elsewhere")
    status, _, remarks = ask("balances", "--bank", tmp_path)
    assert status == 3
    assert "it is missing, though bank.json is there" in remarks


def test_a_folder_that_is_a_file_is_no_bank(tmp_path: Path, ask: BankCommand) -> None:
    (tmp_path / "file").touch()
    assert ask("balances", "--bank", tmp_path / "file")[0] == 4


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, ask: BankCommand) -> None:
    (tmp_path / JOURNAL_NAME).mkdir()
    status, _, remarks = ask("balances", "--bank", tmp_path)
    assert status == 4
    assert f"The bank cannot use {tmp_path / JOURNAL_NAME}" in remarks
