"""The connection: a line to a server that carries commands and messages.

Owns the socket once ``opening`` has made it, and turns every failure into a
``ClientError``. Knows nothing of the table: numbering and gaps are the business of
``follow``. A small pump reads ahead, so that the time at which a
message arrived is true even while the screen is still busy with the one before.
"""

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import Self

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from bj_client.error import (
    ClientError,
    HelloRefusedError,
    KeyRefusedError,
    LineLostError,
    MuteServerError,
    NotOurServerError,
    SentAwayError,
    StoodUpError,
    TakenOverError,
    UnreachableError,
    VersionMismatchError,
)
from bj_client.net.address import Address
from bj_client.net.opening import open_line
from bj_client.words.text import printable
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import MessageError, decode_message, encode
from bj_protocol.commands import Command, Hello, ListTables, Watch
from bj_protocol.messages import Message, Refused, Snapshot, TableList
from bj_protocol.refusal import CloseCode, RefusalCode

HELLO_SECONDS = 10.0
"""How long the server may take to answer the hello."""

_FINAL = {
    CloseCode.LEFT,
    *(1002, 1003, 1007, 1008),  # a frame of ours breaks the rules of websockets
    CloseCode.TOO_BIG,
    CloseCode.REFUSED,
    CloseCode.BAD_MESSAGES,
    CloseCode.NO_HELLO,
}
"""Closes after which the same client would fare no better."""
_ABOUT_KEYS = {RefusalCode.BAD_KEY, RefusalCode.KEY_NEEDED, RefusalCode.WRONG_KEY}
_REMEDIES = {
    RefusalCode.CODE_NEEDED: " Give it with --code.",
    RefusalCode.NO_SUCH_TABLE: " See them with --list-tables.",
}
_Answer = Snapshot | TableList
_AHEAD = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message and the loop's time at which it came."""

    message: Message
    at: float
    text: str = ""
    """As it came."""
    is_ours: bool = False
    """Whether it did not come at all, but is a message of this client itself."""


class Connection:
    """One open line. Build it with ``open``, then ``join``, then ``receive``."""

    def __init__(self, socket: ClientConnection, address: Address) -> None:
        """Wrap an open socket."""
        self._socket = socket
        self._address = address
        self._handle = ""
        self._arrivals: asyncio.Queue[Arrival | ClientError] = asyncio.Queue(_AHEAD)
        self._pump: asyncio.Task[None] | None = None
        self.first_text = ""
        """The answer to the hello, as it came."""

    @classmethod
    async def open(cls, address: Address) -> Self:
        """Connect to a server.

        Raises:
            UnreachableError: if nothing answers there in time, or not as a websocket,
                or the server has no room.
            UntrustedError: if the certificate is not the one to trust.
        """
        return cls(await open_line(address), address)

    async def join(self, hello: Hello | Watch) -> Snapshot:
        """Say hello, or that we only watch, and return the picture of the table.

        Raises:
            ClientError: if the server refuses, is of another version, is mute, or is no
                blackjack server.
        """
        self._handle = hello.handle if isinstance(hello, Hello) else ""
        snapshot = await self._answer_to(hello)
        if not isinstance(snapshot, Snapshot):
            raise NotOurServerError(self._address.shown)
        self._pump = asyncio.create_task(self._read_ahead())
        return snapshot

    async def tables(self) -> TableList:
        """Ask which tables there are.

        Raises:
            ClientError: if the server is of another version, is mute, or is no
                blackjack server.
        """
        tables = await self._answer_to(ListTables(version=PROTOCOL_VERSION))
        if not isinstance(tables, TableList):
            raise NotOurServerError(self._address.shown)
        return tables

    async def _answer_to(self, first: Hello | Watch | ListTables) -> _Answer:
        await self.send(first)
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._socket.recv()
        except TimeoutError:
            raise MuteServerError(self._address.shown) from None
        except ConnectionClosed as closed:
            raise self._unanswered(closed) from None
        self.first_text = text if isinstance(text, str) else ""
        return self._first(text)

    async def receive(self) -> Arrival:
        """Return the next message.

        Raises:
            ClientError: once the connection is over; every later call raises it again.
        """
        arrival = await self._arrivals.get()
        if isinstance(arrival, ClientError):
            self._arrivals.put_nowait(arrival)
            raise arrival
        return arrival

    @property
    def waiting(self) -> int:
        """The number of messages that have arrived and were not received yet."""
        return self._arrivals.qsize()

    async def send(self, command: Command) -> None:
        """Send a command; a broken line is reported by ``receive``."""
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(encode(command))

    async def echo(self, message: Message) -> None:
        """Have ``receive`` return a message of the client itself."""
        at = asyncio.get_running_loop().time()
        await self._arrivals.put(Arrival(message=message, at=at, is_ours=True))

    async def close(self) -> None:
        """Close the line; harmless when it is closed already."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        await self._socket.close()

    def _first(self, text: str | bytes) -> _Answer:
        try:
            message = decode_message(text)
        except MessageError:
            raise self._unreadable(text) from None
        match message:
            case Snapshot() | TableList() if message.version != PROTOCOL_VERSION:
                raise VersionMismatchError(message.version)
            case Snapshot() | TableList():
                return message
            case Refused(code=RefusalCode.VERSION_MISMATCH):
                raise VersionMismatchError(None, printable(message.text))
            case Refused(code=code) if code in _ABOUT_KEYS:
                raise KeyRefusedError(self._handle)
            case Refused(code=code):
                sentence = printable(message.text) + _REMEDIES.get(code, "")
                is_passing = code is RefusalCode.BANK_STALLED
                raise HelloRefusedError(sentence, is_passing=is_passing)
            case _:
                raise NotOurServerError(self._address.shown)

    def _unreadable(self, text: str | bytes) -> ClientError:
        """Find out whether an unreadable answer comes from another version."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            return NotOurServerError(self._address.shown)
        if not isinstance(fields, dict):
            return NotOurServerError(self._address.shown)
        version = fields.get("version")
        if type(version) is int and version != PROTOCOL_VERSION:
            return VersionMismatchError(version)
        if fields.get("code") == RefusalCode.VERSION_MISMATCH:
            return VersionMismatchError(None, printable(str(fields.get("text", ""))))
        return NotOurServerError(self._address.shown)

    def _unanswered(self, closed: ConnectionClosed) -> ClientError:
        code, reason = _closing(closed)
        if code == CloseCode.REFUSED and reason:
            return HelloRefusedError(reason)
        if code == CloseCode.TAKEN_OVER:
            return TakenOverError(self._handle)
        if code == CloseCode.SERVER_STOPPING:
            return UnreachableError(self._address.shown)
        return NotOurServerError(self._address.shown)

    async def _read_ahead(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                text = await self._socket.recv()
                message = decode_message(text)
                await self._arrivals.put(
                    Arrival(
                        message=message,
                        at=loop.time(),
                        text=text if isinstance(text, str) else "",
                    )
                )
        except ConnectionClosed as closed:
            await self._arrivals.put(_ended(closed, self._handle))
        except MessageError:
            await self._arrivals.put(
                LineLostError(
                    "The server said something that this bj-client cannot read",
                    "update the older of the two and join again",
                    is_final=True,
                )
            )


def _closing(closed: ConnectionClosed) -> tuple[int, str]:
    frame = closed.rcvd
    return (1006, "") if frame is None else (frame.code, printable(frame.reason))


def _ended(closed: ConnectionClosed, handle: str) -> ClientError:
    code, reason = _closing(closed)
    match code:
        case CloseCode.TAKEN_OVER:
            return TakenOverError(handle)
        case CloseCode.SERVER_STOPPING:
            return LineLostError(
                "The server is stopping",
                "balances and stakes are safe with its bank, so join again once it "
                "is back",
            )
        case CloseCode.TOO_SLOW:
            return LineLostError(
                "The server closed the connection because this client read too slowly",
                "join again",
            )
        case CloseCode.IDLE:
            return StoodUpError(handle)
        case CloseCode.SENT_AWAY:
            return SentAwayError(handle)
        case CloseCode.TABLE_CLOSED:
            return LineLostError(
                reason.rstrip(".") or "The host has closed the table",
                "--list-tables shows the others",
                is_final=True,
            )
        case CloseCode.LEFT:
            return LineLostError(
                "The server closed the connection",
                "join again to play on",
                is_final=True,
            )
        case 1006:
            return LineLostError()
        case _:
            why = f" ({reason.rstrip('.')})" if reason else ""
            return LineLostError(
                f"The server closed the connection{why}",
                "join again to play on",
                is_final=code in _FINAL,
            )
