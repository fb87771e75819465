"""Certificates: what the hosts of the tests serve wss:// with, good ones and bad."""

import hashlib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

_HERE = ("localhost", "127.0.0.1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A certificate and its key, in files."""

    certificate: Path
    key: Path

    @property
    def options(self) -> tuple[str, ...]:
        """What bj-server is told to serve with them."""
        return "--tls-cert", str(self.certificate), "--tls-key", str(self.key)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, 64 digits."""
        der = ssl.PEM_cert_to_DER_cert(self.certificate.read_text())
        return hashlib.sha256(der).hexdigest()


class Certificates:
    """Those that one authority has signed, made when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._authority = trustme.CA()
        self.authority = folder / "ca.pem"
        self._authority.cert_pem.write_to_path(str(self.authority))
        self.here = self._issue("here", *_HERE)
        """For this machine, and valid."""

    def elsewhere(self) -> Pair:
        """Return a pair for another name."""
        return self._issue("elsewhere", "blackjack.example.org")

    def expired(self) -> Pair:
        """Return a pair whose time is over."""
        past = datetime(2020, 1, 1, tzinfo=UTC)
        return self._issue("expired", *_HERE, until=past)

    def early(self) -> Pair:
        """Return a pair whose time is yet to come."""
        future = datetime(2100, 1, 1, tzinfo=UTC)
        return self._issue(
            "early", *_HERE, since=future, until=future.replace(year=2101)
        )

    def encrypted_key(self) -> Path:
        """Return the key of the pair for this machine, under a passphrase."""
        key = load_pem_private_key(self.here.key.read_bytes(), None)
        file = self._folder / "encrypted.key"
        file.write_bytes(
            key.private_bytes(
                Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
            )
        )
        return file

    def _issue(
        self,
        name: str,
        *hosts: str,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Pair:
        pair = Pair(
            certificate=self._folder / f"{name}.pem", key=self._folder / f"{name}.key"
        )
        issued = self._authority.issue_cert(*hosts, not_before=since, not_after=until)
        issued.cert_chain_pems[0].write_to_path(str(pair.certificate))
        issued.private_key_pem.write_to_path(str(pair.key))
        return pair
