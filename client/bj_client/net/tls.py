"""Trust: how a player tells that a server over ``wss://`` is the right one.

::

    by default       an authority that the system knows has signed for the name
    --tls-ca FILE    the authority of that file has, or the certificate is in it
    --tls-pin        it is the one certificate with that fingerprint, whoever signed

A failure here is a ``ClientError`` before anything is said, so before a key is shown.
"""

import functools
import hashlib
import re
import ssl
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bj_client.error import ClientError, Exit


class Doubt(StrEnum):
    """The fault of a certificate, and the remedy."""

    UNKNOWN_SIGNER = (
        "is signed by nobody that this computer knows: ask the host for its "
        "fingerprint and name that with --tls-pin, or for its file, with --tls-ca"
    )
    OTHER_SIGNER = (
        "is neither in the file that --tls-ca names nor signed by a certificate in it, "
        "so this may be somebody else's server: ask the host whether the certificate "
        "was renewed, and for the new file"
    )
    OTHER_FINGERPRINT = (
        "has another fingerprint than --tls-pin names, so this may be somebody else's "
        "server: ask the host whether the certificate was renewed, and for the new "
        "fingerprint"
    )
    EXPIRED = (
        "has expired: ask the host to renew it, and see that this computer's clock is "
        "right"
    )
    EARLY = "is not valid yet: see that this computer's clock is right, or ask the host"
    WRONG_NAME = (
        "is for another name: write the address with the name that the host gave, or "
        "name the certificate's fingerprint with --tls-pin"
    )


class UntrustedError(ClientError):
    """The line is encrypted, but nobody knows for whom; no key was shown.

    The arguments are the address as the player would write it, and the ``Doubt``.
    """

    exit = Exit.UNTRUSTED
    sentence = "No key was shown: the certificate of {} {}."


class OtherKeyError(ClientError):
    """The server has another key than the one by which it is known."""

    exit = Exit.UNTRUSTED
    sentence = (
        "The server at {} may be somebody else's: its key was {}, as {} it, and now "
        "{}; {}."
    )

    def __init__(
        self, server: str, file: Path | None, known: str, told: str | None, left: bool
    ) -> None:
        """Take the address, the file of the key or None if it was named, and both.

        ``told`` is None for a server without a key. With ``left`` the server had
        that key before the one that is known. The sentence has both keys whole, to be
        compared.
        """
        source = "--server-key names" if file is None else f"{file} has"
        now = "it has none" if told is None else f"it is {told}"
        if left:
            now += ", the one that it had before"
        if file is None:
            remedy = "ask the host for the right one"
        elif left or told is None:
            remedy = f"ask the host why, and only then remove {file}"
        else:
            remedy = (
                "ask the host whether the key is a new one, and only then name it "
                f"once: --server-key {told}"
            )
        super().__init__(server, known, source, now, remedy)


_DOUBTS = {
    9: Doubt.EARLY,  # X509_V_ERR_CERT_NOT_YET_VALID
    10: Doubt.EXPIRED,  # X509_V_ERR_CERT_HAS_EXPIRED
    62: Doubt.WRONG_NAME,  # X509_V_ERR_HOSTNAME_MISMATCH
    64: Doubt.WRONG_NAME,  # X509_V_ERR_IP_ADDRESS_MISMATCH
}
"""By OpenSSL's number for what failed; every other is about who signed it."""

_pin = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """The trust in servers: the system's authorities unless something else is named."""

    authority: Path | None = None
    """A PEM file of the only authorities, or certificates, that are trusted."""
    pin: str | None = None
    """The SHA-256 of the only certificate that is trusted, as 64 small digits."""

    def check(self, server: str, line: ssl.SSLObject | None) -> None:
        """See that an open line ends at the certificate that is pinned, if one is.

        Raises:
            UntrustedError: if it does not.
        """
        if self.pin is None:
            return
        certificate = None if line is None else line.getpeercert(binary_form=True)
        if hashlib.sha256(certificate or b"").hexdigest() != self.pin:
            raise UntrustedError(server, Doubt.OTHER_FINGERPRINT)

    def doubt(self, server: str, error: ssl.SSLCertVerificationError) -> UntrustedError:
        """Return the error about a certificate that was not accepted."""
        signer = Doubt.UNKNOWN_SIGNER if self.authority is None else Doubt.OTHER_SIGNER
        return UntrustedError(server, _DOUBTS.get(error.verify_code, signer))


SYSTEM = Trust()


def read_pin(text: str) -> str:
    """Return a fingerprint as 64 small digits; colons and capitals do not matter.

    Raises:
        ValueError: with a sentence, if it is none.

    >>> read_pin("SHA256:" + ":".join(["AB"] * 32)) == "ab" * 32
    True
    """
    kind, _, digits = text.strip().lower().rpartition("sha256:")
    found = _pin.fullmatch(kind + digits.replace(":", ""))
    if found is None:
        raise ValueError(
            "a fingerprint is sha256: and 64 hexadecimal digits, as bj-server shows it."
        )
    return found[1]


@functools.cache  # a line that comes back needs no file that may have gone
def tls_context(trust: Trust) -> ssl.SSLContext:
    """Return the context of a line: TLS 1.2 at least, and verified unless pinned.

    Raises:
        ValueError: with a sentence, if the file of the authority is of no use.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if trust.pin is not None:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # ``Trust.check`` does it
    elif trust.authority is None:
        context.load_default_certs()
    else:
        # So that a certificate may be named itself, whoever signed it.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            context.load_verify_locations(trust.authority)
        except ssl.SSLError:
            raise ValueError(
                f"{trust.authority} has no certificate in it: name a PEM file, which "
                "has a line BEGIN CERTIFICATE."
            ) from None
        except OSError as error:
            raise ValueError(
                f"{trust.authority} cannot be read ({error.strerror}): name the PEM "
                "file of the host's certificate, or of the authority that signed it."
            ) from None
    return context
