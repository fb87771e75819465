"""Partings: the few last words to connections for which there is no room.

A socket that is closed while something unread waits in it is reset, and a client of
some systems then loses the answer. So the last words are sent with the end of our
stream, and the socket is closed when the request has come, or after a second. Only so
many sockets are kept like that; beyond them the close comes at once.
"""

import asyncio

from bj_server.net.gate import TurnedAway

_SECONDS = 1.0


class Parting:
    """One connection that is being turned away."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Part with a connection in a second at most."""
        self._transport = transport
        loop = asyncio.get_running_loop()
        self._end = loop.call_later(_SECONDS, transport.abort)

    def finish(self) -> None:
        """Close the socket, once what was written is sent."""
        self._transport.close()

    def abort(self) -> None:
        """Close the socket at once."""
        self._end.cancel()
        self._transport.abort()

    def over(self) -> None:
        """Note that the socket is closed."""
        self._end.cancel()


class Partings:
    """All connections that are being turned away."""

    def __init__(self, most: int) -> None:
        """Start with none; there are at most so many."""
        self.most = most
        self._partings: set[Parting] = set()

    def __len__(self) -> int:
        """Return how many sockets are on their way out."""
        return len(self._partings)

    def begin(self, transport: asyncio.Transport, why: TurnedAway) -> Parting:
        """Say why there is no room, and see that the socket is closed."""
        parting = Parting(transport)
        transport.write(_response(why))
        if len(self._partings) < self.most and transport.can_write_eof():
            transport.write_eof()
        else:
            parting.finish()
        self._partings.add(parting)
        return parting

    def end(self, parting: Parting) -> None:
        """Forget a socket that is closed."""
        parting.over()
        self._partings.discard(parting)

    def abort(self) -> None:
        """Close all sockets at once, for the server stops."""
        for parting in self._partings:
            parting.abort()


def _response(why: TurnedAway) -> bytes:
    body = why.sentence.encode() + b"\n"
    head = (
        f"HTTP/1.1 {why.status.value} {why.status.phrase}\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"Connection: close\r\n\r\n"
    )
    return head.encode() + body
