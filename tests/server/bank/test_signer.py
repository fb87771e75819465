"""The key of a server: made once, kept for its owner, and never anything else."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bj_server.bank.error import BankDamagedError
from bj_server.bank.signer import KEY_NAME, Signer


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
