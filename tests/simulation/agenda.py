"""The agenda: the time of the world, and all that is to happen in it, in order."""

import heapq
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(2030, 1, 1, tzinfo=UTC)


class Entry:
    """One thing that is to happen."""

    __slots__ = ("act",)

    def __init__(self, act: Callable[[], object]) -> None:
        self.act: Callable[[], object] | None = act

    def cancel(self) -> None:
        self.act = None


class Agenda:
    """Time passes only from one entry to the next."""

    def __init__(self) -> None:
        self.now = 1000.0
        """Seconds; where the world begins."""
        self._order = itertools.count()
        self._heap: list[tuple[float, int, Entry]] = []

    def at(self, when: float, act: Callable[[], object]) -> Entry:
        entry = Entry(act)
        heapq.heappush(self._heap, (max(when, self.now), next(self._order), entry))
        return entry

    def after(self, seconds: float, act: Callable[[], object]) -> Entry:
        return self.at(self.now + seconds, act)

    def step(self) -> bool:
        """Let the next thing happen; False if there is none."""
        while self._heap:
            when, _, entry = heapq.heappop(self._heap)
            if entry.act is not None:
                self.now = when
                entry.act()
                return True
        return False

    def utc(self) -> datetime:
        return _EPOCH + timedelta(seconds=self.now)
