"""Money as people read it and write it; everywhere else it is a number of cents."""

import re

MAX_WAGER = 2**53 - 1
"""The largest wager in cents: the largest integer that every JSON reader keeps exact.

Balances may grow beyond it and are still written as exact integers.
"""


def dollars(cents: int) -> str:
    """Return an amount of at least zero cents as text, cents only where there are any.

    >>> dollars(5000)
    '$50'
    >>> dollars(1_000_005)
    '$10,000.05'
    """
    whole, rest = divmod(cents, 100)
    return f"${whole:,}.{rest:02}" if rest else f"${whole:,}"


def in_dollars(cents: int) -> str:
    """Return an amount, always with its cents, so that columns line up.

    >>> in_dollars(1_000_005), in_dollars(-5000)
    ('$10,000.05', '-$50.00')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}.{rest:02}"


_DOLLARS = re.compile(r"\$?([0-9]{1,14}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(?:\.([0-9]{2}))?")
_MOST_CENTS = 10**15


def signed(cents: int) -> str:
    """Return a change, with its sign.

    >>> signed(5000), signed(-5000), signed(0)
    ('+$50.00', '-$50.00', '$0.00')
    """
    return f"{'+' if cents > 0 else ''}{in_dollars(cents)}"


def cents_of(text: str) -> int:
    """Read an amount of dollars, as in ``50``, ``12.50`` or ``$1,000``, as cents.

    Raises:
        ValueError: if it is none, or not from 1 cent to 10,000,000,000,000 dollars.

    >>> cents_of("50"), cents_of("$1,000.05")
    (5000, 100005)
    """
    found = _DOLLARS.fullmatch(text)
    if found is None:
        raise ValueError(text)
    cents = int(found[1].replace(",", "")) * 100 + int(found[2] or 0)
    if not 1 <= cents <= _MOST_CENTS:
        raise ValueError(text)
    return cents
