"""The wire: the bytes of one websocket, without a socket.

The library's protocol reads the handshake, pings, closes, pieces and every frame that
is odd in any way. A whole text frame that comes alone, as nearly all do, is read here
in a tenth of the time. To know where a frame begins, the wire follows the heads of
those that it leaves to the library; it never looks into the library to see how far that
has come.
"""

from collections.abc import Iterator, Sequence

from websockets.frames import (  # type: ignore[attr-defined]
    Frame,
    Opcode,
    apply_mask,
)
from websockets.protocol import OPEN, Event
from websockets.server import ServerProtocol
from websockets.typing import Origin

from bj_protocol.refusal import CloseCode
from bj_server.net.limits import Limits

_TEXT = 0x81
"""The first byte of a text message in one frame (RFC 6455, 5.2)."""
_END_OF_REQUEST = b"\r\n\r\n"
_NOT_TEXT = 1007
_PIECES = "The message came in too many pieces; send it in one frame."


class Wire(ServerProtocol):
    """The server's end of one websocket."""

    def __init__(self, origins: Sequence[Origin | None] | None, limits: Limits) -> None:
        """Await a request of one of the ``origins``; messages are within ``limits``."""
        super().__init__(origins=origins, max_size=limits.message_bytes)
        self._limits = limits
        self.is_plain = False
        """Whether a message may begin with the next byte."""
        self._pieces: list[Frame] = []
        self._head = b""
        """The last bytes, if they may begin a head or the end of the request."""
        self._left: int | None = None
        """The bytes that have not come of the last frame; None of the request."""

    def lone_text(self, data: bytes) -> str | None:
        """Return the text of a message that came whole, in one frame and alone.

        This is None for all else, and for all that came once the line is being closed.
        """
        if not self.is_plain or len(data) < 6 or data[0] != _TEXT:
            return None
        size, start = data[1] - 0x80, 6
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 8
        elif size > 126:
            return None
        if len(data) != start + size or size > self._limits.message_bytes:
            return None
        try:
            return apply_mask(data[start:], data[start - 4 : start]).decode()
        except UnicodeDecodeError:
            return None

    def receive(self, data: bytes) -> None:
        """Read what came; what is to be said to it is said before it is ``heard``."""
        self.is_plain = False
        self.receive_data(data)
        self._follow(data)

    def heard(self) -> Iterator[Event | str | bytes]:
        """Yield messages as such, and what is no part of one as it came."""
        for event in self.events_received():
            if not isinstance(event, Frame) or event.opcode >= Opcode.CLOSE:
                yield event
                continue
            self._pieces.append(event)
            if event.fin:
                message = self._message()
                if message is None:
                    return
                yield message
            elif len(self._pieces) >= self._limits.pieces:
                self.fail(CloseCode.TOO_BIG, _PIECES)
                return
        is_within = self._left or self._head or self._pieces
        self.is_plain = self.state is OPEN and not is_within

    def _message(self) -> str | bytes | None:
        """Return the message whose last piece has come; fail if it is not in UTF-8."""
        data = b"".join([piece.data for piece in self._pieces])
        is_text = self._pieces[0].opcode is Opcode.TEXT
        self._pieces.clear()
        try:
            return data.decode() if is_text else data
        except UnicodeDecodeError as error:
            self.fail(_NOT_TEXT, f"{error.reason} at position {error.start}")
            return None

    def _follow(self, data: bytes) -> None:
        """Find out how much is missing of the frame that came last."""
        seen, at = self._head + data, self._left
        if at is None:
            _, end, rest = seen.partition(_END_OF_REQUEST)
            if not end:
                self._head = seen[1 - len(_END_OF_REQUEST) :]
                return
            seen, at = rest, 0
        while at < len(seen):
            size = _size_of(seen[at : at + 10])
            if size is None:
                break
            at += size
        self._head, self._left = seen[at:], max(0, at - len(seen))


def _size_of(head: bytes) -> int | None:
    r"""Return the size of the masked frame that begins so; None if more is needed.

    >>> _size_of(b"\x81\x82"), _size_of(b"\x81\xfe\x01\x00"), _size_of(b"\x81\xff")
    (8, 264, None)
    """
    size = head[1] & 0x7F if len(head) > 1 else 0
    more = {126: 2, 127: 8}.get(size, 0)
    if len(head) < 2 + more:
        return None
    return 6 + more + (int.from_bytes(head[2 : 2 + more], "big") if more else size)


def frame_of(text: str) -> bytes:
    r"""Return the frame of a text; no extension is agreed on, and none is masked.

    >>> frame_of("hi")
    b'\x81\x02hi'
    """
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((_TEXT, size)) + data
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big") + data
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + data
