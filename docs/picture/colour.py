"""Colours: what pyte calls a colour, as the six hexadecimal digits of it."""

import re

from pyte.screens import Char

from picture.screen import DIM

FOREGROUND = "d8dee4"
"""Of text that has no colour of its own."""
BACKGROUND = "14191f"

_NAMED = {
    "black": "30363d",
    "red": "e5534b",
    "green": "57ab5a",
    "brown": "c69026",
    "blue": "539bf5",
    "magenta": "b083f0",
    "cyan": "39c5cf",
    "white": "d8dee4",
    "brightblack": "768390",
    "brightred": "ff938a",
    "brightgreen": "8ddb8c",
    "brightbrown": "f0c75e",
    "brightblue": "96d0ff",
    "brightmagenta": "dcbdfb",
    "bfightmagenta": "dcbdfb",  # as pyte spells it for backgrounds
    "brightcyan": "76e3ea",
    "brightwhite": "ffffff",
}
_DIM_PART = 0.45
_hex = re.compile(r"[0-9a-f]{6}", re.IGNORECASE)


def colours(char: Char) -> tuple[str, str]:
    """Return the colours of a character and of what is behind it, as six digits.

    Reverse has been applied, and dim text is mixed with its background.
    """
    ink = _digits(char.fg.removeprefix(DIM), FOREGROUND)
    ground = _digits(char.bg, BACKGROUND)
    if char.reverse:
        ink, ground = ground, ink
    return mixed(ink, ground, _DIM_PART) if char.fg.startswith(DIM) else ink, ground


def mixed(one: str, other: str, part: float) -> str:
    """Return ``one`` with a part of 0 to 1 of ``other`` mixed in."""
    pairs = zip(bytes.fromhex(one), bytes.fromhex(other), strict=True)
    return bytes(round(a + (b - a) * part) for a, b in pairs).hex()


def _digits(name: str, default: str) -> str:
    if name == "default":
        return default
    return name.lower() if _hex.fullmatch(name) else _NAMED[name]
