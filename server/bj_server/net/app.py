"""The app: a websocket server with tables behind it.

It accepts connections, makes a session of each, and hands what arrives to it. Limits on
size, origin and time are all set here, and those on memory in ``outbox``; none is left
to the library's defaults.
"""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from bj_protocol.close import CloseCode
from bj_server.net.connection import WebSocket
from bj_server.net.lobby import Lobby
from bj_server.net.outbox import Outbox
from bj_server.net.session import Session
from bj_server.table.inbox import Halt
from bj_server.tls import Encryption

__all__ = ["App"]

_log = logging.getLogger(__name__)

_MAX_MESSAGE = 16 * 1024
_MAX_QUEUE = 16
_HELLO_SECONDS = 5.0
_BEHIND_SECONDS = 20.0
_WATCH_SECONDS = 1.0
_PING_SECONDS = 10.0
_PONG_SECONDS = 5.0
_CLOSE_SECONDS = 2.0

_STOPPING = (
    "The server is stopping; seats, cards and stakes are kept. Join again later."
)


class App:
    """Serves the tables of a lobby on one address."""

    def __init__(self, lobby: Lobby, encryption: Encryption | None = None) -> None:
        """Prepare to serve ``lobby``, over plain lines unless they are encrypted."""
        self._lobby = lobby
        self._encryption = encryption
        self._lines = itertools.count(1)
        self._sessions: dict[int, Session] = {}

    async def run(
        self, host: str, port: int, stop: asyncio.Event, ready: Callable[[int], None]
    ) -> None:
        """Serve until ``stop`` is set; ``ready`` is called with the port in use.

        Raises:
            OSError: if the address cannot be listened on.
            ExceptionGroup: if a dealer has failed; the others are stopped then.
        """
        async with self._serve(host, port) as server, asyncio.TaskGroup() as group:
            dealers = [group.create_task(place.dealer.run()) for place in self._lobby]
            watch = group.create_task(self._watch_readers())
            ready(server.sockets[0].getsockname()[1])
            await stop.wait()
            for place in self._lobby:
                place.dealer.submit(Halt())
            await asyncio.gather(*dealers)
            watch.cancel()
            server.close(code=CloseCode.SERVER_STOPPING, reason=_STOPPING)

    def _serve(
        self, host: str, port: int
    ) -> contextlib.AbstractAsyncContextManager[Server]:
        return serve(
            self._converse,
            host,
            port,
            # A terminal sends no Origin; a web page always does, and is turned away.
            origins=[None],
            compression=None,
            max_size=_MAX_MESSAGE,
            max_queue=_MAX_QUEUE,
            open_timeout=_HELLO_SECONDS,
            ping_interval=_PING_SECONDS,
            ping_timeout=_PONG_SECONDS,
            close_timeout=_CLOSE_SECONDS,
            server_header=None,
            **self._tls(),
        )

    def _tls(self) -> dict[str, Any]:
        """Return what makes the lines encrypted, with the times that TLS may take."""
        if self._encryption is None:
            return {}
        return {
            "ssl": self._encryption.context,
            "ssl_handshake_timeout": _HELLO_SECONDS,
            "ssl_shutdown_timeout": _CLOSE_SECONDS,
        }

    async def _converse(self, connection: ServerConnection) -> None:
        socket = WebSocket(connection)
        loop = asyncio.get_running_loop()
        session = Session(next(self._lines), Outbox(socket), self._lobby, loop.time)
        self._sessions[session.line] = session
        deadline = loop.call_later(_HELLO_SECONDS, session.expect_hello)
        try:
            with contextlib.suppress(ConnectionClosed):
                async for text in connection:
                    session.received(text)
                    await session.room()
        finally:
            deadline.cancel()
            del self._sessions[session.line]
            session.lost()
            self._lobby.dismiss(session)
            await socket.closed()

    async def _watch_readers(self) -> None:
        """Now and then, bring back readers that caught up, and drop the lost ones."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            for session in list(self._sessions.values()):
                since = session.outbox.behind_since
                if session.outbox.catch_up():
                    session.show()
                elif since is not None:
                    self._hurry(session, loop.time() - since)

    def _hurry(self, session: Session, seconds: float) -> None:
        """Drop a reader that has been behind for too many ``seconds``."""
        if seconds > _BEHIND_SECONDS + _CLOSE_SECONDS:
            session.outbox.abort()
        elif seconds > _BEHIND_SECONDS:
            _log.info("line %d: dropped, it does not read", session.line)
            session.close(CloseCode.TOO_SLOW, "You did not read; join again.")
