"""The connection: one client's line, from its first byte to its last.

The bytes are the wire's business; here are the bounds that the library lacks. A client
that finds no room is told so, the others say hello in time; pings cost tokens, and a
connection that is closed is gone in time, whether or not the closing frame is read. A
message is heard as it comes, or waits while its table is crowded; then no more is read
than a few of them.
"""

import asyncio
import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import CONNECTING, OPEN

from bj_protocol.refusal import CloseCode
from bj_server.net.address import Address, ContradictionError
from bj_server.net.connection_limit import PROXY, TurnedAway
from bj_server.net.limits import Bucket
from bj_server.net.wire import Wire

if TYPE_CHECKING:
    from bj_server.net.app import App
    from bj_server.net.session import Session

_log = logging.getLogger(__name__)

_FAULT = 1011
_NO_PONG = "keepalive ping timeout"
_TWO_CLIENTS = (
    "The proxy names one client in X-Forwarded-For and another in Forwarded: have it "
    "write the one, and drop the other.\n"
)
_BROKEN = "Failed to open a WebSocket connection; the server's log says why.\n"
_STOPPING = "Server is shutting down.\n"
_PINGS = "Pings came too fast; one every few seconds will do."
_PING_BURST = 20
_REASON_BYTES = 123
"""The longest reason that a closing frame can carry (RFC 6455, 5.5)."""
_PARTING_SECONDS = 1.0


class Connection(asyncio.Protocol):
    """The connection of a client, let in or not; the ``Transport`` of an outbox."""

    def __init__(
        self, app: "App", address: Address, place: str, why: TurnedAway | None
    ) -> None:
        """Count in a place until the end, unless there is a ``why`` not."""
        self._app = app
        self._limits = app.limits
        self.address = address
        self._why = why
        self._place = place if why is None else None
        self._loop = asyncio.get_running_loop()
        self._arrivals = app.accepting.connections.arrivals
        self.wait = 0.0
        """The seconds that it waits for its turn, until it begins."""
        if why is None and place != PROXY:
            self.wait = self._arrivals.seconds(place, self._loop.time())
        self.has_begun = False
        self._request: Request | None = None
        self.session: Session | None = None
        """The conversation; None until the handshake is done."""
        self._crowd: deque[str | bytes] = deque()
        """Messages that wait until there is room for them."""
        self._is_gone = False
        self._news = asyncio.Event()
        """Is set when the request or a message waits, and when it is gone."""
        self._ping: bytes | None = None
        """What the client has to send back; None if it has to send nothing."""
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def leave(self) -> None:
        """Give the place free."""
        self._app.accepting.partings.discard(self)
        if self._place is not None:
            self._app.accepting.connections.leave(self._place)
            self._place = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for a request, unless there is no room; then say so."""
        self.has_begun = True
        # uvloop's transports are not of the library's class; their shape is.
        self._transport = cast("asyncio.Transport", transport)
        self._wire = Wire(self._app.origins, self._limits)
        self._pings = Bucket(_PING_BURST, per_second=1.0, now=self._loop.time())
        self.send: Callable[[bytes], None] = self._transport.write
        self.waiting: Callable[[], int] = self._transport.get_write_buffer_size
        if self._why is not None:
            self._set("end", _PARTING_SECONDS, self.abort)
            status, sentence = self._why.status, self._why.sentence
            self._answer(self._wire.reject(status, f"{sentence}\n"))
            return
        self._set("hello", self._limits.hello_seconds, self.abort)
        self._app.begin(self)

    async def converse(self) -> None:
        """Answer the request, and have heard what waits, until the end of the line."""
        await self._news.wait()
        if self._request is not None:
            self._answer(await self._response(self._request))
        session = self.session
        while True:
            while self._crowd and session is not None:
                await session.room()
                message = self._crowd.popleft()
                if len(self._crowd) <= self._limits.frames_ahead // 4:
                    self._transport.resume_reading()
                session.received(message)
            if self._is_gone:
                return
            self._news.clear()
            await self._news.wait()

    async def _response(self, request: Request) -> Response:
        """Return the answer, when it is the turn of the client that a proxy names."""
        limits, connections = self._limits, self._app.accepting.connections
        if self._place == PROXY:
            try:
                client = limits.proxies.client(request.headers)
            except ContradictionError:
                return self._wire.reject(HTTPStatus.BAD_REQUEST, _TWO_CLIENTS)
            self.address = client or self.address
            why = connections.move(PROXY, self.address.place)
            if why is not None:
                return self._wire.reject(why.status, f"{why.sentence}\n")
            self._place = self.address.place
            wait = self._arrivals.seconds(self._place, self._loop.time())
            if wait:
                # A client that hangs up now keeps the place.
                self._transport.pause_reading()
                await self._arrivals.wait(wait)
                self._transport.resume_reading()
        if self._arrivals.is_over.is_set():
            return self._wire.reject(HTTPStatus.SERVICE_UNAVAILABLE, _STOPPING)
        return self._wire.accept(request)

    def _answer(self, response: Response) -> None:
        """Answer the request, and begin the conversation if it is accepted."""
        wire = self._wire
        if wire.state is not CONNECTING or wire.eof_sent:
            self.abort()  # it was closed before it was open
            return
        wire.send_response(response)
        self._flush()
        if wire.state is not OPEN:
            self._end_in_time()
            return
        self.session = self._app.session_of(self)
        self._set("hello", self._limits.hello_seconds, self.session.expect_hello)
        self._set("ping", self._limits.ping_seconds, self._send_ping)

    def data_received(self, data: bytes) -> None:
        """Take in the bytes that came."""
        text = self._wire.lone_text(data)
        try:
            if text is None:
                self._read(data)
            else:
                self._hear(text)
        except Exception:  # noqa: BLE001 - whatever it is, it is told and counted
            self.break_off()

    def eof_received(self) -> None:
        """Note that the client says no more; it may not hear to the end either."""
        self._wire.receive_eof()
        self._end_in_time()

    def _read(self, data: bytes) -> None:
        self._wire.receive(data)
        self._flush()
        for event in self._wire.heard():
            match event:
                case str() | bytes():
                    self._hear(event)
                case Request():
                    self._request = event
                    self._news.set()
                case Frame(opcode=Opcode.PING | Opcode.PONG):
                    if self._pings.spend(self._loop.time()) < 0:
                        self._wire.fail(CloseCode.TOO_FAST, _PINGS)
                        break
                    if event.opcode is Opcode.PONG and event.data == self._ping:
                        self._ping = None
                        wait = self._ping_at - self._loop.time()
                        self._set("ping", wait, self._send_ping)
                case _:
                    pass  # the library has answered a close
        if self._wire.close_expected():
            self._end_in_time()

    def _hear(self, message: str | bytes) -> None:
        """Have a message heard at once, unless others wait or the table is crowded."""
        session = self.session
        if session is not None and not self._crowd and session.has_room:
            session.received(message)
            return
        self._crowd.append(message)
        self._news.set()
        if len(self._crowd) > self._limits.frames_ahead:
            self._transport.pause_reading()

    def close(self, code: int, reason: str) -> None:
        """Send the closing frame after all queued ones; do not wait for its answer."""
        if self._wire.state is OPEN:
            fitting = reason.encode()[:_REASON_BYTES].decode(errors="ignore")
            self._wire.send_close(code, fitting)
            self._end_in_time()

    def break_off(self) -> None:
        """Tell of the fault of ours that is being handled, and close for it."""
        self._app.note_fault(self)
        if self.session is not None:
            self.session.close(_FAULT, "")
        else:
            self._answer(self._wire.reject(HTTPStatus.INTERNAL_SERVER_ERROR, _BROKEN))

    def abort(self) -> None:
        """Drop the connection at once."""
        self.send = _say_nothing
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place free, and end the conversation once all is heard."""
        self.send = _say_nothing
        for timer in self._timers.values():
            timer.cancel()
        self._wire.receive_eof()
        self.leave()
        self._is_gone = True
        self._news.set()

    def _flush(self) -> None:
        """Send what the library has to say; nothing follows its closing frame."""
        with contextlib.suppress(OSError, RuntimeError):  # it is gone already
            for data in self._wire.data_to_send():
                if data:
                    self._transport.write(data)
                elif self._transport.can_write_eof():
                    self._transport.write_eof()
                else:
                    self._transport.close()
        if self._wire.state > OPEN:
            self.send = _say_nothing

    def _end_in_time(self) -> None:
        """Say the last, and drop the connection soon if it does not end itself."""
        self._wire.is_plain = False
        self._flush()
        if "end" not in self._timers:
            self._set("end", self._limits.close_seconds, self.abort)

    def _send_ping(self) -> None:
        if self._wire.state is OPEN:
            self._ping = os.urandom(4)
            self._ping_at = self._loop.time() + self._limits.ping_seconds
            self._wire.send_ping(self._ping)
            self._flush()
            self._set("ping", self._limits.pong_seconds, self._miss_pong)

    def _miss_pong(self) -> None:
        if self._wire.state is OPEN:
            extra = {"address": self.address.shown}
            _log.info("dropped, it answers no ping", extra=extra)
            self._wire.fail(_FAULT, _NO_PONG)
            self._end_in_time()

    def _set(self, what: str, seconds: float, act: Callable[[], None]) -> None:
        """Have something done in so long, in place of the last one of that name."""
        if what in self._timers:
            self._timers[what].cancel()
        self._timers[what] = self._loop.call_later(seconds, act)


def _say_nothing(frames: bytes) -> None:
    """Say nothing more on a line that is being closed."""
