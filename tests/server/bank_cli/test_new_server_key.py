"""A new key of the server: signed by the old one, and never lost between the two."""

import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bj_protocol.proof import successor
from bj_protocol.views import MOST_PAST_KEYS
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankDamagedError
from bj_server.bank.signer import KEY_NAME, Signer
from support.banks import BankCommand
from support.company import Company
from support.rig import Rig


def check_chain(signer: Signer) -> None:
    keys = [*(each.key for each in signer.past_keys), signer.key]
    for past, heir in zip(signer.past_keys, keys[1:], strict=True):
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(past.key))
        signed = successor(key=past.key, heir=heir)
        public.verify(bytes.fromhex(past.signature), signed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Bank.open(tmp_path / "bank").close()
    Signer.open(tmp_path / "bank")
    return tmp_path / "bank"


def test_the_old_key_signs_the_new_one_and_is_gone(
    folder: Path, ask: BankCommand
) -> None:
    old, private = Signer.open(folder).key, (folder / KEY_NAME).read_text()
    status, (line,), said = ask("--bank", folder, "new-server-key")
    signer = Signer.open(folder)
    assert (status, said) == (0, "")
    assert f"is {signer.key} now" in line
    assert f"The old one, {old}, has signed it" in line
    assert [past.key for past in signer.past_keys] == [old]
    assert private.strip() not in (folder / KEY_NAME).read_text()
    assert stat.S_IMODE((folder / KEY_NAME).stat().st_mode) == 0o600
    check_chain(signer)
    status, lines, _ = ask("--bank", folder, "new-server-key", "--json")
    told = json.loads("\n".join(lines))
    assert told == {"key": Signer.open(folder).key, "before": signer.key}
    check_chain(Signer.open(folder))


def test_a_key_that_is_missing_is_not_renewed(folder: Path, ask: BankCommand) -> None:
    with Rig(folder) as rig:
        rig.join("ned21")
    (folder / KEY_NAME).unlink()
    status, lines, said = ask("--bank", folder, "new-server-key")
    assert (status, lines, f"{KEY_NAME}: No such file" in said) == (4, [], True)
    assert not (folder / KEY_NAME).exists()


def test_the_oldest_keys_are_dropped_from_a_chain_that_is_too_long(
    folder: Path,
) -> None:
    keys = [Signer.open(folder).key]
    keys += [Signer.renew(folder).key for _ in range(MOST_PAST_KEYS + 2)]
    signer = Signer.open(folder)
    assert [past.key for past in signer.past_keys] == keys[2:-1]
    check_chain(signer)


def test_a_bank_that_a_server_holds_or_that_is_none_has_no_new_key(
    folder: Path, ask: BankCommand, tmp_path: Path
) -> None:
    bank = Bank.open(folder)
    key = bank.signer.key
    status, _, said = ask("--bank", folder, "new-server-key")
    bank.close()
    assert (status, "is in use by" in said) == (4, True)
    assert Signer.open(folder).key == key
    assert ask("--bank", tmp_path / "none", "new-server-key")[0] == 4
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "cut",
    [f"{'0a' * 32}\n{'0b' * 32}\n", f"{'0a' * 32}\nx", f"{'0a' * 32} {'0b' * 32}"],
)
def test_a_damaged_key_is_neither_used_nor_renewed(
    folder: Path, ask: BankCommand, cut: str
) -> None:
    (folder / KEY_NAME).write_text(cut)
    with pytest.raises(BankDamagedError, match="is no key of a server"):
        Signer.open(folder)
    assert ask("--bank", folder, "new-server-key")[0] == 3
    assert (folder / KEY_NAME).read_text() == cut


def test_a_backup_and_what_is_restored_have_the_whole_chain(
    folder: Path, ask: BankCommand, tmp_path: Path
) -> None:
    ask("--bank", folder, "new-server-key")
    ask("--bank", folder, "backup", tmp_path / "copy")
    ask("restore", tmp_path / "copy", tmp_path / "again")
    again, signer = Signer.open(tmp_path / "again"), Signer.open(folder)
    assert (again.key, again.past_keys) == (signer.key, signer.past_keys)
    assert stat.S_IMODE((tmp_path / "again" / KEY_NAME).stat().st_mode) == 0o600


def test_players_follow_a_round_over_a_renewal_of_the_key(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Company(tmp_path) as rig:
        rig.join("ned21")
        rig.watch()
        rig.bet("ned21", 100)
        new = Signer.renew(tmp_path).key
        rig.restart()
        rig.join("ned21")
        rig.wait(40)
        rig.wait(40)
        for player in rig.everyone():
            assert player.findings == []
        story = rig.players["ned21"].checker.story
        assert story.key == new == rig.bank.signer.key
        assert rig.players["ned21"].proofs
    assert ask("--bank", tmp_path, "audit")[0] == 0


def test_a_restart_with_the_key_of_a_stranger_is_found(tmp_path: Path) -> None:
    with Company(tmp_path) as rig:
        rig.join("ned21")
        old = rig.bank.signer.key
        (tmp_path / KEY_NAME).unlink()
        stranger = Signer.renew(tmp_path).key
        rig.restart()
        rig.join("ned21")
        (finding,) = rig.players["ned21"].findings
        assert finding.what == "the server signs with another key"
        assert (finding.told, finding.due) == (stranger, old)
