"""The outbox: what waits to be sent on one connection, and never more than a bound.

Nothing here waits. A connection whose reader falls behind is sent no more until it has
caught up; what it missed is then made good by one snapshot.
"""

from typing import Protocol

HIGH_WATER = 256 * 1024
"""Bytes that may wait for one reader before it counts as behind."""

_LOW_WATER = 16 * 1024


class Transport(Protocol):
    """A connection that takes text at once and sends it when it can."""

    def send(self, text: str) -> None:
        """Queue one text frame."""
        ...

    def waiting(self) -> int:
        """Return the bytes that are queued."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Close after what is queued, without waiting for it."""
        ...

    def abort(self) -> None:
        """Drop the connection at once."""
        ...


class Outbox:
    """The bounded way out to one client."""

    def __init__(self, transport: Transport) -> None:
        """Send on ``transport``."""
        self._transport = transport
        self.behind_since: float | None = None
        """When the reader was first seen behind; None while it keeps up."""
        self._slow_since: float | None = None

    @property
    def waiting(self) -> int:
        """The bytes that wait."""
        return self._transport.waiting()

    def send(self, text: str, now: float) -> None:
        """Send ``text``, unless the reader is behind; then it is dropped."""
        if self.behind_since is not None:
            return
        if self._transport.waiting() > HIGH_WATER:
            self.behind_since = now
            return
        self._transport.send(text)

    def catch_up(self) -> bool:
        """Return whether a reader that was behind has caught up, once."""
        if self.behind_since is None or self._transport.waiting() > _LOW_WATER:
            return False
        self.behind_since = None
        return True

    def seconds_slow(self, now: float) -> float:
        """Return for how long more has been waiting than a reader leaves.

        It must be asked now and then to know. A reader that stopped is noticed by this
        at a quiet table too, where what is said never adds up to being behind.
        """
        if self._transport.waiting() <= _LOW_WATER:
            self._slow_since = None
        elif self._slow_since is None:
            self._slow_since = now
        since = [s for s in (self._slow_since, self.behind_since) if s is not None]
        return now - min(since, default=now)

    def close(self, code: int, reason: str) -> None:
        """Close the connection with a reason for people."""
        self._transport.close(code, reason)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._transport.abort()
