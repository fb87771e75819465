"""Frames of RFC 6455, as far as a guest needs them; a mask of zeros hides nothing."""

from collections.abc import Iterator

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

OPENING = (
    b"GET / HTTP/1.1\r\nHost: table\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_NO_MASK = b"\0\0\0\0"


def frame(code: int, content: bytes, *, is_last: bool = True) -> bytes:
    """Return a frame of a client."""
    first = code | (0x80 if is_last else 0)
    size = len(content)
    if size < 126:
        head = bytes((first, 0x80 | size))
    elif size < 2**16:
        head = bytes((first, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, 0x80 | 127)) + size.to_bytes(8, "big")
    return head + _NO_MASK + content


class Frames:
    """Takes the bytes of a server in any pieces; the answer to the opening is first."""

    def __init__(self) -> None:
        self._rest = b""
        self.status: int | None = None
        """The status of the server's answer, once it has come."""

    def take(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Go through the frames that are complete now."""
        self._rest += data
        if self.status is None:
            head, found, rest = self._rest.partition(b"\r\n\r\n")
            if not found:
                return
            self.status = int(head.split(b" ", 2)[1])
            self._rest = rest
            if self.status != 101:
                self._rest = b""
                return
        while (size := self._size()) is not None:
            start, end = size
            whole, self._rest = self._rest[:end], self._rest[end:]
            yield whole[0] & 15, whole[start:]

    def _size(self) -> tuple[int, int] | None:
        rest = self._rest
        if len(rest) < 2:
            return None
        size, start = rest[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(rest) < start:
                return None
            size = int.from_bytes(rest[2:start], "big")
        return (start, start + size) if len(rest) >= start + size else None
