"""Distrust: how a visit ends when its line cannot be made safe.

::

    Ending
    ├── Untrusted              the certificate is not one to show a key to
    ├── OtherKey               the server has another key than the one that is known
    └── Unreachable
        ├── NeedsEncryption    we came over ws://, and it speaks wss://
        └── LacksEncryption    we came over wss://, and it speaks ws://
"""

from enum import StrEnum
from pathlib import Path

from bj_client.ending import Ending, Unreachable
from bj_client.exits import Exit


class Doubt(StrEnum):
    """What is wrong with a certificate, and what to do about it."""

    UNKNOWN_SIGNER = (
        "is signed by nobody that this computer knows: ask the host for its "
        "fingerprint and name that with --tls-pin, or for its file, with --tls-ca"
    )
    OTHER_SIGNER = (
        "is neither in the file that --tls-ca names nor signed by what is, so this may "
        "be somebody else's server: ask the host whether the certificate was renewed, "
        "and for the new file"
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


class Untrusted(Ending):
    """The line is encrypted, but nobody knows for whom; no key was shown."""

    exit = Exit.UNTRUSTED

    def __init__(self, server: str, doubt: Doubt) -> None:
        """Remember the address as the player would write it, and the doubt."""
        super().__init__(server, doubt)
        self.server = server
        self.doubt = doubt

    def __str__(self) -> str:
        """Return the sentence."""
        return f"No key was shown: the certificate of {self.server} {self.doubt}."


class OtherKey(Ending):
    """The server has another key than the one by which it is known."""

    exit = Exit.UNTRUSTED

    def __init__(
        self,
        server: str,
        file: Path | None,
        known: str,
        told: str | None,
        *,
        is_left: bool = False,
    ) -> None:
        """Remember the address, the file of the key or None if it was named, and both.

        What is ``told`` is None for a server without a key. With ``is_left`` the server
        had that key before the one that is known.
        """
        super().__init__(server, file, known, told)
        self.server = server
        self.file = file
        self.known = known
        self.told = told
        self.is_left = is_left

    def __str__(self) -> str:
        """Return the sentence; it has both keys whole, to be compared."""
        source = "--server-key names" if self.file is None else f"{self.file} has"
        told = "it has none" if self.told is None else f"it is {self.told}"
        remedy = "ask the host for the right one"
        if self.is_left:
            told += ", the one that it had before"
        if self.file is not None and self.told is not None and not self.is_left:
            remedy = (
                "ask the host whether the key is a new one, and only then name it "
                f"once: --server-key {self.told}"
            )
        elif self.file is not None:
            remedy = f"ask the host why, and only then remove {self.file}"
        return (
            f"The server at {self.server} may be somebody else's: its key was "
            f"{self.known}, as {source} it, and now {told}; {remedy}."
        )


class NeedsEncryption(Unreachable):
    """The server speaks ``wss://``, and was spoken to in the clear."""

    def __init__(self, server: str, encrypted: str) -> None:
        """Remember the address as the player wrote it, and as it is right."""
        super().__init__(server)
        self.encrypted = encrypted

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The server at {self.server} speaks over encrypted lines alone: write "
            f"--server {self.encrypted}."
        )


class LacksEncryption(Unreachable):
    """The server speaks ``ws://``, and was asked for an encrypted line."""

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The server at {self.server} does not encrypt: ask the host for an "
            "address with wss://, or write ws:// and leave --tls-ca and --tls-pin out, "
            "in a network that you trust."
        )
