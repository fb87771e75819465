"""Checked: readers of typed values that more than one group of options needs."""

import contextlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from bj_protocol.option import between

MOST_PLAYERS = 4
"""How many can play at one keyboard (``specs/cpsc386.txt``, "Rules")."""

_key = re.compile("[0-9a-f]{64}")


def words(text: str) -> str:
    """Return ``text`` if it can name something.

    Raises:
        ValueError: with a sentence, if it is blank or not printable.
    """
    if not text.strip() or not text.isprintable():
        raise ValueError("a name of printable characters is needed.")
    return text


def file(text: str) -> Path:
    """Return the path of a file, whose ``~`` is the home folder.

    Raises:
        ValueError: with a sentence, if it can be none.
    """
    try:
        return Path(words(text)).expanduser()
    except RuntimeError:
        raise ValueError("that user has no home folder.") from None


def number(rule: str) -> Callable[[str], int]:
    """Return a reader of whole numbers of at least 1, which raises ``rule``."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 12 and int(text)):
            raise ValueError(rule)
        return int(text)

    return read


def seconds(most: float, rule: str) -> Callable[[str], float]:
    """Return a reader of seconds from 0 to ``most``, which raises ``rule``."""

    def read(text: str) -> float:
        with contextlib.suppress(ValueError):
            return between(float(text), 0, most)
        raise ValueError(rule)

    return read


def server_key(text: str) -> str:
    """Return a key as 64 small digits.

    Raises:
        ValueError: with a sentence, if it is none.

    >>> server_key(" AB" * 32) == "ab" * 32
    True
    """
    digits = "".join(text.split()).lower()
    if not _key.fullmatch(digits):
        raise ValueError(
            "the key of a server is 64 hexadecimal digits, as bj-server shows it."
        )
    return digits


def check_players(handles: Sequence[str]) -> tuple[str, ...]:
    """Return the handles of those who play at this keyboard.

    Raises:
        ValueError: with a sentence, if they cannot play together.
    """
    if not all(handle.strip() and handle.isprintable() for handle in handles):
        raise ValueError("a handle is needed, of printable characters.")
    if len(handles) > MOST_PLAYERS:
        raise ValueError(
            f"{len(handles)} handles are too many: at most {MOST_PLAYERS} players "
            "share a keyboard; start another bj-client for the others."
        )
    if len({handle.casefold() for handle in handles}) < len(handles):
        raise ValueError(
            "a handle is given twice, and capitals count as small letters: each "
            "player needs one of their own."
        )
    return tuple(handles)
