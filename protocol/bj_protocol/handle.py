"""Handles: the one written rule for how players are named.

The rule keeps a handle printable in any terminal, harmless as text, unique when
case is ignored, and able to be an e-mail address.
"""

import re

_handle = re.compile(
    r"(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$))"
    r"[a-z0-9](?:[a-z0-9._@+-]{0,62}[a-z0-9])?"
)
"""Matches a whole canonical (lower-case) handle."""

HANDLE_RULE = (
    "A handle is 1 to 64 characters: letters a to z, digits, and . _ @ + - between "
    "them; capitals count as small letters, and device names such as con are not "
    "handles."
)


def canonical_handle(text: str) -> str | None:
    """Return the one spelling under which ``text`` is a handle, or None.

    >>> canonical_handle("Ned21")
    'ned21'
    >>> canonical_handle("lia9@example.org")
    'lia9@example.org'
    >>> canonical_handle("../ned21") is None
    True
    """
    if not text.isascii():
        return None
    lowered = text.lower()
    return lowered if _handle.fullmatch(lowered) else None


_key = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""Matches a whole key; the last character holds four bits, so it is one of 16."""

KEY_RULE = "A key is 32 random bytes in URL-safe base64: 43 characters, no padding."


def is_key(text: str) -> bool:
    """Whether ``text`` is written like a key, and so could be one.

    >>> is_key("A" * 43)
    True
    >>> is_key("A" * 42 + "B")
    False
    """
    return _key.fullmatch(text) is not None
