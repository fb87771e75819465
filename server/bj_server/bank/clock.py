"""The clock of the bank: when something was written down, and how that is spelt."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the time of the call, with its zone."""


def utc_now() -> datetime:
    """Return the time by the system's clock."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Return a time as UTC in ISO 8601, to the millisecond.

    >>> stamp(datetime(2024, 5, 1, 12, 30, tzinfo=UTC))
    '2024-05-01T12:30:00.000Z'
    """
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    text = moment.isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"
