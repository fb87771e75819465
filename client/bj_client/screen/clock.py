"""The clock of the open asks, as a bar that runs down."""

from collections.abc import Callable
from dataclasses import dataclass

from bj_client.net.follow import Deadline


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The time on a running clock, in seconds."""

    seconds: float
    whole: float
    """The time that there was when the clock was started."""


class Clock:
    """Measures a deadline against the time that there was for it."""

    def __init__(
        self, deadline: Callable[[], Deadline | None], now: Callable[[], float]
    ) -> None:
        """Ask ``deadline`` when the open asks end."""
        self._deadline = deadline
        self._now = now

    def read(self) -> TimeLeft | None:
        """Return the time that is left; None while no clock runs."""
        deadline = self._deadline()
        if deadline is None:
            return None
        left = max(0.0, deadline.at - self._now())
        return TimeLeft(left, max(left, deadline.whole, 0.001))
