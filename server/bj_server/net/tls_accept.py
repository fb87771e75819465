"""TLS accept: a connection counts before anything of it is read.

A server that asks the event loop for encrypted sockets hears of a connection only when
its TLS is open; until then a silent stranger would count nowhere. And a loop begins to
read a connection as soon as it accepts it, whether or not its turn has come. So the
server listens for plain sockets::

    TCP connects -> the limit counts it -> its turn comes -> TLS opens -> it begins

Nothing has been read when it is counted, but the header of a proxy that says whose
connection it is, by version 2 of the PROXY protocol. It is heard only from proxies that
the host has named for it: whoever else could write one would come from any address. It
is read to its last byte and no further, so that what follows is still in the socket.

The socket is taken from its plain transport, as a duplicate, and given to the loop
anew, with TLS if lines are encrypted. A client over the limit is told so over TLS, a
few at a time; the others are hung up on.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, cast

from bj_server.net.address import Address, address_of, address_of_ip
from bj_server.net.connection import Connection
from bj_server.net.connection_limit import ConnectionLimit, TurnedAway
from bj_server.net.limits import Limits, partings_beside
from bj_server.tls import Encryption

_log = logging.getLogger(__name__)

MOST_BYTES = 1024
"""The longest header after its first 16 bytes; addresses have 36, the rest is extra."""

_SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
_HEAD = len(_SIGNATURE) + 4
_LOCAL, _PROXY = 0x20, 0x21
_UNKNOWN = 0x00
_TCP = {0x11: 4, 0x21: 16}
"""The lengths of an address by its family, for TCP over IPv4 and over IPv6."""


class ProxyHeaderError(ValueError):
    """What a proxy sent is no header; the message is a clause for the log."""


async def read_client(end: socket.socket) -> Address | None:
    """Return the address of the client that a proxy names on a new connection.

    None if it comes on its own behalf, as for a check of health.

    Raises:
        ProxyHeaderError: if it sends something else.
        OSError: if the connection is gone.
    """
    head = await _read(end, _HEAD)
    size = int.from_bytes(head[-2:], "big")
    if not head.startswith(_SIGNATURE):
        raise ProxyHeaderError("it does not begin with a header of version 2")
    if size > MOST_BYTES:
        raise ProxyHeaderError(f"its header has over {MOST_BYTES} bytes")
    return _client(head[-4], head[-3], await _read(end, size))


def _client(command: int, family: int, rest: bytes) -> Address | None:
    if command == _LOCAL or (command == _PROXY and family == _UNKNOWN):
        return None
    size = _TCP.get(family)
    if command != _PROXY or size is None or len(rest) < 2 * size + 4:
        raise ProxyHeaderError("its header is of no connection over TCP")
    return address_of_ip(ip_address(rest[:size]))


async def _read(end: socket.socket, size: int) -> bytes:
    """Read exactly so many bytes."""
    loop, found = asyncio.get_running_loop(), b""
    while len(found) < size:
        more = await loop.sock_recv(end, size - len(found))
        if not more:
            raise ProxyHeaderError("it has hung up before its header was whole")
        found += more
    return found


@dataclass(eq=False)
class Accepting:
    """All connections of one server that have not begun."""

    encryption: Encryption | None
    """The certificate and key for the next connection; None for a plain line."""
    limits: Limits
    _make: Callable[[Address, str, TurnedAway | None], Connection]
    """Makes a connection; one that is turned away is told why."""

    def __post_init__(self) -> None:
        self.connections = ConnectionLimit(self.limits)
        self._openings: dict[socket.socket, asyncio.Task[None]] = {}
        self.partings: set[Connection] = set()
        """The connections that are turned away, and are not gone."""
        self._most_partings = partings_beside(self.limits.max_connections)

    def accept(self, end: socket.socket, address: Address) -> None:
        """Take a new connection on a socket, which is ours; hear its proxy first."""
        if address not in self.limits.proxy_protocol:
            self._count(end, address)
        elif len(self._openings) < self.limits.max_connections:
            self._openings[end] = asyncio.create_task(self._hear_proxy(end, address))
        else:
            end.close()

    async def _hear_proxy(self, end: socket.socket, address: Address) -> None:
        client, why = None, ""
        try:
            async with asyncio.timeout(self.limits.hello_seconds):
                client = await read_client(end)
        except (OSError, ProxyHeaderError) as error:
            why = str(error) or "its header does not come in time"
        finally:
            del self._openings[end]
        if not why:
            self._count(end, client or address)
            return
        end.close()
        _log.info("hung up on a proxy: %s", why, extra={"address": address.shown})

    def _count(self, end: socket.socket, address: Address) -> None:
        """Have a connection begun, or one told that there is no room, at its turn."""
        place = self.connections.place_of(address)
        why = self.connections.enter(place)
        if why is not None and len(self.partings) >= self._most_partings:
            end.close()
            return
        line = self._make(address, place, why)
        if why is not None:
            self.partings.add(line)
        self._openings[end] = asyncio.create_task(self._open(end, line))

    def abort(self) -> None:
        """End all of them at once, for the server stops; part with the others."""
        for parting in self.partings:
            if parting.has_begun:
                parting.abort()
        self.connections.arrivals.is_over.set()
        for end in self._openings:
            with contextlib.suppress(OSError):  # it has ended already
                end.shutdown(socket.SHUT_RDWR)

    async def _open(self, end: socket.socket, line: Connection) -> None:
        try:
            if line.wait and not await self.connections.arrivals.wait(line.wait):
                end.close()
                return
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: line, end, **self._tls()
            )
        except OSError:
            pass  # no TLS, or not in time: there is nobody to say anything to
        finally:
            del self._openings[end]
            if not line.has_begun:
                line.leave()

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

    def __init__(self, steps: Accepting) -> None:
        self._steps = steps

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Have the connection begun on the socket, once there is room."""
        # uvloop's transports are not of the library's class; their shape is.
        plain = cast("asyncio.Transport", transport)
        peer, own = map(plain.get_extra_info, ("peername", "sockname"))
        try:
            end = socket.socket(fileno=os.dup(plain.get_extra_info("socket").fileno()))
            end.setblocking(False)
            self._steps.accept(end, address_of(peer, own))
        except OSError:
            _log.warning("no descriptor is left for a connection: raise ulimit -n")
        plain.abort()  # which leaves the duplicate open
