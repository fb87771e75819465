"""Closing accounts: those without money, and those that were never used."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from support.banks import BankCommand, Lines, of_kind, read_bank, tamper, write_bank
from support.rig import Rig, play_alone

JOURNAL_NAME = "journal-000001.jsonl"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bank where tom1 has nothing, ned21 has won, and lia9 never bet."""
    folder = tmp_path_factory.mktemp("close") / "bank"
    with Rig(folder, stack="Ts 9h 5s 8h 9c Ts 9h 9s 8h") as rig:
        rig.join("tom1")
        rig.act("tom1", "bet 10000, hit")
        rig.leave("tom1")
        rig.join("ned21")
        rig.act("ned21", "bet 50, stand")
        rig.leave("ned21")
        rig.join("lia9")
        rig.leave("lia9")
    return folder


@pytest.fixture
def folder(laid: Path, tmp_path: Path) -> Path:
    """Return a copy of that bank, to be changed."""
    return Path(shutil.copytree(laid, tmp_path / "bank"))


def balances(ask: BankCommand, folder: Path) -> dict[str, int]:
    status, lines, _ = ask("balances", "--json", "--bank", folder)
    found = json.loads("\n".join(lines))
    assert (status, found["total"]) == (0, 0)
    players: dict[str, int] = found["players"]
    return players | {"donor": found["donor"]}


def assert_sound(ask: BankCommand, folder: Path) -> None:
    status, lines, remarks = ask("audit", "--bank", folder)
    assert (status, lines[-1], remarks) == (0, "The bank is sound.", "")


def test_14_10_an_empty_and_a_never_used_account_are_closed(
    folder: Path, ask: BankCommand
) -> None:
    status, lines, remarks = ask("close", "TOM1", "lia9", "--bank", folder)
    assert (status, remarks) == (0, "")
    assert lines == [
        "The account of tom1 is closed; it held nothing.",
        "The account of lia9 is closed; $10,000.00 goes back to the donor.",
    ]
    after = {"ned21": 1_005_000, "donor": -2_000_000}
    assert balances(ask, folder) == after
    assert_sound(ask, folder)
    # bank.json and the journal alone say the same.
    statement = json.loads((folder / "bank.json").read_text())
    assert "player:lia9" not in statement["accounts"]
    assert list(statement["keys"]) == ["ned21"]
    (folder / "bank.json").unlink()
    assert balances(ask, folder) == after
    bank = Bank.open(folder)
    assert (
        bank.books.ledger.players,
        "player:lia9" in bank.books.ledger,
        "player:ned21" in bank.books.ledger,
    ) == (
        1,
        False,
        True,
    )
    bank.close()
    assert_sound(ask, folder)
    one, other = of_kind(read_bank(folder), "close")
    assert (one["table"], one["data"]) == (None, {"handle": "tom1"})
    assert one["entries"] == [{"reason": "closing_balance", "moves": []}]
    assert other["entries"][0]["moves"] == [["player:lia9", "donor", 1_000_000]]


def test_14_10_a_closed_handle_is_claimed_anew_with_a_new_account(
    folder: Path, ask: BankCommand
) -> None:
    assert ask("close", "tom1", "--bank", folder)[0] == 0
    with Rig(folder) as rig:
        rig.knock("tom1", "eve")
        assert not rig.outlet.dismissed
        assert rig.bank.balance("tom1") == 1_000_000
    assert_sound(ask, folder)
    status, lines, _ = ask("history", "tom1", "--bank", folder)
    told = [" ".join(line.split()[3:-1]) for line in lines[1:]]
    assert status == 0
    assert told == [
        "opening balance +$10,000.00",
        "bet -$10,000.00",
        "hand lost $0.00",
        "closing balance $0.00",
        "opening balance +$10,000.00",
    ]
    # It was never used since it was opened again; but it has a seat.
    status, _, remarks = ask("close", "tom1", "--bank", folder)
    assert status == 2
    assert "tom1 has a seat at table main: start the server" in remarks


def test_14_10_earned_money_closes_no_account_and_nothing_is_done_by_halves(
    folder: Path, ask: BankCommand
) -> None:
    before = balances(ask, folder)
    status, lines, remarks = ask("close", "lia9", "ned21", "--bank", folder)
    assert (status, lines) == (2, [])
    assert "ned21 has $10,050.00, and it was used or may have been" in remarks
    assert remarks.rstrip().endswith("No account was closed.")
    assert ask("gift", "lia9", 5, "--bank", folder)[0] == 0
    assert "lia9 has $10,005.00" in ask("close", "lia9", "--bank", folder)[2]
    assert ask("close", "lia8", "--bank", folder)[0] == 2
    assert of_kind(read_bank(folder), "close") == []
    after = {"lia9": 1_000_500, "donor": before["donor"] - 500}
    assert balances(ask, folder) == before | after
    assert ask("close", "lia9", "--bank", folder / "other")[0] == 4
    assert not (folder / "other").exists()


def test_14_10_stakes_at_a_table_keep_an_account_open(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path, stack="Ts 9h 9s 8h") as rig:
        rig.join("ned21")
        rig.bet("ned21", 10_000)
        rig.bank.journal.write()
        # While a server holds the bank nothing is closed; what could be is told.
        status, _, remarks = ask("close", "ned21", "--bank", tmp_path)
        assert status == 4
        assert "is in use by" in remarks
        status, lines, _ = ask(
            "close", "--unused-days", 0, "--dry-run", "--bank", tmp_path
        )
        assert (status, lines) == (0, ["No account is to be closed."])
    assert balances(ask, tmp_path)["ned21"] == 0
    status, _, remarks = ask("close", "ned21", "--bank", tmp_path)
    assert status == 2
    assert "ned21 has $10,000.00 at stake in round main/1: start" in remarks


def test_14_10_those_whom_nobody_has_seen_for_some_days_are_closed_at_once(
    folder: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def age(lines: Lines) -> None:
        for line in lines:
            if "lia9" in json.dumps(line):
                break
            line["time"] = "2024-05-01T12:30:00.000Z"

    old = tamper(folder, tmp_path / "old", age)
    options = ("--unused-days", 300, "--bank", old)
    whole = (old / JOURNAL_NAME).read_bytes()
    status, lines, _ = ask("close", "--dry-run", *options)
    assert (status, lines) == (
        0,
        ["The account of tom1 would be closed; it held nothing."],
    )
    assert (old / JOURNAL_NAME).read_bytes() == whole
    status, lines, _ = ask("close", "--json", *options)
    assert json.loads("\n".join(lines)) == {
        "dry_run": False,
        "closed": [{"handle": "tom1", "cents": 0}],
    }
    assert ask("close", *options)[1] == ["No account is to be closed."]
    status, lines, _ = ask("close", "--unused-days", 0, "--bank", old)
    assert lines == [
        "The account of lia9 is closed; $10,000.00 goes back to the donor."
    ]
    assert_sound(ask, old)
    assert ask("balances", "--seen", "--bank", old)[0] == 0


async def test_14_10_after_an_archive_only_empty_accounts_of_before_are_closed(
    folder: Path, tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(folder, segment_bytes=1) as rig:
        rig.join("zoe")
        rig.leave("zoe")
        await rig.table.context.till.commit()
    assert ask("archive", tmp_path / "old", "--bank", folder)[0] == 0
    with Rig(folder) as rig:
        rig.join("abe")
        rig.leave("abe")
    status, lines, _ = ask("close", "--unused-days", 0, "--bank", folder)
    assert (status, [line.split()[3] for line in lines]) == (0, ["abe", "tom1"])
    _, lines, _ = ask("audit", "--bank", folder)
    assert lines[-1] == "The bank is sound."


@pytest.mark.parametrize(
    ("handle", "moves", "what"),
    [
        ("ned21", [["player:ned21", "donor", 1_005_000]], "with money, though it was"),
        ("lia9", [], "is closed, though it holds $10,000.00"),
        ("eve", [], "player:eve is closed, though it was not open"),
    ],
)
def test_14_10_an_audit_finds_a_closing_that_should_not_be(
    folder: Path,
    tmp_path: Path,
    ask: BankCommand,
    handle: str,
    moves: list[object],
    what: str,
) -> None:
    def close(lines: Lines) -> None:
        lines.append(closing(lines[-1], handle, moves))

    odd = tamper(folder, tmp_path / "odd", close)
    status, lines, _ = ask("audit", "--bank", odd)
    assert status == 3
    assert what in " ".join(lines)


def test_14_10_an_audit_finds_stakes_of_a_closed_account(
    tmp_path: Path, ask: BankCommand
) -> None:
    play_alone(tmp_path, "Ts 9h 9s 8h", "bet 10000")
    lines = read_bank(tmp_path)
    write_bank(tmp_path, [*lines, closing(lines[-1], "ned21", [])])
    status, said, _ = ask("audit", "--bank", tmp_path)
    assert status == 3
    assert "player:ned21 is closed, though it has stakes" in " ".join(said)


def closing(
    last: Mapping[str, object], handle: str, moves: list[object]
) -> dict[str, object]:
    """Return the line of a closing after another line."""
    entries = [{"reason": "closing_balance", "moves": moves}]
    own = {"kind": "close", "table": None, "round": None}
    return {**last, **own, "entries": entries, "data": {"handle": handle}}
