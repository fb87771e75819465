"""Chat: what a player may say to a table, made harmless.

Both ends hold to it: the server before it tells anybody, the client again before it
shows anything.
"""

import unicodedata

__all__ = ["MAX_CHAT", "clean_chat"]

MAX_CHAT = 200
"""The most characters of one saying."""

_DROPPED = {"Cc", "Cf", "Cn", "Co", "Cs"}
"""Controls, marks of direction and other unseen ones, and what is no character."""

_MARKS_IN_A_ROW = 3


def clean_chat(text: str) -> str:
    r"""Return ``text`` as one line that can do no harm; empty if nothing is left.

    Line breaks and runs of blanks become one blank. Control characters, marks of
    direction and unseen characters vanish, and so do accents in towers.

    >>> clean_chat(" hit\nme \x1b[31m\u202e ")
    'hit me [31m'
    """
    kept: list[str] = []
    marks = 0
    for character in " ".join(text.split()):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind not in _DROPPED and marks <= _MARKS_IN_A_ROW:
            kept.append(character)
    return "".join(kept)[:MAX_CHAT].strip()
