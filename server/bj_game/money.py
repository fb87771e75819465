"""Money as people read it; everywhere else it is a whole number of cents."""

__all__ = ["dollars"]


def dollars(cents: int) -> str:
    """Return an amount of at least zero cents as text, cents only where there are any.

    >>> dollars(5000)
    '$50'
    >>> dollars(1_000_005)
    '$10,000.05'
    """
    whole, rest = divmod(cents, 100)
    return f"${whole:,}.{rest:02}" if rest else f"${whole:,}"
