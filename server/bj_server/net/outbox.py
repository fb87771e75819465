"""The outbox: the frames that wait to be sent on one connection, up to a bound.

Nothing here waits. A connection whose reader falls behind is sent no more until it has
caught up; then one snapshot makes up for all that it missed.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Protocol

from websockets.asyncio.server import ServerConnection

HIGH_WATER = 256 * 1024
"""Bytes that may wait for one reader before it counts as behind."""

_LOW_WATER = 16 * 1024


class Transport(Protocol):
    """A connection that takes frames at once and sends them when it can."""

    def send(self, frames: bytes) -> None:
        """Queue one frame or several."""

    def waiting(self) -> int:
        """Return the bytes that are queued."""

    def close(self, code: int, reason: str) -> None:
        """Close after the queued frames, without waiting for them."""

    def abort(self) -> None:
        """Drop the connection at once."""


class Outbox:
    """The bounded way out to one client."""

    def __init__(
        self, transport: Transport, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Send through ``transport``; moments are those of the event loop's clock."""
        self._transport = transport
        self._now = now
        self.behind_since: float | None = None
        """When the reader was first seen behind; None while it keeps up."""
        self._slow_since: float | None = None

    @property
    def waiting(self) -> int:
        """The bytes that wait."""
        return self._transport.waiting()

    def send(self, frames: bytes) -> None:
        """Send ``frames``, unless the reader is behind; then they are dropped."""
        if self.behind_since is not None:
            return
        if self._transport.waiting() > HIGH_WATER:
            self.behind_since = self._now()
            return
        self._transport.send(frames)

    def catch_up(self) -> bool:
        """Return whether a reader that was behind has caught up, once."""
        if self.behind_since is None or self._transport.waiting() > _LOW_WATER:
            return False
        self.behind_since = None
        return True

    def seconds_slow(self, now: float) -> float:
        """Return for how long more has been waiting than a reader leaves.

        It must be asked now and then to know. It notices a reader that stopped at a
        quiet table, too, where the frames never add up to being behind.
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


_REASON_BYTES = 123
"""The longest reason that a closing frame can carry (RFC 6455, 5.5)."""

_log = logging.getLogger(__name__)


class WebSocket:
    """Implements ``bj_server.net.outbox.Transport`` over one server connection."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None
        self._end: asyncio.TimerHandle | None = None

    def send(self, frames: bytes) -> None:
        """Hand frames to the operating system, or queue them."""
        # The library would make a frame anew for each line that hears it. Nothing is
        # sent in pieces here, so a frame never comes between those of another.
        connection = self._connection
        is_closing = connection.transport.is_closing()
        if connection.protocol.close_sent is None and not is_closing:
            try:
                connection.transport.write(frames)
            except (OSError, RuntimeError) as error:
                _log.info("nothing can be sent to a line: %s", error)

    def waiting(self) -> int:
        """Return the bytes that the operating system has not taken yet."""
        return self._connection.transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        """Send the closing frame after all queued ones; do not wait for its answer."""
        if self._closing is None:
            fitting = reason.encode()[:_REASON_BYTES].decode(errors="ignore")
            loop = asyncio.get_running_loop()
            self._closing = loop.create_task(self._connection.close(code, fitting))
            # The library waits for ever until a reader takes the frames before.
            seconds = self._connection.close_timeout
            if seconds is not None:
                self._end = loop.call_later(seconds, self.abort)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._connection.transport.abort()

    async def closed(self) -> None:
        """Wait for a close that was begun here."""
        if self._closing is not None:
            await self._closing
        if self._end is not None:
            self._end.cancel()
