"""History: one player's movements, and who is meant."""

import json
import re
from pathlib import Path

import pytest

from support.banks import BankCommand, Lines, of_kind, tamper
from support.rig import Rig


def untimed(lines: list[str]) -> list[str]:
    return [line[19:].strip() for line in lines]


def test_every_movement_has_its_round_reason_amount_and_balance(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path, stack="8s Ah 8h Kd 3c 2c Ts 9h 9s 8h") as rig:
        rig.join("ned21")
        rig.bet("ned21", 50)
        rig.act("ned21", "split, insure 20, stand, decline, stand, bet 10, stand")
    with Rig(tmp_path) as rig:
        rig.bank.give("ned21", 1)
    status, lines, remarks = ask("history", "NED21", "--bank", tmp_path)
    assert (status, remarks) == (0, "")
    assert lines[0].split() == ["time", "(UTC)", "round", "reason", "amount", "balance"]
    assert [re.split("  +", line.strip()) for line in untimed(lines[1:])] == [
        ["main", "opening balance", "+$10,000.00", "$10,000.00"],
        ["main/1", "bet", "-$50.00", "$9,950.00"],
        ["main/1", "split", "-$50.00", "$9,900.00"],
        ["main/1", "insurance", "-$20.00", "$9,880.00"],
        ["main/1", "insurance won", "+$40.00", "$9,920.00"],
        ["main/1", "hand lost", "$0.00", "$9,920.00"],
        ["main/1", "hand lost", "$0.00", "$9,920.00"],
        ["main/2", "bet", "-$10.00", "$9,910.00"],
        ["main/2", "hand won", "+$20.00", "$9,930.00"],
        ["-", "gift", "+$0.01", "$9,930.01"],
    ]
    assert len({len(line) for line in lines}) == 1
    _, lines, _ = ask("history", "ned21", "--json", "--bank", tmp_path)
    found = json.loads("\n".join(lines))
    assert found["handle"] == "ned21"
    assert len(found["movements"]) == 10
    last = found["movements"][-2]
    assert (last["round"], last["cents"], last["balance"]) == (2, 2000, 993_000)


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("ned12", "did you mean ned21?"),
        ("zzz", "bj-bank balances lists all"),
        ("\x1b[2J", "bj-bank balances lists all"),
    ],
)
def test_nobody_of_that_name_is_a_sentence(
    bank: Path, ask: BankCommand, wanted: str, hint: str
) -> None:
    status, lines, remarks = ask("history", wanted, "--bank", bank)
    assert (status, lines) == (2, [])
    assert remarks.startswith("bj-bank: Nobody in this bank is called '")
    assert hint in remarks
    assert "\x1b" not in remarks


def test_a_settlement_without_results_tells_what_moved(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        of_kind(lines, "settle")[0]["data"] = {}
        of_kind(lines, "settle")[1]["data"] = {"results": [5]}

    folder = tamper(bank, tmp_path / "bank", change)
    assert ask("history", "ned21", "--bank", folder)[0] == 0
