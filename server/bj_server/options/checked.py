"""Checked: readers of what is typed, with the rule as the sentence for the rest."""

import argparse
import os
import re
from collections.abc import Callable
from typing import TypeVar

__all__ = ["between", "checked", "is_set", "listed"]

_YES = {"1", "yes", "true", "on"}
_NO = {"0", "no", "false", "off"}

_T = TypeVar("_T")


def checked(read: Callable[[str], _T], rule: str) -> Callable[[str], _T]:
    """Return ``read``, with ``rule`` as the sentence for what it cannot read."""

    def reader(text: str) -> _T:
        try:
            return read(text)
        except ValueError:
            shown = text if len(text) <= 40 else text[:40] + "…"
            raise argparse.ArgumentTypeError(f"{shown!r}: {rule}") from None

    return reader


def between(number: int, lowest: int, highest: int) -> int:
    """Return ``number`` if it is in that range.

    Raises:
        ValueError: if it is not.
    """
    if not lowest <= number <= highest:
        raise ValueError
    return number


def listed(
    variable: str, read: Callable[[str], _T], parser: argparse.ArgumentParser
) -> list[_T]:
    """Return what a variable of the environment lists, parted by commas or blanks.

    Raises:
        SystemExit: with status 2 and a sentence, if something in it cannot be read.
    """
    texts = re.split(r"[,\s]+", os.environ.get(variable, ""))
    try:
        return [read(text) for text in texts if text]
    except ValueError:
        parser.error(
            f"{variable}: {os.environ[variable]!r} cannot be read; --help says "
            "how it is written, and commas part several."
        )


def is_set(
    parser: argparse.ArgumentParser, variable: str, *, default: bool = False
) -> bool:
    """Return whether a variable of the environment says yes.

    Raises:
        SystemExit: with status 2 and a sentence, if it says neither yes nor no.
    """
    text = os.environ.get(variable, "").lower()
    if text and text not in _YES | _NO:
        parser.error(f"{variable}: {text!r} is neither yes nor no: say 1 or 0.")
    return text in _YES if text else default
