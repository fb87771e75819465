"""The key of a server: made once, kept for its owner, and never anything else."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bj_protocol.views import FleetView
from bj_server.bank.error import BankDamagedError
from bj_server.bank.signer import FLEET_NAME, KEY_NAME, Signer


def test_the_key_is_made_once_and_each_run_has_a_name_of_its_own(
    tmp_path: Path,
) -> None:
    first, second = Signer.open(tmp_path), Signer.open(tmp_path)
    assert first.key == second.key
    assert first.run != second.run
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(first.key))
    public.verify(bytes.fromhex(second.sign(b"a word")), b"a word")


@pytest.mark.parametrize("kept", [b"", b"12\n", b"z" * 64, b"\xff" * 64, b"00" * 33])
def test_14_4_what_is_no_key_is_named_with_its_remedy(
    tmp_path: Path, kept: bytes
) -> None:
    (tmp_path / KEY_NAME).write_bytes(kept)
    with pytest.raises(BankDamagedError) as caught:
        Signer.open(tmp_path)
    assert "server.key is no key of a server" in str(caught.value)
    assert "put it back from a backup" in str(caught.value)
    assert (tmp_path / KEY_NAME).read_bytes() == kept


def a_server_of(fleet: Signer, folder: Path) -> FleetView:
    word = fleet.take_in(
        Signer.open(folder).key,
        "n1",
        "wss://cards.example/s/n1",
        ["wss://cards.example"],
    )
    (folder / FLEET_NAME).write_text(f"{word.model_dump_json()}\n")
    return word


def test_a_server_is_of_the_fleet_that_has_signed_its_key(tmp_path: Path) -> None:
    assert Signer.open(tmp_path).fleet is None
    first = Signer.open(tmp_path)
    fleet = Signer.after(first)
    word = a_server_of(fleet, tmp_path)
    signer = Signer.open(tmp_path)
    assert (signer.fleet, signer.told_fleet) == (word, None)
    signer.name_run("n1", "a journal", 7)
    assert signer.told_fleet == word
    assert word.key == fleet.key
    assert [past.key for past in word.past_keys] == [first.key]


def test_the_key_of_a_fleet_is_a_file_like_that_of_a_server(tmp_path: Path) -> None:
    path = tmp_path / "fleet.key"
    fleet = Signer.after(Signer.after())
    fleet.write(path)
    again = Signer.read(path)
    assert (again.key, again.past_keys) == (fleet.key, fleet.past_keys)
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "spoil",
    [
        {"name": "n2"},
        {"address": "wss://evil.example"},
        {"doors": ("wss://evil.example",)},
        {"key": Signer.after().key},
        {"signature": "0" * 128},
    ],
)
def test_a_server_that_its_fleet_has_not_signed_does_not_start(
    tmp_path: Path, spoil: dict[str, object]
) -> None:
    word = a_server_of(Signer.after(), tmp_path)
    spoilt = word.model_copy(update=spoil)
    for text in (spoilt.model_dump_json(), "{}"):
        (tmp_path / FLEET_NAME).write_text(text)
        with pytest.raises(BankDamagedError, match="bj-bank fleet sign"):
            Signer.open(tmp_path)


def test_a_renewed_server_has_to_be_signed_anew(tmp_path: Path) -> None:
    a_server_of(Signer.after(), tmp_path)
    new = Signer.renew(tmp_path)
    with pytest.raises(
        BankDamagedError, match=f"for the server with the key {new.key}"
    ):
        Signer.open(tmp_path)
