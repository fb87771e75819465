"""TLS accept: a connection counts before anything of it is read.

A server that asks the event loop for encrypted sockets hears of a connection only when
its TLS is open; until then a silent stranger would count nowhere. And a loop begins to
read a connection as soon as it accepts it, whether or not its turn has come. So the
server listens for plain sockets::

    TCP connects -> the limit counts it -> its turn comes -> TLS opens -> it begins

Nothing has been read when it is counted. The socket is then taken from its plain
transport, as a duplicate, and given to the loop anew, with TLS if lines are encrypted.
A client over the limit is told so over TLS, a few at a time; the others are hung up on.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from websockets.asyncio.server import ServerConnection

from bj_server.net.bounded_connection import BoundedConnection, TurningAway
from bj_server.net.connection_limit import ConnectionLimit
from bj_server.net.limits import Limits
from bj_server.tls import Encryption

_log = logging.getLogger(__name__)


class Accepting:
    """All connections of one server that have not begun."""

    def __init__(self, encryption: Encryption | None, limits: Limits) -> None:
        self.connections = ConnectionLimit(limits)
        self.turning_away = TurningAway(limits.most_turned_away)
        self.limits = limits
        self.encryption = encryption
        """The certificate and key for the next connection; None for a plain line."""
        self._openings: dict[socket.socket, asyncio.Task[None]] = {}
        self._turned_away = 0

    def open(self, end: socket.socket, connection: BoundedConnection) -> None:
        """Begin a connection on a socket once its turn comes; the socket is ours."""
        self._turned_away += connection.is_turned_away
        self._openings[end] = asyncio.create_task(self._open(end, connection))

    def has_room_to_part(self) -> bool:
        """Tell whether one more client over the limit may be told so."""
        return self._turned_away + len(self.turning_away) < self.turning_away.most

    def abort(self) -> None:
        """End all of them at once, for the server stops; part with the others."""
        self.turning_away.abort()
        self.connections.arrivals.abort()
        for end in self._openings:
            with contextlib.suppress(OSError):  # it has ended already
                end.shutdown(socket.SHUT_RDWR)

    async def _open(self, end: socket.socket, connection: BoundedConnection) -> None:
        try:
            if connection.turn is not None:
                await asyncio.wait([connection.turn])
                if connection.turn.cancelled():
                    end.close()
                    return
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection, end, **self._tls()
            )
        except OSError:
            pass  # no TLS, or not in time: there is nobody to say anything to
        finally:
            del self._openings[end]
            self._turned_away -= connection.is_turned_away
            connection.end_unbegun()

    def _tls(self) -> dict[str, Any]:
        """Return the options of TLS for the loop."""
        if self.encryption is None:
            return {}
        return {
            "ssl": self.encryption.context,
            "ssl_handshake_timeout": self.limits.hello_seconds,
            "ssl_shutdown_timeout": self.limits.close_seconds,
        }


class TlsAccept(asyncio.Protocol):
    """One connection, between TCP and its beginning."""

    def __init__(self, steps: Accepting, make: Callable[[], BoundedConnection]) -> None:
        self._steps = steps
        self._make = make

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for room, and have the connection begun on the socket."""
        # uvloop's transports are not of the library's class; their shape is.
        plain = cast("asyncio.Transport", transport)
        connection = self._make()
        connection.enter(plain)
        try:
            if not connection.is_turned_away or self._steps.has_room_to_part():
                number = os.dup(plain.get_extra_info("socket").fileno())
                end = socket.socket(fileno=number)
                end.setblocking(False)
                self._steps.open(end, connection)
        except OSError:
            _log.warning("no descriptor is left for a connection: raise ulimit -n")
            connection.end_unbegun()
        plain.abort()  # which leaves the duplicate open


def stepped(steps: Accepting) -> type[ServerConnection]:
    """Return the maker that the library calls for each connection."""
    make = partial(
        BoundedConnection, steps.connections, steps.turning_away, steps.limits
    )

    def arrive(*arguments: Any, **options: Any) -> TlsAccept:
        return TlsAccept(steps, partial(make, *arguments, **options))

    return cast("type[ServerConnection]", arrive)  # it wants no more than a maker
