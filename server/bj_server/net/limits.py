"""The limits: how much one server gives to each stranger, and to all together.

Messages that bring nothing cost tokens. Answers that were asked for are free, so no
player is slowed, at any speed. Refused and repeated answers, unreadable frames, hellos,
and requests to be shown the table again cost a token each.

A connection pays from its own bucket. After its hello it also pays from that of its
handle, which outlives the connection: to join again does not fill it.
"""

import math
import resource
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from bj_server.net.address import THIS_MACHINE, Proxies

_LOCAL = 256
_MOST_PARTINGS = 64
_AT_ONCE = 20
_OWN_FILES = 32
"""Files of the bank, listening sockets and the like, with some to spare."""


def partings_beside(connections: int) -> int:
    """Return how many sockets may be on their way out beside so many connections."""
    return min(_MOST_PARTINGS, connections // 2 + 4)


@dataclass(slots=True, kw_only=True)
class Limits:
    """How much a server takes; ``docs/protocol.md`` tells clients of it."""

    max_connections: int = 1000
    """Connections in all, counted from the first byte of TCP."""
    max_per_address: int = 20
    """Connections from one address; an IPv6 address counts by its first 64 bits."""
    arrival_seconds: float = 4.0
    """How long until an address may open as many connections again."""
    allowed_origins: tuple[str, ...] = ()
    """Web pages that may join, as browsers write their origin."""
    proxies: Proxies = field(default_factory=Proxies)
    """The proxies that are believed when they name the address of a client."""
    proxy_protocol: Proxies = field(default_factory=Proxies)
    """Those that do so by the PROXY protocol, and say nothing without its header."""

    new_handles: int = 10
    """Accounts that one address opens, at once and an hour; 0 for any number."""
    wrong_tries: int = 20
    """Codes and keys that one address gets wrong, at once and an hour; 0 for any."""

    message_bytes: int = 16 * 1024
    """The longest message."""
    pieces: int = 64
    """Frames in which one message may come."""
    frames_ahead: int = 16
    """Frames that are read before they are looked at."""
    bad_messages: int = 10
    """Messages of one connection that may be unreadable."""

    rate: int = 120
    """Messages that bring nothing, a minute; 0 for any number."""
    burst: int = 20
    """How many of them may come at once."""
    policy: int = 10
    """How many more are answered, with a refusal, before the connection is closed."""

    hello_seconds: float = 5.0
    behind_seconds: float = 15.0
    """How long a client may be behind in reading."""
    watch_seconds: float = 1.0
    """How often readers are looked at."""
    ping_seconds: float = 10.0
    pong_seconds: float = 5.0
    close_seconds: float = 2.0
    """How long the answer to a closing frame is waited for."""

    def adopt(self, other: "Limits") -> None:
        """Become like ``other``, for every holder of these limits."""
        for each in fields(self):
            setattr(self, each.name, getattr(other, each.name))

    @property
    def max_local(self) -> int:
        """Connections from this machine, where proxies and bots live."""
        return for_this_machine(self.max_per_address)

    @property
    def at_once(self) -> int:
        """Connections that an address opens without a pause."""
        return max(_AT_ONCE, self.max_per_address)


def for_this_machine(limit: int) -> int:
    """Return the limit by address for this machine, where proxies and bots live.

    >>> for_this_machine(20), for_this_machine(300)
    (256, 300)
    """
    return max(_LOCAL, limit)


def afford(connections: int) -> int:
    """Return how many of ``connections`` there may be, or 0 for not even one.

    The limit of open files is raised as far as that needs and the system allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return connections
    needed = _needed(connections)
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    while connections and _needed(connections) > soft:
        connections -= 1
    return connections


def _needed(connections: int) -> int:
    return connections + partings_beside(connections) + _OWN_FILES


class Bucket:
    """A store of tokens for one spender.

    >>> bucket = Bucket(2, per_second=0.5, now=0.0)
    >>> [bucket.spend(0.0) for _ in range(3)]
    [1.0, 0.0, -1.0]
    >>> bucket.level(4.0)
    1.0
    """

    def __init__(self, size: float, *, per_second: float, now: float) -> None:
        """Start full, with ``size`` tokens; moments are in seconds."""
        self._size = float(size)
        self._per_second = per_second
        self.left = self._size
        """The tokens after the last one was taken; there are no fewer now."""
        self._at = now

    def level(self, now: float) -> float:
        """Return the tokens that are there; below zero is a debt."""
        elapsed = max(0.0, now - self._at)
        return min(self._size, self.left + elapsed * self._per_second)

    def spend(self, now: float) -> float:
        """Take one token, on credit if there is none, and return what is left."""
        self.left, self._at = self.level(now) - 1, now
        return self.left

    def is_full(self, now: float) -> bool:
        """Whether it is as a new one would be."""
        return self.level(now) >= self._size


class Rates:
    """The buckets of the handles that have spent something lately."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.handles: dict[str, Bucket] = {}
        """The buckets by handle; one that is not here is full."""

    def bucket(self, now: float) -> Bucket:
        """Return a full bucket."""
        rate, burst = self.limits.rate, self.limits.burst
        return Bucket(burst if rate else math.inf, per_second=rate / 60, now=now)

    def of_handle(self, handle: str, now: float) -> Bucket:
        """Return the bucket of a handle; one that was forgotten was full."""
        if handle not in self.handles:
            self.handles[handle] = self.bucket(now)
        return self.handles[handle]

    def forget_full(self, now: float) -> None:
        """Forget the handles whose buckets are as new ones would be."""
        full = [name for name, bucket in self.handles.items() if bucket.is_full(now)]
        for name in full:
            del self.handles[name]


class Meter:
    """The buckets from which one connection pays."""

    def __init__(self, rates: Rates, now: float) -> None:
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

    @property
    def has_plenty(self) -> bool:
        """Whether there is a token left for sure, whatever the time."""
        bucket = self._rates.handles.get(self._handle)
        return self._own.left >= 1 and (bucket is None or bucket.left >= 1)

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
        level, bucket = self._own.level(now), self._rates.handles.get(self._handle)
        return level if bucket is None else min(level, bucket.level(now))


MOST_PLACES = 10_000
"""Addresses that are remembered, some 2 MB of them."""


class Throttle:
    """The count of one thing for each address."""

    def __init__(self, most: Callable[[], int], seconds: float = 3600) -> None:
        """Allow so many at once, and as many again in so long; 0 for any number.

        This machine, where proxies and bots live, has more. A change of the limit holds
        for each address once its bucket is full again.
        """
        self._most = most
        self._seconds = seconds
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
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
