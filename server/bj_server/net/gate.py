"""The gate: counts connections, in all and by address, and says who finds no room.

It is asked when TCP has connected and before anything is read, so that a client which
never says a word takes up a place like any other.
"""

from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from bj_server.net.limits import Limits

__all__ = ["THIS_MACHINE", "Gate", "TurnedAway", "place_of"]

THIS_MACHINE = "this machine"
"""The place of all connections that do not come over a network."""

_FULL = "This server has as many connections as it takes. Try again later."
_TOO_MANY = (
    "There are as many connections from your address as this server takes. Close "
    "another one, or try again later."
)


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Why there is no room, for programs and for people."""

    status: HTTPStatus
    sentence: str


class Gate:
    """The places of one server."""

    def __init__(self, limits: Limits) -> None:
        """Start with all places free."""
        self._limits = limits
        self._places: Counter[str] = Counter()
        self.inside = 0
        """Connections that were let in and have not left."""
        self.turned_away = 0
        """Connections that found no room, since the start."""

    def enter(self, place: str) -> TurnedAway | None:
        """Let a connection in, or return why not; who is let in must ``leave``."""
        limits = self._limits
        most = limits.max_local if place == THIS_MACHINE else limits.max_per_address
        if self.inside >= limits.max_connections:
            return self._turn_away(HTTPStatus.SERVICE_UNAVAILABLE, _FULL)
        if self._places[place] >= most:
            return self._turn_away(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MANY)
        self.inside += 1
        self._places[place] += 1
        return None

    def leave(self, place: str) -> None:
        """Note that a connection which was let in is gone."""
        self.inside -= 1
        self._places[place] -= 1
        if not self._places[place]:
            del self._places[place]

    def _turn_away(self, status: HTTPStatus, sentence: str) -> TurnedAway:
        self.turned_away += 1
        return TurnedAway(status, sentence)


def place_of(peer: Any, own: Any) -> str:
    """Return from where a connection counts, of the addresses of its two ends.

    They are as sockets tell them, and None if the other end has gone already.

    >>> place_of(("192.0.2.7", 4711), ("198.51.100.1", 8765))
    '192.0.2.7'
    >>> place_of(("2001:db8::7:1", 4711, 0, 0), ("2001:db8::1", 8765, 0, 0))
    '2001:db8::/64'
    >>> place_of(("127.0.0.1", 4711), ("127.0.0.1", 8765))
    'this machine'
    """
    if not peer:
        return "nowhere"
    address = ip_address(peer[0].partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback or (own and peer[0] == own[0]):
        return THIS_MACHINE
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address)
