"""The app: a websocket server with tables behind it.

It accepts connections, and makes a session of each whose handshake is done. All
``limits`` are put in force from here; none is left to the library's defaults.
"""

import asyncio
import contextlib
import itertools
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial

from websockets.typing import Origin

from bj_protocol.refusal import CloseCode
from bj_server.gauges import NO_GAUGES, Gauges
from bj_server.history.recall import Recalls
from bj_server.net.connection import Connection
from bj_server.net.limits import Limits, Rates
from bj_server.net.listening import listen
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.outbox import Outbox
from bj_server.net.session import Session
from bj_server.net.tls_accept import Accepting, TlsAccept
from bj_server.table.inbox import Halt
from bj_server.tls import Encryption

_log = logging.getLogger(__name__)

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
        self.limits = limits or Limits()
        self._rates = Rates(self.limits)
        self._gauges = gauges
        self._recalls = Recalls()
        make = partial(Connection, self)
        self.accepting = Accepting(encryption, self.limits, make)
        """The connections that have not begun; it tells how lines are encrypted."""
        # A terminal sends no Origin; a web page always does, and is turned away.
        self.origins = [None, *map(Origin, self.limits.allowed_origins)]
        """The web pages that may join, and None for a program without one."""
        self._lines = itertools.count(1)
        self.sessions: dict[int, Session] = {}
        """The sessions of all open connections, by their lines."""
        self._conversations: set[asyncio.Task[None]] = set()
        self._group: asyncio.TaskGroup | None = None
        self._dealers: set[asyncio.Task[None]] = set()
        self.is_stopping = False
        """Whether the tables are halted, so that none can be opened any more."""

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
            self._serving(sockets),
            asyncio.TaskGroup() as group,
        ):
            self._group = group
            for place in self._lobby:
                self._deal(place)
            watch = group.create_task(self._watch_readers())
            ready(sockets[0].getsockname()[1])
            try:
                await stop.wait()
            finally:
                self.is_stopping = True
            for place in self._lobby:
                place.dealer.submit(Halt())
            await asyncio.gather(*self._dealers)
            watch.cancel()
            self._recalls.stop()
            self._close(_STOPPING)

    def open(self, place: HostedTable) -> None:
        """Open a table while the server runs."""
        self._lobby.add(place)
        self._deal(place)

    def _deal(self, place: HostedTable) -> None:
        if self._group is not None:
            task = self._group.create_task(place.dealer.run())
            self._dealers.add(task)
            task.add_done_callback(self._dealers.discard)

    @contextlib.asynccontextmanager
    async def _serving(self, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
        """Accept connections until the block ends, and then wait for their ends."""
        loop = asyncio.get_running_loop()
        servers = [
            await loop.create_server(partial(TlsAccept, self.accepting), sock=listening)
            for listening in sockets
        ]
        try:
            yield
        finally:
            for server in servers:
                server.close()
            self._close("")
            while self._conversations:
                await asyncio.wait(self._conversations)

    def _close(self, reason: str) -> None:
        """Begin to close all connections, and let no more be opened."""
        self.accepting.abort()
        for session in self.sessions.values():
            session.outbox.close(CloseCode.SERVER_STOPPING, reason)

    def begin(self, connection: Connection) -> None:
        """Hold a conversation once a connection is there."""
        task = asyncio.get_running_loop().create_task(self._converse(connection))
        self._conversations.add(task)
        task.add_done_callback(self._conversations.discard)

    async def _converse(self, connection: Connection) -> None:
        try:
            await connection.converse()
        except Exception:  # noqa: BLE001 - whatever it is, it is told and counted
            connection.break_off()
        session = connection.session
        if session is None:
            return
        del self.sessions[session.line]
        try:
            session.lost()
            await session.settled()
            if session.audience is not None:
                session.audience.leave(session)
        except Exception:  # noqa: BLE001 - as above
            self.note_fault(connection)

    def session_of(self, connection: Connection) -> Session:
        """Return the session of a connection whose handshake is done."""
        now = asyncio.get_running_loop().time
        session = Session(
            next(self._lines),
            Outbox(connection, now),
            self._lobby,
            now,
            self._rates,
            self._gauges,
            self._recalls,
            connection.address,
        )
        self.sessions[session.line] = session
        return session

    def note_fault(self, connection: Connection) -> None:
        """Tell and count the fault of ours that is being handled."""
        self._gauges.failed("session")
        address = {"address": connection.address.shown}
        _log.exception("a fault of ours closes a line", extra=address)

    async def _watch_readers(self) -> None:
        """Now and then, bring back readers that caught up, and drop the lost ones."""
        loop, limits = asyncio.get_running_loop(), self.limits
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
