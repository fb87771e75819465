"""Neighbours: the other servers of the fleet, and which of them are heard.

No wall clock decides that: each server sees by its own clock whose counter moves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bj_server.fleet.sql.servers import Server

LEASE = 5.0
"""Seconds without a sign after which a server is unheard, by one's own clock."""


@dataclass(frozen=True, slots=True)
class _Neighbour:
    server: Server
    since: float
    """The earliest time at which the counter can have moved last."""


class Neighbours:
    """All other servers that may serve."""

    def __init__(self, clock: Callable[[], float], lease: float) -> None:
        """Have servers unheard that give no sign for a ``lease``, in seconds."""
        self._clock = clock
        self._lease = lease
        self._known: dict[str, _Neighbour] = {}
        self._looked = clock()

    def see(self, servers: Iterable[Server]) -> None:
        """Note whose counters have moved since the last time.

        If that is long ago, nobody could be heard meanwhile, and all have a lease anew:
        PostgreSQL was away, perhaps for all of them.
        """
        now, before, known = self._clock(), self._looked, self._known
        if now - before > self._lease / 2:
            known = {}
        self._known, self._looked = {}, now
        for server in servers:
            old = known.get(server.name)
            if old is None:
                since = now
            elif old.server.counter == server.counter:
                since = old.since
            else:
                since = before
            self._known[server.name] = _Neighbour(server, since)

    @property
    def unheard(self) -> list[str]:
        """The names of those that have given no sign within the lease."""
        return [name for name in self._known if self.address_of(name) is None]

    def address_of(self, name: str) -> str | None:
        """Return the address of a server that is heard; None for any other."""
        found = self._known.get(name)
        if found is None or self._clock() - found.since >= self._lease:
            return None
        return found.server.address
