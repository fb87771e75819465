"""Checked: readers of what is typed that more than one group of options needs."""

import argparse
import math
from pathlib import Path

__all__ = ["file", "number", "seconds", "words"]


def words(text: str) -> str:
    """Return ``text`` if it can name something.

    Raises:
        ArgumentTypeError: with a sentence, if it is blank or not printable.
    """
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError("a name of printable characters is needed.")
    return text


def file(text: str) -> Path:
    """Return the path of a file, whose ``~`` is the home folder.

    Raises:
        ArgumentTypeError: with a sentence, if it can be none.
    """
    try:
        return Path(words(text)).expanduser()
    except RuntimeError:
        raise argparse.ArgumentTypeError("that user has no home folder.") from None


def number(text: str, rule: str) -> int:
    """Return a whole number of at least 1.

    Raises:
        ArgumentTypeError: with ``rule`` as its sentence, if it is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 12 and int(text)):
        raise argparse.ArgumentTypeError(rule)
    return int(text)


def seconds(text: str, most: float, rule: str) -> float:
    """Return a number of seconds from 0 to ``most``.

    Raises:
        ArgumentTypeError: with ``rule`` as its sentence, if it is none.
    """
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= most:
        raise argparse.ArgumentTypeError(rule)
    return found
