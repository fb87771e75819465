"""The signer: the key of a server, by which its word can be shown to anyone.

The key is made at the first start and kept in the bank's folder, so it is as old as the
bank. Players' clients remember its public half.
"""

import secrets
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bj_protocol.proof import SECRET_BYTES
from bj_server.bank.disk import naming, read_file, replace_file
from bj_server.bank.error import BankDamaged

KEY_NAME = "server.key"
"""The file in the bank's folder: the private key in hexadecimal, for its owner only."""

_REMEDY = (
    "put it back from a backup, or move it away to have another made; the players' "
    "clients then warn of a server that is not the one they know"
)


class Signer:
    """Signs for one run of a server."""

    def __init__(self, private: bytes) -> None:
        """Take the 32 bytes of an Ed25519 key, and draw what names this run."""
        self._private = Ed25519PrivateKey.from_private_bytes(private)
        self.key = self._private.public_key().public_bytes_raw().hex()
        """The public key, in hexadecimal."""
        self.run = secrets.token_hex(SECRET_BYTES)
        """What the server has drawn at this start."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Use the key of a bank's folder; make it if there is none.

        Raises:
            BankDamaged: if the file is no key.
            BankUnusable: if the system refuses it.
        """
        path = folder / KEY_NAME
        with naming(path):
            try:
                kept = read_file(path)
            except FileNotFoundError:
                kept = secrets.token_bytes(SECRET_BYTES).hex().encode() + b"\n"
                replace_file(path, kept)
        try:
            return cls(bytes.fromhex(kept.decode("ascii").strip()))
        except ValueError:
            raise BankDamaged(path, "is no key of a server", _REMEDY) from None

    def sign(self, message: bytes) -> str:
        """Return the signature of a message, in hexadecimal."""
        return self._private.sign(message).hex()
