"""Checked: readers of what is typed, with the rule as the sentence for the rest."""

import argparse
from collections.abc import Callable
from typing import TypeVar

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
