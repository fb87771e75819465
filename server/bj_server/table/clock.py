"""The clock: the only way in which a table learns of time.

Tests put a clock of their own in its place, and never sleep.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """An alarm that has been set."""

    def cancel(self) -> None:
        """Take it back; it will not ring."""
        ...


class Clock(Protocol):
    """A source of time and of alarms."""

    def now(self) -> float:
        """Return seconds from some fixed moment; they never run back."""
        ...

    def alarm(self, at: float, ring: Callable[[], None]) -> Alarm:
        """Call ``ring`` once ``now()`` has reached ``at``."""
        ...


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self) -> None:
        """Read the time of the loop that runs now."""
        self._loop = asyncio.get_running_loop()

    def now(self) -> float:
        """Return the loop's monotonic seconds."""
        return self._loop.time()

    def alarm(self, at: float, ring: Callable[[], None]) -> asyncio.TimerHandle:
        """Call ``ring`` from the loop at ``at``."""
        return self._loop.call_at(at, ring)
