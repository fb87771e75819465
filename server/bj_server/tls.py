"""TLS: a certificate and its key, by which a server encrypts its lines.

The files are those that every authority hands out: PEM, the server's own certificate
first and then the chain. A key under a passphrase is refused, since nobody is there to
type it when a server starts by itself.
"""

import hashlib
import re
import ssl
from dataclasses import dataclass, field
from pathlib import Path

from bj_server.bank.disk import read_named

_certificate = re.compile(
    r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL
)
_private_key = re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----")
_MISMATCHES = {"KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED"}


class CertificateError(ValueError):
    """Files that cannot encrypt a line; the message is a sentence for the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encryption:
    """The encryption of the lines of a server."""

    context: ssl.SSLContext = field(repr=False)
    fingerprint: str
    """The SHA-256 of the server's own certificate, as ``sha256:`` and 64 digits."""


def load_encryption(certificate: Path, key: Path) -> Encryption:
    """Return the encryption by a certificate with its chain, and its key: TLS 1.2 on.

    Raises:
        CertificateError: naming the file that is at fault, and never what is in it.
    """
    found = _certificate.search(_read(certificate))
    if found is None:
        raise CertificateError(
            f"{certificate} has no certificate in it: name a PEM file, which has a "
            "line BEGIN CERTIFICATE."
        )
    if _private_key.search(_read(key)) is None:
        raise CertificateError(
            f"{key} has no private key in it: name a PEM file, which has a line "
            "BEGIN PRIVATE KEY."
        )
    context = _context(certificate, key)
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(found[0]))
    return Encryption(context=context, fingerprint=f"sha256:{digest.hexdigest()}")


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    def passphrase() -> str:  # which OpenSSL would ask the terminal for
        raise CertificateError(
            f"{key} is encrypted: name a key without a passphrase, in a file that "
            "only the server's user can read."
        )

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, passphrase)
    except ssl.SSLError as error:
        if error.reason in _MISMATCHES:
            raise CertificateError(
                f"{key} is not the key of the certificate in {certificate}: name the "
                "two that were made together, the server's own certificate first."
            ) from None
        reason = error.reason or "one of them is damaged"
        raise CertificateError(
            f"{certificate} and {key} cannot be used ({reason}): name the PEM "
            "files of a certificate and of its key."
        ) from None
    return context


def _read(file: Path) -> str:
    try:
        return read_named(file).decode(errors="replace")
    except OSError as error:
        raise CertificateError(
            f"{file} cannot be read ({error.strerror}): name a PEM file that the "
            "server's user may read."
        ) from None
