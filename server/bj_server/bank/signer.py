"""The signer: the key of a server, by which its word can be shown to anyone.

The key is made at the first start and kept in the bank's folder. Players' clients
remember its public half. When it is renewed the old key signs the new one, and is gone.
Its public half and that signature are kept, by which clients follow.

The server of a fleet has a second file, in which the fleet's key has signed its own.
The fleet's key is a file like the server's, and lies where no server can read it.
"""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from bj_protocol.proof import SECRET_BYTES, member, run_in_fleet, successor
from bj_protocol.views import MOST_PAST_KEYS, FleetView, PastKey, StartView
from bj_server.bank.disk import naming, read_file, replace_file
from bj_server.bank.error import BankDamagedError

KEY_NAME = "server.key"
"""The file in the bank's folder, for its owner only.

The private key in hexadecimal; then a line for each key before it, the oldest first,
with its public half and its signature of the key that came after it.
"""

FLEET_NAME = "fleet.json"
"""The file in the bank's folder that says of which fleet the server is, signed."""

_REMEDY = (
    "put it back from a backup, or move it away to have another made; the players' "
    "clients then warn of a server that is not the one they know"
)


_UNSIGNED = (
    "have the fleet's key sign this server, by bj-bank fleet sign, and put what it "
    "prints there"
)


class Signer:
    """Signs for one run of a server, or for a fleet."""

    def __init__(self, private: bytes, past_keys: tuple[PastKey, ...] = ()) -> None:
        """Take the 32 bytes of an Ed25519 key, and draw what names this run."""
        self.past_keys = past_keys
        self.fleet: FleetView | None = None
        """The fleet of the server, and its signature; None for a server alone."""
        self.start: StartView | None = None
        """The start of a server in its fleet, of which the run is made."""
        self._private = Ed25519PrivateKey.from_private_bytes(private)
        self.key = self._private.public_key().public_bytes_raw().hex()
        """The public key, in hexadecimal."""
        self.run = secrets.token_hex(SECRET_BYTES)
        """The number that the server drew at this start."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Use the key of a bank's folder; make it if there is none."""
        signer = cls.alone(folder)
        signer.fleet = signer._fleet_of(folder / FLEET_NAME)
        return signer

    @classmethod
    def alone(cls, folder: Path) -> Self:
        """Do so whether or not the folder has the word of a fleet for that key."""
        path = folder / KEY_NAME
        if not path.exists():
            cls.after().write(path)
        return cls.read(path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Use the key of a file, such as that of a fleet."""
        with naming(path):
            kept = read_file(path)
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
        new = cls.after(cls.open(folder))
        new.write(folder / KEY_NAME)
        return new

    @classmethod
    def after(cls, old: "Signer | None" = None) -> Self:
        """Make a key, which the ``old`` one signs if there is one."""
        private = secrets.token_bytes(SECRET_BYTES)
        if old is None:
            return cls(private)
        signature = old.sign(successor(key=old.key, heir=cls(private).key))
        past = (*old.past_keys, PastKey(key=old.key, signature=signature))
        return cls(private, past[-MOST_PAST_KEYS:])

    def write(self, path: Path) -> None:
        """Write a file of the key, whole, for its owner only."""
        past = (f"{p.key} {p.signature}" for p in self.past_keys)
        lines = [self._private.private_bytes_raw().hex(), *past]
        with naming(path):
            replace_file(path, "".join(f"{line}\n" for line in lines).encode())

    def take_in(
        self, key: str, name: str, address: str, doors: Sequence[str] = ()
    ) -> FleetView:
        """Sign, as a fleet, that the server with ``key`` is one of its own."""
        signed = member(
            fleet=self.key, key=key, name=name, address=address, doors=doors
        )
        return FleetView(
            key=self.key,
            name=name,
            address=address,
            doors=tuple(doors),
            signature=self.sign(signed),
            past_keys=self.past_keys,
        )

    def _fleet_of(self, path: Path) -> FleetView | None:
        with naming(path):
            try:
                kept = read_file(path)
            except FileNotFoundError:
                return None
        try:
            fleet = FleetView.model_validate_json(kept)
            said = fleet.model_dump(include={"name", "address", "doors"})
            message = member(fleet=fleet.key, key=self.key, **said)
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(fleet.key))
            public.verify(bytes.fromhex(fleet.signature), message)
        except (ValueError, InvalidSignature):
            what = f"is no word of a fleet for the server with the key {self.key}"
            raise BankDamagedError(path, what, _UNSIGNED) from None
        return fleet

    @property
    def told_fleet(self) -> FleetView | None:
        """The fleet to tell clients of, once this server serves in it."""
        return None if self.start is None else self.fleet

    def name_run(self, name: str, journal: str, epoch: int) -> None:
        """Have all that is signed name a server of a fleet, its journal and its epoch.

        That is for the moment before anything is signed.
        """
        salt = self.run
        self.start = StartView(journal=journal, epoch=epoch, salt=salt)
        self.run = run_in_fleet(name=name, journal=journal, epoch=epoch, salt=salt)

    def sign(self, message: bytes) -> str:
        """Return the signature of a message, in hexadecimal."""
        return self._private.sign(message).hex()
