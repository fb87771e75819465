"""The clock: the only way in which a table learns of time; and how long it waits.

Tests put a clock of their own in its place, and never sleep.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

SHORTEST, LONGEST = 0.05, 86400.0
"""The seconds that may be set for anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long a table waits, in seconds."""

    bet_seconds: float = 30.0
    """For the bets on a round."""
    insurance_seconds: float = 20.0
    """For an offer of insurance or even money."""
    turn_seconds: float = 30.0
    """For any other decision in a round."""
    hold_seconds: float = 60.0
    """For a player who dropped off the line, before the seat is free again."""
    link_seconds: float = 2.0
    """For the links of the players, once the bets are closed."""
    has_clock: bool = True
    """Whether players who are here have to decide in time; without, none is hurried."""

    def end(self, now: float, seconds: float) -> float:
        """Return when ``seconds`` from ``now`` are over: never, without a clock."""
        return now + seconds if self.has_clock else math.inf


class Alarm(Protocol):
    """An alarm that has been set."""

    def cancel(self) -> None:
        """Take it back; it will not ring."""


class Clock(Protocol):
    """A source of time and of alarms."""

    def now(self) -> float:
        """Return seconds from some fixed moment; they never run back."""

    def alarm(self, at: float, ring: Callable[[], None]) -> Alarm:
        """Call ``ring`` once ``now()`` has reached ``at``."""


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self) -> None:
        """Read the time of the loop that runs now."""
        self._loop = asyncio.get_running_loop()
        self.now: Callable[[], float] = self._loop.time
        """Returns the loop's monotonic seconds."""

    def alarm(self, at: float, ring: Callable[[], None]) -> asyncio.TimerHandle:
        """Call ``ring`` from the loop at ``at``."""
        return self._loop.call_at(at, ring)
