"""The short way of a message from the bytes to its text, beside the library's."""

import random

import pytest
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN, State
from websockets.server import ServerProtocol

from bj_server.net.bounded_connection import lone_text

MOST = 300
TEXTS = ("", "a", '{"type":"leave"}', "\u00e9" * 60, "x" * 125, "x" * 126, "x" * MOST)


def server() -> ServerProtocol:
    return ServerProtocol(state=OPEN, max_size=MOST)


def framed(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    """Return a frame as a client masks it."""
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def some_bytes(chance: random.Random) -> bytes:
    """Return what may come at once: a message mostly, or something odd."""
    text = chance.choice(TEXTS).encode()
    whole = framed(Opcode.TEXT, text)
    spoiled = bytearray(whole)
    spoiled[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    cut = chance.randrange(len(whole))
    odd = (
        whole[:cut],
        whole + whole[:cut],
        whole * 2,
        bytes(spoiled),
        chance.randbytes(chance.randrange(1, 20)),
        framed(Opcode.TEXT, text, fin=False),
        framed(Opcode.CONT, text, fin=chance.random() < 0.5),
        framed(Opcode.BINARY, text),
        framed(Opcode.PING, text[:9]),
        framed(Opcode.TEXT, b"\xff" + text[1:]),
        framed(Opcode.TEXT, b"x" * (MOST + 1)),
        framed(Opcode.CLOSE, b"\x03\xe8"),
    )
    return whole if chance.random() < 0.8 else chance.choice(odd)


@pytest.mark.parametrize("seed", range(400))
def test_the_short_way_hears_what_the_library_hears(seed: int) -> None:
    chance = random.Random(seed)
    short, library = server(), server()
    short_ways = 0
    for _ in range(20):
        data = some_bytes(chance)
        library.receive_data(data)
        heard = library.events_received()
        text = lone_text(short, data)
        if text is None:
            short.receive_data(data)
            assert short.events_received() == heard
        else:
            short_ways += 1
            assert [bytes(f.data).decode() for f in heard if isinstance(f, Frame)] == [
                text
            ]
            assert [type(event) for event in heard] == [Frame]
        assert b"".join(short.data_to_send()) == b"".join(library.data_to_send())
        assert (short.state, short.close_sent) == (library.state, library.close_sent)
    assert short_ways or library.state is not State.OPEN or short.current_size


@pytest.mark.parametrize("text", TEXTS[2:])
def test_a_message_that_came_alone_goes_the_short_way(text: str) -> None:
    assert lone_text(server(), framed(Opcode.TEXT, text.encode())) == text


def test_nothing_goes_the_short_way_once_the_line_is_being_closed() -> None:
    closing = server()
    closing.send_close(CloseCode.NORMAL_CLOSURE)
    assert lone_text(closing, framed(Opcode.TEXT, b"12345678")) is None
