"""The bounded connection: the library's, with bounds that the library lacks.

The library waits for five seconds before it drops a silent client, takes any number of
empty pieces of a message, and answers any number of pings, into memory if nobody reads.
Here a connection is counted before its first byte, one message comes in so many pieces,
pings cost tokens, and a connection that is closed is gone in time, whether or not the
closing frame is ever read.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, cast

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request, Response
from websockets.protocol import Event
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

from bj_protocol.refusal import CloseCode
from bj_server.net.address import NOWHERE, ContradictionError, address_of
from bj_server.net.connection_limit import PROXY, ConnectionLimit, TurnedAway
from bj_server.net.limits import Limits
from bj_server.net.rate_limit import Bucket

_SECONDS = 1.0


class TurningAway:
    """All connections that are being turned away, each in a second at most."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._ends: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def begin(self, transport: asyncio.Transport, why: TurnedAway) -> None:
        """Say why there is no room, and see that the socket is closed."""
        transport.write(_response(why))
        if len(self) < self.most and transport.can_write_eof():
            transport.write_eof()
        else:
            transport.close()
        loop = asyncio.get_running_loop()
        self._ends[transport] = loop.call_later(_SECONDS, transport.abort)

    def end(self, transport: asyncio.Transport) -> None:
        """Forget a socket that is closed."""
        self._ends.pop(transport).cancel()

    def abort(self) -> None:
        """Close all sockets at once, for the server stops."""
        for transport, end in self._ends.items():
            end.cancel()
            transport.abort()


def _response(why: TurnedAway) -> bytes:
    body = why.sentence.encode() + b"\n"
    head = (
        f"HTTP/1.1 {why.status.value} {why.status.phrase}\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"Connection: close\r\n\r\n"
    )
    return head.encode() + body


_log = logging.getLogger(__name__)

_NO_PONG = "keepalive ping timeout"
"""The library's reason of a close with 1011 that is no fault of ours."""
_TWO_CLIENTS = (
    "The proxy names one client in X-Forwarded-For and another in Forwarded: have it "
    "write the one, and drop the other.\n"
)
_PIECES = "The message came in too many pieces; send it in one frame."
_PINGS = "Pings came too fast; one every few seconds will do."
_PING_BURST = 20
_PINGS_PER_SECOND = 1.0


class BoundedConnection(ServerConnection):
    """One connection of a client, let in or turned away."""

    def __init__(
        self,
        connections: ConnectionLimit,
        turning_away: TurningAway,
        limits: Limits,
        *arguments: Any,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._connections = connections
        self._turning_away = turning_away
        self._limits = limits
        self.address = NOWHERE
        self._place: str | None = None
        self._turned_away: TurnedAway | None = None
        self.turn: asyncio.Future[None] | None = None
        """The turn that it waits for until it begins; None for no wait."""
        self._hear: Callable[[str], bool] | None = None
        self._has_begun = False
        self._parting: asyncio.Transport | None = None
        """The socket of a connection that was turned away."""
        self._pieces = 0
        self._pings = Bucket(
            _PING_BURST, per_second=_PINGS_PER_SECOND, now=self.loop.time()
        )
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin a connection that was let in, or tell it why not and close it."""
        self._has_begun = True
        if self._turned_away is None:
            super().connection_made(transport)
            return
        # uvloop's transports are not of the library's class; their shape is.
        self._parting = cast("asyncio.Transport", transport)
        self._turning_away.begin(self._parting, self._turned_away)

    def enter(self, transport: asyncio.BaseTransport) -> None:
        """Ask for room, before the connection is made."""
        peer = transport.get_extra_info("peername")
        self.address = address_of(peer, transport.get_extra_info("sockname"))
        place = self._connections.place_of(self.address)
        self._turned_away = self._connections.enter(place)
        if self._turned_away is None:
            self._place = place
            if place != PROXY:
                self.turn = self._connections.arrivals.turn(place)

    async def admit(self, request: Request) -> Response | None:
        """Count a connection by the client's address, if a trusted proxy names one.

        Returns the answer to one for which there is no room, None to the others.
        """
        if self.address not in self._limits.proxies or self._place is None:
            return None
        try:
            client = self._limits.proxies.client(request.headers)
        except ContradictionError:
            return self.respond(HTTPStatus.BAD_REQUEST, _TWO_CLIENTS)
        self.address = client or self.address
        why = self._connections.move(self._place, self.address.place)
        if why is not None:
            return self.respond(why.status, f"{why.sentence}\n")
        self._place = self.address.place
        turn = self._connections.arrivals.turn(self._place)
        if turn is not None:
            self.transport.pause_reading()  # a client that hangs up now keeps the place
            await asyncio.wait([turn])
            self.transport.resume_reading()
        return None

    @contextlib.contextmanager
    def heard_by(self, hear: Callable[[str], bool]) -> Iterator[None]:
        """Have each message taken at once; queue those for which ``hear`` is False."""
        self._hear = hear
        try:
            yield
        finally:
            self._hear = None

    @property
    def is_turned_away(self) -> bool:
        """Whether room was asked for, and there was none."""
        return self._turned_away is not None

    def end_unbegun(self) -> None:
        """Give the place free, if the connection was never made."""
        if not self._has_begun:
            self._leave()

    def data_received(self, data: bytes) -> None:
        """Take in the bytes that came."""
        if self._parting is not None:
            self._parting.close()
            return
        if self._is_heard_alone(data):
            return
        super().data_received(data)
        if self.protocol.close_expected():
            self._end_in_time()

    def eof_received(self) -> None:
        """Note that the client says no more."""
        if self._parting is None:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place free."""
        if self._parting is not None:
            self._turning_away.end(self._parting)
            return
        if self._end is not None:
            self._end.cancel()
        self._leave()
        sent = self.protocol.close_sent
        if sent is not None and sent.reason == _NO_PONG:  # the library tells nobody
            extra = {"address": self.address.shown}
            _log.info("dropped, it answers no ping", extra=extra)
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self._place is not None:
            self._connections.leave(self._place)
            self._place = None

    def process_event(self, event: Event) -> None:
        """Look at one frame, and queue it unless it is heard at once."""
        if self._end is not None:
            return  # it is being closed, for a frame of the same chunk
        if isinstance(event, Frame):
            self._count(event)
            if self._is_heard(event):
                return
        super().process_event(event)

    def _is_heard(self, frame: Frame) -> bool:
        """Whether a frame was taken at once, for which no task has to be woken."""
        is_message = frame.opcode is Opcode.TEXT and frame.fin
        if self._hear is None or not is_message or len(self.recv_messages.frames):
            return False
        try:
            text = bytes(frame.data).decode()
        except UnicodeDecodeError:
            return False  # the library ends the connection, once it reads that
        return self._hear(text)

    def _is_heard_alone(self, data: bytes) -> bool:
        """Whether these bytes were one message, which was taken at once."""
        if (
            self._hear is None
            or self._end is not None
            or len(self.recv_messages.frames)
        ):
            return False
        text = lone_text(self.protocol, data)
        return text is not None and self._hear(text)

    def _count(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.PING, Opcode.PONG):
            if self._pings.spend(self.loop.time()) < 0:
                self._fail(CloseCode.TOO_FAST, _PINGS)
        elif frame.fin:
            self._pieces = 0
        else:
            self._pieces += 1
            if self._pieces >= self._limits.pieces:
                self._fail(CloseCode.TOO_BIG, _PIECES)

    def _fail(self, code: CloseCode, sentence: str) -> None:
        self.protocol.fail(code, sentence)
        self.send_data()
        self._end_in_time()

    def _end_in_time(self) -> None:
        """Drop the connection soon, if it has not ended in order by then."""
        if self._end is None:
            seconds = self._limits.close_seconds
            self._end = self.loop.call_later(seconds, self.transport.abort)


_BETWEEN_FRAMES = StreamReader.at_eof.__code__
"""The place of the library's parser that waits for the first byte of a frame."""


def lone_text(protocol: ServerProtocol, data: bytes) -> str | None:
    """Return the text of a message that came in one frame and alone, as they do.

    The library would take ten times as long. It reads all else, for which this returns
    None: what came before is not read to its end, is in pieces or closes the line; or
    the bytes are no whole, masked frame of text in bounds (RFC 6455, 5.2).
    """
    if protocol.close_sent is not None or protocol.debug or len(data) < 8:
        return None
    waits: Any = protocol.parser
    while waits.gi_yieldfrom is not None:
        waits = waits.gi_yieldfrom
    if waits.gi_code is not _BETWEEN_FRAMES or protocol.current_size is not None:
        return None
    head, size, start = data[0], data[1] - 0x80, 6
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 8
    most = protocol.max_message_size
    if head != 0x81 or len(data) != start + size or (most is not None and size > most):
        return None
    try:
        return apply_mask(data[start:], data[start - 4 : start]).decode()
    except UnicodeDecodeError:
        return None
