"""Keys: how a player proves that a handle is theirs.

A key is 32 random bytes in URL-safe base64 without padding, so 43 characters. The
client makes it, keeps it, and shows it in every hello; a server never sends one.
"""

import re

KEY_PATTERN = r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]"
"""Matches a whole key; the last character holds four bits, so it is one of 16."""

KEY_RULE = "A key is 32 random bytes in URL-safe base64: 43 characters, no padding."

_key = re.compile(KEY_PATTERN)


def is_key(text: str) -> bool:
    """Whether ``text`` is written like a key, and so could be one.

    >>> is_key("A" * 43)
    True
    >>> is_key("A" * 42 + "B")
    False
    """
    return _key.fullmatch(text) is not None
