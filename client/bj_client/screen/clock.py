"""The clock of the open asks, as a bar that runs down."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Clock", "TimeLeft"]


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What a running clock shows, in seconds."""

    seconds: float
    whole: float
    """The time that there was when the clock was first seen."""


class Clock:
    """Measures a deadline against the time at which it was first seen."""

    def __init__(
        self, deadline: Callable[[], float | None], now: Callable[[], float]
    ) -> None:
        """Ask ``deadline`` for the time at which the open asks end."""
        self._deadline = deadline
        self._now = now
        self._seen: float | None = None
        self._whole = 1.0

    def read(self) -> TimeLeft | None:
        """Return the time that is left; None while no clock runs."""
        deadline = self._deadline()
        if deadline is None:
            self._seen = None
            return None
        left = max(0.0, deadline - self._now())
        if deadline != self._seen:
            self._seen, self._whole = deadline, max(left, 0.001)
        return TimeLeft(left, self._whole)
