"""Keys: the hash of the secret by which a handle's player is known.

The bank keeps the SHA-256 alone. A key is 256 random bits, so nobody finds it from its
hash, and a copy of the bank lets nobody in.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping

from bj_server.bank.error import MispostedError
from bj_server.bank.move import Posting

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


def claim_in(posting: Posting, keys: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the handle whose key a posting of this kind changes, and its new hash.

    Raises:
        MispostedError: if a key would take the place of another one without a reset,
            or there is none to reset, or the data is something else.
    """
    handle, digest = posting.data.get("handle"), posting.data.get("sha256")
    if not isinstance(handle, str) or set(posting.data) != {"handle", "sha256"}:
        raise MispostedError("A key is of a handle, and has a sha256 or null.")
    if digest is None:
        if handle not in keys:
            raise MispostedError(f"There is no key of {handle} to reset.")
        return handle, None
    if handle in keys:
        raise MispostedError(f"The handle {handle} has a key already.")
    try:
        return handle, check_digest(digest)
    except ValueError as error:
        raise MispostedError(str(error)) from None
