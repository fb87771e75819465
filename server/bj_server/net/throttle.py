"""The throttle: how often one address may do something that costs the server.

Each address has a bucket. Only so many are remembered: beyond that, the one that was
tried longest ago is forgotten, and is full again.
"""

import math
from collections import OrderedDict
from collections.abc import Callable

from bj_server.net.address import THIS_MACHINE
from bj_server.net.bucket import Bucket
from bj_server.net.limits import for_this_machine

MOST_PLACES = 10_000
"""Addresses that are remembered, some 2 MB of them."""


class Throttle:
    """What all addresses do of one thing."""

    def __init__(self, most: Callable[[], int], seconds: float = 3600) -> None:
        """Allow so many at once, and as many again in so long; 0 for any number.

        This machine, where proxies and bots live, has more. What is asked for may
        change; it holds for each address from when its bucket is full again.
        """
        self._most = most
        self._seconds = seconds
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        """Return how many addresses are remembered."""
        return len(self._buckets)

    def wait(self, place: str, now: float) -> float:
        """Return the seconds until there may be one more, 0 if it may be now."""
        bucket = self._buckets.get(place) if self._most() else None
        missing = 0.0 if bucket is None else max(0.0, 1 - bucket.level(now))
        return missing * self._seconds / self._of(place)

    def spend(self, place: str, now: float) -> None:
        """Count one, on credit if it may not be yet."""
        if not self._most():
            return
        bucket = self._buckets.pop(place, None)
        if bucket is None or bucket.is_full(now):
            size = self._of(place)
            bucket = Bucket(size, per_second=size / self._seconds, now=now)
        bucket.spend(now)
        self._buckets[place] = bucket
        if len(self._buckets) > MOST_PLACES:
            self._buckets.popitem(last=False)

    def _of(self, place: str) -> int:
        most = max(1, self._most())
        return for_this_machine(most) if place == THIS_MACHINE else most


def in_words(seconds: float) -> str:
    """Return a time to wait, rounded up, for people.

    >>> in_words(0.2), in_words(61), in_words(7200)
    ('1 second', '2 minutes', '2 hours')
    """
    units = ((3600, "hour"), (60, "minute"), (1, "second"))
    size, unit = next((u for u in units if seconds >= u[0]), units[-1])
    number = max(1, math.ceil(seconds / size))
    return f"{number} {unit}{'' if number == 1 else 's'}"
