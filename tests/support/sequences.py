"""Random bytes that begin with ESC and hold no Enter: what terminals may send."""

import random
import re
from collections.abc import Iterator

PLAY = b"hsdpieuglaynobwzxcv0123456789.*t/?rmqHSDP "
"""What would be played, typed or opened if it were taken for keys."""
_KNOWN = (
    *(b"\x1b[A", b"\x1b[5~", b"\x1b[6~", b"\x1bOA", b"\x1b[1;5C", b"\x1bOP"),
    *(b"\x1b[C", b"\x1b[B", b"\x1b[H", b"\x1b[3~", b"\x1bb", b"\x1b[[A"),
)
_STRINGS = (b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b^", b"\x1bX", b"\x9d", b"\x90")
_ENDS = (b"\x1b\\", b"\x07", b"\x9c", b"", b"\x1b", b"\x18")
_keypad = re.compile("(?:\x1bO|[\x8f\udc8f])[j-yX ]")
_entered = re.compile(
    "[\r\n\x03\x04]|(?:\x1bO|[\x8f\udc8f])M|27;[256];13~"
    "|(?:\x1b\\[|[\x9b\udc9b])<?[0-9]+;[0-9]+;[0-9]+[mM]"
    "|(?:\x1b\\[|[\x9b\udc9b])M"
)
"""Enter in any form, a key that leaves, and clicks, which may hit a button."""


def text_of(read: bytes) -> str:
    """Decode what was read as prompt_toolkit does."""
    return read.decode("utf-8", "surrogateescape")


def is_keypad(text: str) -> bool:
    """Say whether there may be a key of the keypad in it."""
    return _keypad.search(text) is not None


def unknown_strings(seed: random.Random, count: int) -> Iterator[str]:
    """Return so many of them."""
    while count:
        text = text_of(_one(seed))
        if _entered.search(text) is None:
            count -= 1
            yield text


def _one(seed: random.Random) -> bytes:
    some = seed.randbytes(seed.randrange(12))
    typed = bytes(seed.choices(PLAY, k=seed.randrange(6)))
    numbers = bytes(seed.choices(b"0123456789;:<=>?", k=seed.randrange(6)))
    match seed.randrange(9):
        case 0:
            return b"\x1b" + some + typed
        case 1:
            return b"\x1b[" + numbers + bytes([seed.randrange(0x20, 0x7F)]) + typed
        case 2:
            return b"\x1bO" + numbers[:2] + typed + some
        case 3:
            begin, end = seed.choice(_STRINGS), seed.choice(_ENDS)
            return begin + typed + some + numbers + end + typed
        case 4:
            return bytes([seed.randrange(0x80, 0xA0)]) + numbers + typed
        case 5:
            end = seed.choice((b"\x1b[201~", b"\x1b[201", b"\x1b", b""))
            return b"\x1b[200~" + typed + some + end + typed
        case 6:
            return b"\x1b" * seed.randrange(1, 4) + numbers + typed
        case 7:
            known = seed.choice(_KNOWN)
            return known[: seed.randrange(1, len(known) + 1)] + typed
        case _:
            return b"\x1b" + typed + b"\x1b" + some + seed.choice(_KNOWN) + typed
