"""The arrivals: connections that wait for their turn, since others came before them.

Each address opens some connections at once, and then so many a second, whatever they
are for; and so do all addresses together. The next ones wait in order, and nothing of
them is read::

    let in by the gate -> its turn comes -> TLS, the handshake, the hello

So a stranger who tries codes or handles as fast as the network goes takes no more time
from those who play than one who tries slowly. A connection that waits has a place of
its address at the gate, so only so many wait, and each of them for a bounded time.
"""

import asyncio

from bj_server.net.limits import Limits, for_this_machine
from bj_server.net.throttle import Throttle

_ALL = "all addresses"


class Arrivals:
    """All connections of one server whose turn has not come."""

    def __init__(self, limits: Limits) -> None:
        """Start with none."""
        seconds = limits.arrival_seconds
        self._of_all = Throttle(
            lambda: for_this_machine(limits.max_connections), seconds
        )
        self._of_places = Throttle(lambda: limits.at_once, seconds)
        self._turns: set[asyncio.Future[None]] = set()

    def seconds(self, place: str, now: float) -> float:
        """Count a connection from a place, and return how long it has to wait."""
        wait = 0.0
        for throttle, key in ((self._of_places, place), (self._of_all, _ALL)):
            wait = max(wait, throttle.wait(key, now))
            throttle.spend(key, now)
        return wait

    def turn(self, place: str) -> asyncio.Future[None] | None:
        """Count a connection from a place; return its turn, None if it is now.

        The turn is cancelled if the server stops before.
        """
        loop = asyncio.get_running_loop()
        seconds = self.seconds(place, loop.time())
        if not seconds:
            return None
        turn: asyncio.Future[None] = loop.create_future()
        loop.call_later(seconds, _come, turn)
        self._turns.add(turn)
        turn.add_done_callback(self._turns.discard)
        return turn

    def abort(self) -> None:
        """Cancel all turns, for the server stops."""
        for turn in tuple(self._turns):
            turn.cancel()


def _come(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
