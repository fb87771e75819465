"""The app: a websocket server with tables behind it.

It accepts connections, makes a session of each, and hands all that arrives to it. All
``limits`` are put in force from here; none is left to the library's defaults.
"""

import asyncio
import contextlib
import itertools
import logging
import socket
from collections.abc import Callable, Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Origin

from bj_protocol.refusal import CloseCode
from bj_server.gauges import NO_GAUGES, Gauges
from bj_server.net.bounded_connection import BoundedConnection
from bj_server.net.limits import Limits
from bj_server.net.listening import listen
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.outbox import Outbox, WebSocket
from bj_server.net.rate_limit import Rates
from bj_server.net.recalls import Recalls
from bj_server.net.session import Session
from bj_server.net.tls_accept import Accepting, stepped
from bj_server.table.inbox import Halt
from bj_server.tls import Encryption

_log = logging.getLogger(__name__)

_FAULT = 1011
_STOPPING = (
    "The server is stopping; seats, cards and stakes are kept. Join again later."
)


class App:
    """Serves the tables of a lobby on one port."""

    def __init__(
        self,
        lobby: Lobby,
        limits: Limits | None = None,
        gauges: Gauges = NO_GAUGES,
        encryption: Encryption | None = None,
    ) -> None:
        """Prepare to serve ``lobby``, by default within the usual ``limits``.

        The lines are plain unless there is an ``encryption``.
        """
        self._lobby = lobby
        self._limits = limits or Limits()
        self._rates = Rates(self._limits)
        self._gauges = gauges
        self._recalls = Recalls()
        self.accepting = Accepting(encryption, self._limits)
        """The connections that have not begun; it tells how lines are encrypted."""
        self._lines = itertools.count(1)
        self.sessions: dict[int, Session] = {}
        """The sessions of all open connections, by their lines."""
        self._group: asyncio.TaskGroup | None = None
        self._dealers: set[asyncio.Task[None]] = set()

    async def run(
        self,
        hosts: str | Sequence[str],
        port: int,
        stop: asyncio.Event,
        ready: Callable[[int], None],
    ) -> None:
        """Serve until ``stop`` is set; ``ready`` is called with the port in use.

        Raises:
            ListenError: if one of the addresses cannot be listened on.
            ExceptionGroup: if a dealer has failed; the others are stopped then.
        """
        sockets = listen([hosts] if isinstance(hosts, str) else hosts, port)
        async with (
            contextlib.aclosing(self._recalls),
            contextlib.AsyncExitStack() as stack,
            asyncio.TaskGroup() as group,
        ):
            servers = [
                await stack.enter_async_context(self._serve(one)) for one in sockets
            ]
            self._group = group
            for place in self._lobby:
                self._deal(place)
            watch = group.create_task(self._watch_readers())
            ready(sockets[0].getsockname()[1])
            await stop.wait()
            for place in self._lobby:
                place.dealer.submit(Halt())
            await asyncio.gather(*self._dealers)
            watch.cancel()
            self.accepting.abort()
            self._recalls.stop()
            for server in servers:
                server.close(code=CloseCode.SERVER_STOPPING, reason=_STOPPING)

    def open(self, place: HostedTable) -> None:
        """Open a table while the server runs."""
        self._lobby.add(place)
        self._deal(place)

    def _deal(self, place: HostedTable) -> None:
        if self._group is not None:
            task = self._group.create_task(place.dealer.run())
            self._dealers.add(task)
            task.add_done_callback(self._dealers.discard)

    def _serve(
        self, listening: socket.socket
    ) -> contextlib.AbstractAsyncContextManager[Server]:
        limits = self._limits
        return serve(
            self._converse,
            sock=listening,
            # A terminal sends no Origin; a web page always does, and is turned away.
            origins=[None, *map(Origin, limits.allowed_origins)],
            compression=None,
            max_size=limits.message_bytes,
            max_queue=limits.frames_ahead,
            open_timeout=limits.hello_seconds,
            ping_interval=limits.ping_seconds,
            ping_timeout=limits.pong_seconds,
            close_timeout=limits.close_seconds,
            server_header=None,
            process_request=_admit,
            create_connection=stepped(self.accepting),
        )

    async def _converse(self, connection: ServerConnection) -> None:
        """Hold a conversation; a fault of ours is told and counted, and ends it."""
        assert isinstance(connection, BoundedConnection)
        try:
            await self._hold(connection)
        except Exception:  # noqa: BLE001 - whatever it is, it is told and counted
            # The library would close the line, and count nothing.
            self._note_fault(connection)
            await connection.close(_FAULT)

    def _note_fault(self, connection: BoundedConnection) -> None:
        self._gauges.failed("session")
        address = {"address": connection.address.shown}
        _log.exception("a fault of ours closes a line", extra=address)

    async def _hold(self, connection: BoundedConnection) -> None:
        line_out = WebSocket(connection)
        loop = asyncio.get_running_loop()
        session = Session(
            next(self._lines),
            Outbox(line_out, loop.time),
            self._lobby,
            loop.time,
            self._rates,
            self._gauges,
            self._recalls,
            connection.address,
        )
        self.sessions[session.line] = session
        deadline = loop.call_later(self._limits.hello_seconds, session.expect_hello)

        def hear(text: str) -> bool:
            if not session.has_room:
                return False
            try:
                session.received(text)
            except Exception:  # noqa: BLE001 - as above
                self._note_fault(connection)
                session.close(_FAULT, "")
            return True

        try:
            with connection.heard_by(hear), contextlib.suppress(ConnectionClosed):
                async for text in connection:
                    session.received(text)
                    await session.room()
        finally:
            deadline.cancel()
            del self.sessions[session.line]
            session.lost()
            await session.settled()
            self._lobby.dismiss(session)
            await line_out.closed()

    async def _watch_readers(self) -> None:
        """Now and then, bring back readers that caught up, and drop the lost ones."""
        loop, limits = asyncio.get_running_loop(), self._limits
        while True:
            await asyncio.sleep(limits.watch_seconds)
            self._rates.forget_full(loop.time())
            for session in list(self.sessions.values()):
                if session.outbox.catch_up():
                    session.show()
                    continue
                seconds = session.outbox.seconds_slow(loop.time())
                if seconds > limits.behind_seconds + limits.close_seconds:
                    session.outbox.abort()
                elif seconds > limits.behind_seconds:
                    _log.info("dropped, it does not read", extra={"line": session.line})
                    session.close(CloseCode.TOO_SLOW, "You did not read; join again.")


async def _admit(connection: ServerConnection, request: Request) -> Response | None:
    assert isinstance(connection, BoundedConnection)
    return await connection.admit(request)
