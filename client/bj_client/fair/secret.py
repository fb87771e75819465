"""Secrets in hexadecimal, as the protocol has them."""

import hashlib

__all__ = ["sha256_of", "short"]


def sha256_of(secret: str) -> str:
    """Return the SHA-256 of a secret, both in hexadecimal.

    Raises:
        ValueError: if it is not hexadecimal.
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def short(secret: str) -> str:
    """Return the first digits, by which people know it again."""
    return f"{secret[:8]}…"
