"""Orders: what a program tells the client to say, a command on each line."""

import asyncio
from collections import deque

from bj_client.reader import Reader
from bj_client.source import EndOfInput
from bj_protocol.codec import BadMessage, decode_command
from bj_protocol.commands import Command, Hello, Link, Watch

_LONGEST = 16_384
"""Bytes of a line, as many as the server takes."""


class Orders:
    """The lines of a file descriptor, as bytes without their ends."""

    def __init__(self, descriptor: int | None) -> None:
        """Read ``descriptor``; None is an input that was closed from the start."""
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._ended = descriptor is None
        self._stirred = asyncio.Event()
        self._reader = None if descriptor is None else Reader(descriptor, self._feed)

    async def read(self) -> bytes:
        """Return the next line, cut somewhere if it is too long for a command.

        Raises:
            EndOfInput: when nothing more will come.
        """
        while not self._lines:
            if self._ended or self._reader is None:
                raise EndOfInput
            self._stirred.clear()
            self._reader.want()
            await self._stirred.wait()
        return self._lines.popleft()

    def _feed(self, data: bytes) -> None:
        *whole, rest = (self._rest + data).split(b"\n")
        if not data:
            self._ended = True
            whole, rest = [rest] if rest else [], b""
        self._lines.extend(line[: _LONGEST + 1] for line in whole)
        self._rest = rest[: _LONGEST + 1]
        self._stirred.set()


def read_order(line: bytes) -> Command:
    """Read a line as a command that a program may give.

    >>> read_order(b'{"type": "hit", "prompt": 7}')
    Hit(prompt=7, type=<Action.HIT: 'hit'>)

    Raises:
        BadMessage: with a sentence, if it is none.
    """
    if len(line) > _LONGEST:
        raise BadMessage(f"The line has more than {_LONGEST} bytes: shorten it.")
    command = decode_command(line)
    if isinstance(command, Hello | Watch):
        raise BadMessage(
            f"bj-client has said {command.type} already: leave it out, and name the "
            "handle and the table on the command line."
        )
    if isinstance(command, Link) or getattr(command, "commitment", None) is not None:
        raise BadMessage(
            "bj-client commits the bets and sends the links by itself: leave that out."
        )
    return command
