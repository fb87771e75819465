"""The cut: how the secret of a server and those of its players become one key.

Each side binds itself to a secret by its SHA-256 before it learns another's. The key
under which a shoe is shuffled depends on all of them, so it is beyond anyone's choice
as long as one was drawn at random and kept. ``docs/fairness.md`` has the whole scheme.
"""

import hashlib
import hmac
from collections.abc import Iterable

__all__ = ["SECRET_BYTES", "commitment", "stream_key"]

SECRET_BYTES = 32
"""The length of a seed and of a nonce: 256 bits."""

_DOMAIN = b"blackjack table, cut 1"


def commitment(secret: bytes) -> str:
    """Return what binds whoever tells it to ``secret``: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def stream_key(seed: bytes, nonces: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the key of the stream from which shoes are shuffled, 32 bytes.

    It is HMAC-SHA-256, under the seed of the server, of ``_DOMAIN`` in ASCII and then,
    seat by seat in ascending order, the number of the seat in one byte and the nonce.

    Raises:
        ValueError: if a secret is not ``SECRET_BYTES`` long, a seat is there twice, or
            its number is not from 1 to 255.
    """
    cuts = sorted(nonces)
    seats = [seat for seat, _ in cuts]
    if len(set(seats)) < len(seats) or any(not 1 <= seat <= 255 for seat in seats):
        raise ValueError("each seat cuts once, and has a number from 1 to 255")
    if any(len(secret) != SECRET_BYTES for secret in (seed, *(n for _, n in cuts))):
        raise ValueError(f"a seed and a nonce have {SECRET_BYTES} bytes each")
    message = _DOMAIN + b"".join(bytes([seat]) + nonce for seat, nonce in cuts)
    return hmac.digest(seed, message, hashlib.sha256)
