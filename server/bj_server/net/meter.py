"""The meter: what one connection spends on messages that bring nothing.

Answers that were asked for cost nothing, so nobody who plays is slowed, at any speed.
What costs a token is all that makes work for nothing: refused and repeated answers,
unreadable frames, hellos, and requests to be shown the table again.

A connection pays from its own bucket, and after its hello from that of its handle too,
which outlives the connection: to join again does not fill it.
"""

from bj_server.net.bucket import Bucket
from bj_server.net.limits import Limits


class Rates:
    """The buckets of the handles that have spent something lately."""

    def __init__(self, limits: Limits) -> None:
        """Give out tokens as ``limits`` say."""
        self.limits = limits
        self._handles: dict[str, Bucket] = {}

    def __len__(self) -> int:
        """Return how many handles are remembered."""
        return len(self._handles)

    def bucket(self, now: float) -> Bucket:
        """Return a full bucket."""
        limits = self.limits
        return Bucket(limits.tokens, per_second=limits.tokens_per_second, now=now)

    def of_handle(self, handle: str, now: float) -> Bucket:
        """Return the bucket of a handle; one that was forgotten was full."""
        if handle not in self._handles:
            self._handles[handle] = self.bucket(now)
        return self._handles[handle]

    def forget_full(self, now: float) -> None:
        """Forget the handles whose buckets are as new ones would be."""
        full = [name for name, bucket in self._handles.items() if bucket.is_full(now)]
        for name in full:
            del self._handles[name]


class Meter:
    """The buckets from which one connection pays."""

    def __init__(self, rates: Rates, now: float) -> None:
        """Start with a full bucket, and no handle."""
        self._rates = rates
        self._own = rates.bucket(now)
        self._handle = ""

    def charge_to(self, handle: str, now: float) -> None:
        """Pay from the bucket of a handle as well, at once for its hello."""
        self._handle = handle
        self._rates.of_handle(handle, now).spend(now)

    def charge(self, now: float) -> None:
        """Pay for one message."""
        self._own.spend(now)
        if self._handle:
            self._rates.of_handle(self._handle, now).spend(now)

    def is_spent(self, now: float) -> bool:
        """Whether less than nothing is left, so that a refusal is due."""
        return self._level(now) < 0

    def is_empty(self, now: float) -> bool:
        """Whether there is no token left for one more message."""
        return self._level(now) < 1

    def is_out_of_patience(self, now: float) -> bool:
        """Whether the connection went on after it had been refused for this."""
        return self._level(now) <= -self._rates.limits.policy - 1

    def _level(self, now: float) -> float:
        level = self._own.level(now)
        if not self._handle:
            return level
        return min(level, self._rates.of_handle(self._handle, now).level(now))
