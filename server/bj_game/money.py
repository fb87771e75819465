"""Money as people read it; everywhere else it is a whole number of cents."""


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
