"""A websocket client that sends whatever it is told to, and reads what comes back."""

import asyncio
import json
import re
import struct
from pathlib import Path
from typing import Any, Self

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_MASK = bytes.fromhex("37fa213d")
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

_PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"
_CODES = re.findall(r"^\| (\d{4}) \|", _PROTOCOL.read_text(), re.MULTILINE)
DOCUMENTED = frozenset(map(int, _CODES))
"""The close codes of which docs/protocol.md tells."""


class Closed(Exception):
    """The server has closed the line; ``code`` is None where it gave none."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


def address(uri: str) -> tuple[str, int]:
    """Return host and port of an address like ws://host:port, or host:port."""
    host, _, port = uri.removeprefix("ws://").partition(":")
    return host, int(port)


def frame(
    payload: bytes,
    opcode: int = TEXT,
    *,
    fin: bool = True,
    bits: int = 0,
    is_masked: bool = True,
) -> bytes:
    """Return one frame of a client; ``bits`` are the reserved ones, 0 to 7."""
    first = fin << 7 | bits << 4 | opcode
    mask = _MASK if is_masked else b""
    high = is_masked << 7
    if len(payload) < 126:
        head = struct.pack("!BB", first, high | len(payload))
    elif len(payload) < 2**16:
        head = struct.pack("!BBH", first, high | 126, len(payload))
    else:
        head = struct.pack("!BBQ", first, high | 127, len(payload))
    return head + mask + _masked(payload, mask)


def _masked(payload: bytes, mask: bytes) -> bytes:
    if not mask:
        return payload
    size = len(payload)
    key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


class RawLine:
    """One connection after its handshake."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, uri: str) -> Self:
        reader, writer = await asyncio.open_connection(*address(uri))
        writer.write(REQUEST)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        return cls(reader, writer)

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)

    async def hear(self) -> dict[str, Any]:
        """Return the next message.

        Raises:
            Closed: if the line is closed instead.
        """
        while True:
            opcode, payload = await self._next()
            if opcode == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                raise Closed(code)
            if opcode == TEXT:
                message: dict[str, Any] = json.loads(payload)
                return message

    async def reply(self) -> dict[str, Any]:
        """Return the next message that is for this line alone.

        Raises:
            Closed: if the line is closed instead.
        """
        while (message := await self.hear())["type"] == "update":
            pass
        return message

    async def _next(self) -> tuple[int, bytes]:
        try:
            first, size = await self.reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 15, await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Closed(None) from None

    def drop(self) -> None:
        """Break the line off."""
        self.writer.transport.abort()
