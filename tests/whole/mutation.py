"""Frames that no client should send, made from those that one does."""

import json
import random
from collections.abc import Callable
from typing import Any

from support.serving import hello
from whole.raw import BINARY, CLOSE, PING, PONG, TEXT, frame

COMMANDS: list[dict[str, Any]] = [
    json.loads(hello("eve0")),
    {"type": "resync"},
    {"type": "place_bet", "prompt": 1, "amount": 1000, "spots": 1},
    {"type": "insure", "prompt": 2, "amount": 500},
    {"type": "hit", "prompt": 2},
    {"type": "split", "prompt": 2},
]
ODD: list[Any] = [None, True, False, 0, -1, 0.5, 1e300, "", "x", [], {}, [[]], 2**63]
ODD += [10**400, "\x00", "\x1b[2J", "\ud800", "ned21", {"type": "hit"}]
MOST = 16 * 1024


def mutant(random_: random.Random) -> bytes:
    """Return the bytes of one frame, or of several that make one message."""
    return random_.choice(_KINDS)(random_)


def _command(random_: random.Random) -> dict[str, Any]:
    return dict(random_.choice(COMMANDS))


def _bytes(random_: random.Random) -> bytes:
    """Change some bytes of a command's text."""
    text = bytearray(json.dumps(_command(random_)).encode())
    for _ in range(random_.randint(1, 4)):
        at = random_.randrange(len(text))
        match random_.randrange(3):
            case 0:
                text[at] = random_.randrange(128)
            case 1:
                del text[at]
            case _:
                text.insert(at, random_.randrange(128))
    return frame(bytes(text))


def _shape(random_: random.Random) -> bytes:
    """Send JSON that is no command at all."""
    value = random_.choice([*ODD, [_command(random_)], {"type": random_.choice(ODD)}])
    return frame(json.dumps(value).encode())


def _types(random_: random.Random) -> bytes:
    """Put a wrong value in a field, drop one, or add one."""
    command = _command(random_)
    name = random_.choice(list(command))
    if random_.random() < 0.2:
        del command[name]
    elif random_.random() < 0.2:
        command[random_.choice(["handle", "seat", "x", "\x1b]0;x\x07"])] = 1
    else:
        command[name] = random_.choice(ODD)
    return frame(json.dumps(command).encode())


def _depth(random_: random.Random) -> bytes:
    """Nest arrays or objects deeply."""
    depth = random_.randint(2, MOST // 6)
    opening, closing = random_.choice([("[", "]"), ('{"a":', "}"), ("[", "")])
    text = opening * depth + "1" + closing * depth
    return frame(text.encode()[: MOST + random_.randint(-2, 2)])


def _size(random_: random.Random) -> bytes:
    """Send a message about as long as one may be, or far too long."""
    size = random_.choice([MOST - 1, MOST, MOST + 1, MOST + 2, 70_000])
    command = json.dumps(_command(random_)).encode()
    filler = random_.choice([b" ", b"x", b"9", b"["])
    return frame(command.ljust(size, filler)[:size])


def _binary(random_: random.Random) -> bytes:
    payload = random_.choice(
        [b"", random_.randbytes(40), json.dumps(_command(random_)).encode()]
    )
    return frame(payload, BINARY)


def _utf8(random_: random.Random) -> bytes:
    """Put what is no UTF-8 into a text frame."""
    bad = random_.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"])
    return frame(b'{"type":"' + bad + b'"}')


def _pieces(random_: random.Random) -> bytes:
    """Send a command in pieces, in as many as there may be or in too many."""
    text = json.dumps(_command(random_)).encode()
    pieces = [text[i : i + 2] for i in range(0, len(text), 2)]
    pieces += [b""] * random_.choice([0, 0, 1, 100])
    frames = [
        frame(piece, 0 if number else TEXT, fin=number == len(pieces) - 1)
        for number, piece in enumerate(pieces)
    ]
    if random_.random() < 0.2:
        frames.insert(1, frame(b"x", random_.choice([PING, PONG, TEXT])))
    return b"".join(frames)


def _header(random_: random.Random) -> bytes:
    """Break the rules for frames themselves."""
    payload = json.dumps(_command(random_)).encode()
    match random_.randrange(5):
        case 0:
            return frame(payload, bits=random_.randint(1, 7))
        case 1:
            return frame(payload, random_.choice([3, 7, 11, 15]))
        case 2:
            return frame(payload, is_masked=False)
        case 3:
            return frame(b"x" * 126, random_.choice([PING, PONG, CLOSE]))
        case _:
            return frame(b"x", random_.choice([PING, PONG, CLOSE]), fin=False)


def _close(random_: random.Random) -> bytes:
    """Close in order, which is echoed, or with a code that is none."""
    code = random_.choice([0, 999, 1000, 1005, 1006, 1015, 2999, 5000, 65535])
    tail = random_.choice([b"", b"bye", b"\xff\xfe"])
    return frame(random_.choice([b"x", code.to_bytes(2, "big") + tail]), CLOSE)


_KINDS: list[Callable[[random.Random], bytes]] = [
    *[_bytes, _shape, _types] * 6,
    *[_depth, _size, _binary, _utf8, _pieces, _header, _close],
]
