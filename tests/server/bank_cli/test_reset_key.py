"""Reset of a key: what the host does for a player who has lost it."""

import json
from pathlib import Path

from bj_protocol.refusal import CloseCode
from support.banks import BankCommand, of_kind, read_bank
from support.rig import Rig, hello, play_alone


def test_after_a_reset_the_next_one_to_join_claims_the_handle(
    tmp_path: Path, ask: BankCommand
) -> None:
    play_alone(tmp_path, "Ts 9h 9s 8h", "bet 100")
    status, lines, remarks = ask("reset-key", "NED21", "--bank", tmp_path)
    assert (status, remarks) == (0, "")
    assert lines == [
        "ned21 has no key any more: the next one to join under this handle claims it."
    ]
    with Rig(tmp_path) as rig:
        rig.send(hello(1, "ned21", player="eve"))
        rig.send(hello(2, "ned21"))
        assert rig.outlet.dismissed[2][0] is CloseCode.REFUSED
        assert 1 not in rig.outlet.dismissed
        assert rig.bank.balance("ned21") == 990_000  # and the round goes on
    (_, reset, _) = of_kind(read_bank(tmp_path), "key")
    assert reset["data"] == {"handle": "ned21", "sha256": None}
    assert ask("audit", "--bank", tmp_path)[0] == 0


def test_a_handle_without_a_key_is_said_to_have_none(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path) as rig:
        rig.join("ned21")
    _, lines, _ = ask("reset-key", "ned21", "--json", "--bank", tmp_path)
    assert json.loads("\n".join(lines)) == {"handle": "ned21", "reset": True}
    _, lines, _ = ask("reset-key", "ned21", "--json", "--bank", tmp_path)
    assert json.loads("\n".join(lines)) == {"handle": "ned21", "reset": False}
    _, lines, _ = ask("reset-key", "ned21", "--bank", tmp_path)
    assert lines[0].startswith("ned21 had no key: ")
    assert len(of_kind(read_bank(tmp_path), "key")) == 2


def test_nobody_known_is_reset_and_no_bank_is_made(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path / "bank") as rig:
        rig.join("ned21")
    status, _, remarks = ask("reset-key", "ned12", "--bank", tmp_path / "bank")
    assert status == 2
    assert "did you mean ned21?" in remarks
    assert ask("reset-key", "ned21", "--bank", tmp_path / "other")[0] == 4
    assert not (tmp_path / "other").exists()


def test_P4_a_reset_is_refused_while_a_server_holds_the_bank(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path) as rig:
        rig.join("ned21")
        rig.bank.journal.write()
        status, _, remarks = ask("reset-key", "ned21", "--bank", tmp_path)
        assert status == 4
        # 14.9: the same order, for the server that runs.
        assert remarks.rstrip().endswith(f"bj-host --bank {tmp_path} reset-key ned21")
        assert len(of_kind(read_bank(tmp_path), "key")) == 1
