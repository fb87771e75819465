"""Gift: the only command that writes."""

import json
from pathlib import Path

from support.banks import BankCommand, of_kind, read_bank
from support.rig import Rig, play_alone

JOURNAL_NAME = "journal-000001.jsonl"


def test_a_gift_leaves_an_unfinished_round_as_it_is(
    tmp_path: Path, ask: BankCommand
) -> None:
    play_alone(tmp_path, "Ts 9h 9s 8h", "bet 100")
    status, lines, remarks = ask("gift", "Ned21", "12.50", "--bank", tmp_path)
    assert (status, remarks) == (0, "")
    assert lines == ["The donor has given $12.50 to ned21, who now has $9,912.50."]
    with Rig(tmp_path) as rig:
        rig.join("ned21")
        rig.play("ned21", "stand")
        assert rig.bank.balance("ned21") == 1_011_250
    (gift,) = of_kind(read_bank(tmp_path), "gift")
    assert (gift["table"], gift["round"]) == (None, None)
    assert ask("audit", "--bank", tmp_path)[0] == 0


def test_a_gift_for_programs(tmp_path: Path, ask: BankCommand) -> None:
    with Rig(tmp_path) as rig:
        rig.join("ned21")
    _, lines, _ = ask("gift", "ned21", "$1,000", "--json", "--bank", tmp_path)
    found = json.loads("\n".join(lines))
    assert found == {"handle": "ned21", "cents": 100_000, "balance": 1_100_000}


def test_a_gift_to_nobody_opens_no_account_and_makes_no_bank(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path / "bank") as rig:
        rig.join("ned21")
    before = (tmp_path / "bank" / JOURNAL_NAME).read_bytes()
    assert ask("gift", "ned12", 5, "--bank", tmp_path / "bank")[0] == 2
    assert (tmp_path / "bank" / JOURNAL_NAME).read_bytes() == before
    assert ask("gift", "ned21", 5, "--bank", tmp_path / "other")[0] == 4
    assert not (tmp_path / "other").exists()


def test_P4_a_gift_is_refused_while_a_server_holds_the_bank(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path) as rig:
        rig.join("ned21")
        rig.bank.journal.write()
        status, _, remarks = ask("gift", "ned21", 5, "--bank", tmp_path)
        assert status == 4
        # 14.9: the same order, for the server that runs.
        assert remarks.rstrip().endswith(f"bj-host --bank {tmp_path} gift ned21 5.00")
        assert ask("balances", "--bank", tmp_path)[0] == 0


def test_14_9_no_gift_is_more_than_the_bank_can_count(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path) as rig:
        rig.join("ned21")
    most = 10_000_000_000_000
    for _ in range(3):
        assert ask("gift", "ned21", str(most), "--bank", tmp_path)[0] == 0
    status, _, remarks = ask("gift", "ned21", str(most), "--bank", tmp_path)
    assert status == 2
    assert "No gift may be over $7,517,998,131,852.48 now." in remarks
