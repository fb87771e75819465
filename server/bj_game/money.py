"""Money as people read it; everywhere else it is a whole number of cents."""

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
