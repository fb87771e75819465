"""Checked: readers of typed values that more than one group of options needs."""

import argparse
import math
from collections.abc import Mapping
from pathlib import Path

_YES = {"1", "yes", "true", "on"}
_NO = {"", "0", "no", "false", "off"}


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


def is_set(
    parser: argparse.ArgumentParser, settings: Mapping[str, str], name: str
) -> bool:
    """Tell whether a setting that is yes or no is yes.

    Raises:
        SystemExit: with 2 and a sentence, if it is neither.
    """
    text = settings.get(name, "").lower()
    if text not in _YES | _NO:
        parser.error(f"{name}: {text!r} is neither yes nor no: say 1 or 0.")
    return text in _YES
