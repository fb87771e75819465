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
from typing import Self, TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from bj_client.error import (
    ClientError,
    HelloRefusedError,
    KeyRefusedError,
    LineLostError,
    MovedError,
    SentAwayError,
    StoodUpError,
    TakenOverError,
    UnreachableError,
    Unreached,
    VersionMismatchError,
)
from bj_client.net.address import Address
from bj_client.net.opening import open_line
from bj_client.words.text import printable
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import MessageError, decode_message, encode
from bj_protocol.commands import Command, Hello, ListTables, Watch
from bj_protocol.messages import Message, Moved, Refused, Snapshot, TableList
from bj_protocol.refusal import CloseCode, RefusalCode

HELLO_SECONDS = 10.0

_FINAL = {
    CloseCode.LEFT,
    *(1002, 1003, 1007, 1008),  # a frame of ours breaks the rules of websockets
    CloseCode.TOO_BIG,
    CloseCode.REFUSED,
    CloseCode.BAD_MESSAGES,
    CloseCode.NO_HELLO,
    CloseCode.TABLE_CLOSED,
}
"""Closes after which the same client would fare no better."""
_SEAT_LOST: dict[int, type[ClientError]] = {
    CloseCode.TAKEN_OVER: TakenOverError,
    CloseCode.IDLE: StoodUpError,
    CloseCode.SENT_AWAY: SentAwayError,
}
_SAID: dict[int, tuple[str, str]] = {
    CloseCode.SERVER_STOPPING: (
        "The server is stopping",
        "balances and stakes are safe with its bank, so join again once it is back",
    ),
    CloseCode.TOO_SLOW: (
        "The server closed the connection because this client read too slowly",
        "join again",
    ),
    CloseCode.TABLE_CLOSED: (
        "The host has closed the table",
        "--list-tables shows the others",
    ),
}
"""The sentences about some closes, each with the remedy."""
_ABOUT_KEYS = {RefusalCode.BAD_KEY, RefusalCode.KEY_NEEDED, RefusalCode.WRONG_KEY}
_REMEDIES = {
    RefusalCode.CODE_NEEDED: " Give it with --code.",
    RefusalCode.NO_SUCH_TABLE: " See them with --list-tables.",
}
_Answer = TypeVar("_Answer", Snapshot, TableList)
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
    """One open line. Build it with ``open``, then ``join``, then ``receive``.

    Raises:
        ClientError: from each of these, if the server refuses, is of another version,
            is mute, or is no blackjack server.
    """

    def __init__(self, socket: ClientConnection, address: Address) -> None:
        self._socket = socket
        self._address = address
        self._handle = ""
        self._arrivals: asyncio.Queue[Arrival | ClientError] = asyncio.Queue(_AHEAD)
        self._pump: asyncio.Task[None] | None = None
        self.first_text = ""
        """The answer to the hello, as it came."""

    @classmethod
    async def open(cls, address: Address) -> Self:
        """Connect to a server; raise what ``open_line`` does."""
        return cls(await open_line(address), address)

    async def join(self, hello: Hello | Watch) -> Snapshot:
        """Say hello, or that we only watch, and return the picture of the table."""
        self._handle = hello.handle if isinstance(hello, Hello) else ""
        snapshot = await self._answer_to(hello, Snapshot)
        self._pump = asyncio.create_task(self._read_ahead())
        return snapshot

    async def tables(self) -> TableList:
        """Ask which tables there are."""
        return await self._answer_to(ListTables(version=PROTOCOL_VERSION), TableList)

    async def _answer_to(
        self, first: Hello | Watch | ListTables, kind: type[_Answer]
    ) -> _Answer:
        await self.send(first)
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._socket.recv()
        except TimeoutError:
            raise UnreachableError(self._address.shown, Unreached.MUTE) from None
        except ConnectionClosed as closed:
            raise self._unanswered(closed) from None
        self.first_text = text if isinstance(text, str) else ""
        answer = self._first(text)
        if not isinstance(answer, kind):
            raise self._not_ours()
        return answer

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

    def _first(self, text: str | bytes) -> Snapshot | TableList:
        try:
            message = decode_message(text)
        except MessageError:
            raise self._unreadable(text) from None
        match message:
            case Snapshot() | TableList() | Moved() if (
                message.version != PROTOCOL_VERSION
            ):
                raise VersionMismatchError(message.version)
            case Snapshot() | TableList():
                return message
            case Moved(address=address, table=table):
                raise MovedError(address, table)
            case Refused(code=RefusalCode.VERSION_MISMATCH):
                raise VersionMismatchError(None, printable(message.text))
            case Refused(code=code) if code in _ABOUT_KEYS:
                raise KeyRefusedError(self._handle, None)
            case Refused(code=code):
                sentence = printable(message.text) + _REMEDIES.get(code, "")
                is_passing = code is RefusalCode.BANK_STALLED
                raise HelloRefusedError(sentence, is_passing=is_passing)
            case _:
                raise self._not_ours()

    def _not_ours(self) -> ClientError:
        return UnreachableError(self._address.shown, Unreached.NOT_OURS)

    def _unreadable(self, text: str | bytes) -> ClientError:
        """Find out whether an unreadable answer comes from another version."""
        fields = None
        with contextlib.suppress(ValueError, RecursionError):
            fields = json.loads(text)
        if isinstance(fields, dict):
            version = fields.get("version")
            if type(version) is int and version != PROTOCOL_VERSION:
                return VersionMismatchError(version)
            if fields.get("code") == RefusalCode.VERSION_MISMATCH:
                said = printable(str(fields.get("text", "")))
                return VersionMismatchError(None, said)
        return self._not_ours()

    def _unanswered(self, closed: ConnectionClosed) -> ClientError:
        code, reason = _closing(closed)
        if code == CloseCode.REFUSED and reason:
            return HelloRefusedError(reason)
        if code == CloseCode.TAKEN_OVER:
            return TakenOverError(self._handle)
        if code == CloseCode.SERVER_STOPPING:
            return UnreachableError(self._address.shown)
        return self._not_ours()

    async def _read_ahead(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                text = await self._socket.recv()
                message = decode_message(text)
                said = text if isinstance(text, str) else ""
                arrival = Arrival(message=message, at=loop.time(), text=said)
                await self._arrivals.put(arrival)
        except ConnectionClosed as closed:
            await self._arrivals.put(_ended(closed, self._handle))
        except MessageError:
            why = "The server said something that this bj-client cannot read"
            remedy = "update the older of the two and join again"
            await self._arrivals.put(LineLostError(why, remedy, is_final=True))


def _closing(closed: ConnectionClosed) -> tuple[int, str]:
    frame = closed.rcvd
    return (1006, "") if frame is None else (frame.code, printable(frame.reason))


def _ended(closed: ConnectionClosed, handle: str) -> ClientError:
    code, reason = _closing(closed)
    if code in _SEAT_LOST:
        return _SEAT_LOST[code](handle)
    if code == 1006:
        return LineLostError()
    why, remedy = _SAID.get(
        code, ("The server closed the connection", "join again to play on")
    )
    if code == CloseCode.TABLE_CLOSED:
        why = reason.rstrip(".") or why
    elif reason and code != CloseCode.LEFT and code not in _SAID:
        why += f" ({reason.rstrip('.')})"
    return LineLostError(why, remedy, is_final=code in _FINAL)
