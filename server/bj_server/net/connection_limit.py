"""The connection limit: counts connections, in all and by address.

It is asked when TCP has connected and before anything is read, so that a client that
never says a word takes up a place like any other.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus

from bj_server.net.address import THIS_MACHINE, Address
from bj_server.net.limits import Limits, Throttle, for_this_machine

_ALL = "all addresses"


class Arrivals:
    """All connections of one server whose turn has not come."""

    def __init__(self, limits: Limits) -> None:
        seconds = limits.arrival_seconds
        self._of_all = Throttle(
            lambda: for_this_machine(limits.max_connections), seconds
        )
        self._of_places = Throttle(lambda: limits.at_once, seconds)
        self.is_over = asyncio.Event()
        """Is set when the server stops."""

    def seconds(self, place: str, now: float) -> float:
        """Count a connection from a place, and return how long it has to wait."""
        wait = 0.0
        for throttle, key in ((self._of_places, place), (self._of_all, _ALL)):
            wait = max(wait, throttle.wait(key, now))
            throttle.spend(key, now)
        return wait

    async def wait(self, seconds: float) -> bool:
        """Wait for a turn; return whether it came before the server stopped."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.is_over.wait()
        return not self.is_over.is_set()


_log = logging.getLogger(__name__)

PROXY = "a trusted proxy"
"""The place of connections whose client a proxy has not named yet."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Why there is no room, for programs and for people."""

    status: HTTPStatus
    sentence: str
    reason: str
    """In a word, for metrics."""


_FULL = TurnedAway(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "This server has as many connections as it takes. Try again later.",
    "full",
)
_TOO_MANY = TurnedAway(
    HTTPStatus.TOO_MANY_REQUESTS,
    "There are as many connections from your address as this server takes. Close "
    "another one, or try again later.",
    "address",
)


class ConnectionLimit:
    """The places of one server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places: Counter[str] = Counter()
        self.inside = 0
        """Connections that were let in and have not left."""
        self.turned_away = Counter({"full": 0, "address": 0})
        """Connections that found no room, since the start, by reason."""
        self._told: set[str] = set()
        self.arrivals = Arrivals(limits)
        """The connections that are let in, and whose turn has not come."""

    def enter(self, place: str) -> TurnedAway | None:
        """Let a connection in, or return why not; one that is let in must ``leave``."""
        if self.inside >= self._limits.max_connections:
            return self._turn_away(place, _FULL)
        if self._places[place] >= self._most(place):
            return self._turn_away(place, _TOO_MANY)
        self.inside += 1
        self._places[place] += 1
        return None

    def move(self, old: str, new: str) -> TurnedAway | None:
        """Count a connection, which was let in, in another place; or say why not."""
        if self._places[new] >= self._most(new):
            return self._turn_away(new, _TOO_MANY)
        self.leave(old)
        self.inside += 1
        self._places[new] += 1
        return None

    def leave(self, place: str) -> None:
        """Note that a connection which was let in is gone."""
        self.inside -= 1
        self._places[place] -= 1
        if not self._places[place]:
            del self._places[place]
            self._told -= {place, ""}

    def place_of(self, address: Address) -> str:
        """Return the place in which a connection counts until more is known of it."""
        return PROXY if address in self._limits.proxies else address.place

    def _most(self, place: str) -> int:
        limits = self._limits
        if place == PROXY:
            return limits.max_connections
        return limits.max_local if place == THIS_MACHINE else limits.max_per_address

    def _turn_away(self, place: str, why: TurnedAway) -> TurnedAway:
        """Count it, and log the first from a place, for a flood is no news."""
        self.turned_away[why.reason] += 1
        key = place if why is _TOO_MANY else ""
        if key not in self._told:
            self._told.add(key)
            extra = {"address": place, "code": why.status.value}
            _log.info("turns connections away", extra=extra)
        return why
