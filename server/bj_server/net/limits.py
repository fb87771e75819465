"""The limits: how much one server gives to each stranger, and to all together."""

import resource
from dataclasses import dataclass, field, fields

from bj_server.net.address import Proxies

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

    @property
    def most_turned_away(self) -> int:
        """Sockets beside these that may be on their way out at a time."""
        return partings_beside(self.max_connections)


def for_this_machine(limit: int) -> int:
    """Return the limit by address for this machine, where proxies and bots live.

    >>> for_this_machine(20), for_this_machine(300)
    (256, 300)
    """
    return max(_LOCAL, limit)


def afford(connections: int) -> int:
    """Return how many of ``connections`` there may be, at least one.

    The limit of open files is raised as far as that needs and the system allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return connections
    needed = _needed(connections)
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    while connections > 1 and _needed(connections) > soft:
        connections -= 1
    return connections


def _needed(connections: int) -> int:
    return connections + partings_beside(connections) + _OWN_FILES
