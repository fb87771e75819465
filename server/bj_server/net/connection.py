"""The connection: the websocket library's, in the shape that an outbox wants."""

import asyncio
import logging
from functools import lru_cache

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

_REASON_BYTES = 123
"""The longest reason that a closing frame can carry (RFC 6455, 5.5)."""

_log = logging.getLogger(__name__)


@lru_cache(maxsize=1)  # what is told to everyone comes as often as there are lines
def _frame_of(text: str) -> bytes:
    """Return the frame of a text; no extension is agreed on, and none is masked."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class WebSocket:
    """Implements ``bj_server.net.outbox.Transport`` over one server connection."""

    def __init__(self, connection: ServerConnection) -> None:
        """Wrap an open connection."""
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None
        self._end: asyncio.TimerHandle | None = None

    def send(self, text: str) -> None:
        """Hand one text frame to the operating system, or queue it."""
        # The library would make the frame anew for each line that hears it. Nothing is
        # sent in pieces here, so a frame never comes between those of another.
        if self._connection.state is State.OPEN:
            try:
                self._connection.transport.write(_frame_of(text))
            except (OSError, RuntimeError) as error:
                _log.info("nothing can be sent to a line: %s", error)

    def waiting(self) -> int:
        """Return the bytes that the operating system has not taken yet."""
        return self._connection.transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        """Send the closing frame after what is queued; do not wait for its answer."""
        if self._closing is None:
            fitting = reason.encode()[:_REASON_BYTES].decode(errors="ignore")
            loop = asyncio.get_running_loop()
            self._closing = loop.create_task(self._connection.close(code, fitting))
            # The library waits for ever until a reader takes what comes before.
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
