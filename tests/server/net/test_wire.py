"""Our reading of what a client sends, beside the library's, byte for byte."""

from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN, Event
from websockets.server import ServerProtocol

from bj_server.net.limits import Limits
from bj_server.net.wire import Wire

MOST = 300
LIMITS = Limits(message_bytes=MOST, pieces=1000)
ORIGINS = [None]
REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PINGED = (Opcode.PING, b"", True)
SIZES = some.sampled_from((0, 1, 5, 40, 124, 125, 126, 127, 200, MOST, MOST + 1))


def framed(
    head: int, data: bytes, mask: bytes, extra: int, *, is_masked: bool = True
) -> bytes:
    """Return a frame, its size written in as many more bytes as a client likes."""
    more = max(extra, 2 if len(data) > 125 else 0)
    first = {0: len(data), 2: 126, 8: 127}[more]
    size = bytes([first]) + (len(data).to_bytes(more, "big") if more else b"")
    if not is_masked:
        return bytes([head]) + size + data
    hidden = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
    return bytes([head, size[0] | 0x80]) + size[1:] + mask + hidden


texts = SIZES.flatmap(
    lambda size: some.one_of(
        some.just("x" * size), some.just("\u00e9" * (size // 2) + "x" * (size % 2))
    )
).map(str.encode)
masks = some.binary(min_size=4, max_size=4)
extras = some.sampled_from((0, 0, 0, 2, 8))
plain = some.builds(framed, some.just(0x81), texts, masks, some.just(0))
odd = some.one_of(
    some.builds(framed, some.just(0x81), texts, masks, extras),
    some.builds(
        framed, some.sampled_from((0x01, 0x00, 0x80, 0x82, 0x02)), texts, masks, extras
    ),
    some.builds(
        framed,
        some.sampled_from((0x89, 0x8A, 0x88)),
        some.sampled_from((b"", b"ping", b"\x03\xe8", b"\x03\xe8bye", b"x" * 126)),
        masks,
        extras,
    ),
    some.builds(framed, some.just(0x81), some.binary(max_size=9), masks, some.just(0)),
    some.builds(
        framed, some.integers(0, 255), texts, masks, extras, is_masked=some.booleans()
    ),
    some.binary(max_size=20),
)
streams = some.lists(some.one_of(plain, plain, plain, odd), max_size=12).map(b"".join)


@dataclass
class Heard:
    """What one end has heard, said, and made of it."""

    events: list[object] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)
    end: tuple[object, ...] = ()
    pieces: list[Frame] = field(default_factory=list, compare=False)

    def note(self, event: Event | str | bytes) -> None:
        """Note a message, or what is no part of one."""
        match event:
            case str() | bytes():
                self.events.append(event)
            case Frame(opcode=Opcode.TEXT | Opcode.BINARY | Opcode.CONT):
                self.pieces.append(event)
                if event.fin:
                    data = b"".join(piece.data for piece in self.pieces)
                    is_text = self.pieces[0].opcode is Opcode.TEXT
                    self.pieces.clear()
                    self.events.append(data.decode() if is_text else data)
            case Frame():
                self.events.append((event.opcode, bytes(event.data), event.fin))
            case _:
                self.events.append(type(event))

    def finish(self, protocol: ServerProtocol) -> None:
        self.said += protocol.data_to_send()
        self.end = (protocol.state, protocol.close_sent, protocol.close_rcvd)


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    ends = [0, *sorted({place % (len(stream) + 1) for place in places}), len(stream)]
    return [stream[a:b] for a, b in pairwise(ends) if a < b]


def ours(
    parts: list[bytes], close_at: int = -1, *, is_refused: bool = False
) -> tuple[Heard, int]:
    """Return what we hear, and how much of it by the short way."""
    wire, heard, short = Wire(ORIGINS, LIMITS), Heard(), 0
    for number, part in enumerate(parts):
        text = wire.lone_text(part)
        short += text is not None
        if text is None:
            wire.receive(part)
        events = list(wire.heard()) if text is None else [text]
        for event in events:
            heard.note(event)
            if isinstance(event, Request) and not wire.eof_sent:
                wire.send_response(answer(wire, event, is_refused))
        if number == close_at and wire.state is OPEN:
            wire.send_close(CloseCode.NORMAL_CLOSURE, "bye")
            wire.is_plain = False
    heard.finish(wire)
    return heard, short


def the_librarys(
    parts: list[bytes], close_at: int = -1, *, is_refused: bool = False
) -> Heard:
    """Return what the library hears, which leaves it to its user to look at text."""
    protocol, heard = ServerProtocol(origins=ORIGINS, max_size=MOST), Heard()
    for number, part in enumerate(parts):
        protocol.receive_data(part)
        events = protocol.events_received()
        try:
            for event in events:
                heard.note(event)
        except UnicodeDecodeError as error:
            reason = f"{error.reason} at position {error.start}"
            protocol.fail(CloseCode.INVALID_DATA, reason)
        for event in events:
            if isinstance(event, Request) and not protocol.eof_sent:
                protocol.send_response(answer(protocol, event, is_refused))
        if number == close_at and protocol.state is OPEN:
            protocol.send_close(CloseCode.NORMAL_CLOSURE, "bye")
    heard.finish(protocol)
    return heard


def answer(protocol: ServerProtocol, request: Request, is_refused: bool) -> Response:
    response = protocol.reject(403, "no") if is_refused else protocol.accept(request)
    response.headers = Headers()  # which have the time
    return response


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    stream=streams,
    places=some.lists(some.integers(0, 4000), max_size=8),
    close_at=some.sampled_from((-1, -1, -1, 0, 2, 4)),
)
def test_we_hear_what_the_library_hears(
    stream: bytes, places: list[int], close_at: int
) -> None:
    parts = [REQUEST, *cut(stream, places)]
    mine, _ = ours(parts, close_at)
    assert mine == the_librarys(parts, close_at)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    stream=streams,
    places=some.lists(some.integers(0, 400), max_size=5),
    change=some.tuples(some.integers(0, len(REQUEST) - 1), some.integers(0, 255)),
    is_changed=some.booleans(),
    is_refused=some.booleans(),
)
def test_a_request_may_come_in_parts_and_with_what_follows_it(
    stream: bytes,
    places: list[int],
    change: tuple[int, int],
    is_changed: bool,
    is_refused: bool,
) -> None:
    request = bytearray(REQUEST)
    if is_changed:
        request[change[0]] = change[1]
    parts = cut(bytes(request) + stream, places)
    mine, _ = ours(parts, is_refused=is_refused)
    assert mine == the_librarys(parts, is_refused=is_refused)


@pytest.mark.parametrize("size", [0, 1, 125, 126, MOST])
def test_a_whole_message_takes_the_short_way(size: int) -> None:
    message = framed(0x81, b"x" * size, b"abcd", 0)
    ping = framed(0x89, b"", b"abcd", 0)
    parts = [REQUEST, message, message, message + ping, message[:4], message[4:]]
    mine, short = ours([*parts, message, message + message, message])
    assert short == 3
    assert mine.events == [Request, *["x" * size] * 3, PINGED, *["x" * size] * 5]


def test_nothing_takes_the_short_way_in_the_middle_of_a_message() -> None:
    first = framed(0x01, b"x", b"abcd", 0)
    last = framed(0x80, b"x", b"abcd", 0)
    whole = framed(0x81, b"x", b"abcd", 0)
    assert ours([REQUEST, first, last, whole])[1] == 1
    assert ours([REQUEST, first, whole])[1] == 0


@pytest.mark.parametrize("extra", [2, 8])
def test_a_size_that_is_written_long_is_read_as_it_is_meant(extra: int) -> None:
    message = framed(0x81, b"x" * 119, b"abcd", extra)
    assert ours([REQUEST, message, message])[0].events == [Request, *["x" * 119] * 2]
