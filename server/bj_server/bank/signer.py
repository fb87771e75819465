"""The signer: the key of a server, by which its word can be shown to anyone.

The key is made at the first start and kept in the bank's folder. Players' clients
remember its public half. When it is renewed the old key signs the new one, and is gone.
Its public half and that signature are kept, by which clients follow.
"""

import secrets
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bj_protocol.draw import MOST_PAST_KEYS
from bj_protocol.proof import SECRET_BYTES, successor
from bj_protocol.views import PastKey
from bj_server.bank.disk import naming, read_file, replace_file
from bj_server.bank.error import BankDamagedError

KEY_NAME = "server.key"
"""The file in the bank's folder, for its owner only.

The private key in hexadecimal; then a line for each key before it, the oldest first,
with its public half and its signature of the key that came after it.
"""

_REMEDY = (
    "put it back from a backup, or move it away to have another made; the players' "
    "clients then warn of a server that is not the one they know"
)


class Signer:
    """Signs for one run of a server."""

    def __init__(self, private: bytes, past_keys: tuple[PastKey, ...] = ()) -> None:
        """Take the 32 bytes of an Ed25519 key, and draw what names this run."""
        self.past_keys = past_keys
        self._private = Ed25519PrivateKey.from_private_bytes(private)
        self.key = self._private.public_key().public_bytes_raw().hex()
        """The public key, in hexadecimal."""
        self.run = secrets.token_hex(SECRET_BYTES)
        """The number that the server drew at this start."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Use the key of a bank's folder; make it if there is none."""
        path = folder / KEY_NAME
        with naming(path):
            try:
                kept = read_file(path)
            except FileNotFoundError:
                kept = secrets.token_bytes(SECRET_BYTES).hex().encode() + b"\n"
                replace_file(path, kept)
        try:
            private, *lines = kept.decode("ascii").splitlines() or [""]
            pairs = (line.partition(" ") for line in lines)
            past = tuple(PastKey(key=key, signature=signed) for key, _, signed in pairs)
            return cls(bytes.fromhex(private), past)
        except ValueError:
            raise BankDamagedError(path, "is no key of a server", _REMEDY) from None

    @classmethod
    def renew(cls, folder: Path) -> Self:
        """Put a new key into a bank's folder, in the place of the one that signs it.

        At every moment one of the two is there, whole.
        """
        old, private = cls.open(folder), secrets.token_bytes(SECRET_BYTES)
        signature = old.sign(successor(key=old.key, heir=cls(private).key))
        past = (*old.past_keys, PastKey(key=old.key, signature=signature))
        new = cls(private, past[-MOST_PAST_KEYS:])
        lines = [private.hex(), *(f"{p.key} {p.signature}" for p in new.past_keys)]
        with naming(folder / KEY_NAME):
            replace_file(folder / KEY_NAME, "".join(f"{x}\n" for x in lines).encode())
        return new

    def sign(self, message: bytes) -> str:
        """Return the signature of a message, in hexadecimal."""
        return self._private.sign(message).hex()
