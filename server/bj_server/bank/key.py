"""Keys: the hash of the secret by which a handle's player is known.

The bank keeps the SHA-256 alone. A key is 256 random bits, so nobody finds it from its
hash, and a copy of the bank lets nobody in.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Self

from bj_server.bank.error import MispostedError
from bj_server.bank.move import Kind, Posting

_DIGEST = re.compile(r"[0-9a-f]{64}")


def digest_of(key: str) -> str:
    """Return the SHA-256 of a key, in hexadecimal."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_same(known: str, shown: str) -> bool:
    """Compare two hashes in a time that tells nothing of them."""
    return hmac.compare_digest(known, shown)


def check_digest(value: object) -> str:
    """Return ``value`` if it is a hash of a key."""
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise ValueError("The hash of a key is 64 hexadecimal digits.")
    return value


class Keys:
    """The hash of each claimed handle's key."""

    def __init__(self, keys: Mapping[str, str] | None = None) -> None:
        self._keys = dict(keys or {})

    def copy(self) -> Self:
        """Return keys that stay as these are now."""
        other = type(self)()
        other._keys = self._keys.copy()
        return other

    @property
    def digests(self) -> Mapping[str, str]:
        """All hashes by handle; they change with the keys."""
        return self._keys

    def of(self, handle: str) -> str | None:
        """Return the hash of the handle's key; None for one that is not claimed."""
        return self._keys.get(handle)

    def forget(self, handle: str) -> None:
        """Forget the key of a handle, if it has one."""
        self._keys.pop(handle, None)

    def check(self, posting: Posting) -> None:
        """Find out whether ``apply`` would succeed."""
        if posting.kind == Kind.KEY:
            self._read(posting)

    def apply(self, posting: Posting) -> None:
        """Note a claim or a reset; other postings change nothing."""
        if posting.kind != Kind.KEY:
            return
        handle, digest = self._read(posting)
        if digest is None:
            del self._keys[handle]
        else:
            self._keys[handle] = digest

    def _read(self, posting: Posting) -> tuple[str, str | None]:
        handle, digest = posting.data.get("handle"), posting.data.get("sha256")
        if not isinstance(handle, str) or set(posting.data) != {"handle", "sha256"}:
            raise MispostedError("A key is of a handle, and has a sha256 or null.")
        if digest is None:
            if handle not in self._keys:
                raise MispostedError(f"There is no key of {handle} to reset.")
            return handle, None
        if handle in self._keys:
            raise MispostedError(f"The handle {handle} has a key already.")
        try:
            return handle, check_digest(digest)
        except ValueError as error:
            raise MispostedError(str(error)) from None
