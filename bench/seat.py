"""A scripted seat: a client over raw frames that costs the bench as little as it can.

It speaks just enough of RFC 6455: its mask is zero, and it reads whole frames without
parsing them, for what a client takes is time in which a slow server looks fast. It
bets, has a part in each draw, stands, and declines the rest.
"""

import asyncio
import base64
import json
import random
import re
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from bj_protocol.proof import bet_commitment, next_head

_HEADER_END = b"\r\n\r\n"
_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
"""The first bytes of whole frames."""


@dataclass(eq=False)
class Load:
    """All seats of a run: how they play, and what is counted meanwhile."""

    think: float = 0.0
    """The mean of the seconds before an answer."""
    is_going: bool = False
    """Whether seats answer; until then their answers wait."""
    rounds: int = 0
    """The rounds that have ended at any table."""
    waits: list[float] = field(default_factory=list)
    """The seconds from an answer to the next frame."""
    held: deque[tuple["Seat", bytes]] = field(default_factory=deque)
    heard: list[bytes] | None = None
    """The frames of the first seat; None if they are not kept."""

    def go(self) -> None:
        """Let the answers out that wait, and all others at once."""
        self.is_going = True
        while self.held:
            seat, answer = self.held.popleft()
            seat.say(answer)


class Seat(asyncio.Protocol):
    """One seat at a table; the first one of a table counts its rounds."""

    def __init__(self, load: Load, table: str, number: int) -> None:
        """Prepare to join ``table``."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._load, self._is_first = load, number == 0
        self._handle = f"{table}-{number}"
        key = secrets.token_urlsafe(32)
        who = {"table": table, "handle": self._handle, "key": key}
        self._hello = json.dumps({"type": "hello", "version": 2, **who}).encode()
        self._link = secrets.token_hex(32)
        self._head = self._seal = ""
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._is_open = False
        self._seat = 0
        self._ask: re.Pattern[bytes] | None = None
        self._prompt = b""
        self._asked_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the websocket."""
        # uvloop's transports are not of the library's class; only their shape counts.
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(bytes(16)).decode()
        self._transport.write(
            f"GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        """Fail if there was no seat yet."""
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("the line was closed"))

    def data_received(self, data: bytes) -> None:
        """Read as many frames as have come."""
        buffer = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, found, rest = buffer.partition(_HEADER_END)
            if not found:
                self._buffer = buffer
                return
            assert b" 101 " in head, head
            self._is_open, buffer = True, rest
            self._send(self._hello)
        at, size = 0, len(buffer)
        while size - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length >= 126:
                start += 2 if length == 126 else 8
                length = int.from_bytes(buffer[at + 2 : start], "big")
            if size < start + length:
                break
            self._frame(buffer[at], buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def leave(self) -> None:
        """Drop the line."""
        assert self._transport is not None
        self._transport.abort()

    def say(self, answer: bytes, *, thinks: bool = True) -> None:
        """Answer once the load goes, after some thought unless a program answers."""
        load = self._load
        if not load.is_going:
            load.held.append((self, answer))
        elif load.think and thinks:
            delay = random.expovariate(1 / load.think)
            asyncio.get_running_loop().call_later(delay, self.answer, answer)
        else:
            self._send(answer)

    def answer(self, answer: bytes) -> None:
        """Answer, and note when, unless the line was dropped meanwhile."""
        assert self._transport is not None
        if not self._transport.is_closing():
            self._asked_at = time.perf_counter()
            self._send(answer)

    def _send(self, payload: bytes) -> None:
        size = len(payload)
        head = bytes([_TEXT, 0x80 | size]) if size < 126 else b"\x81\xfe"
        head += size.to_bytes(2, "big") if size >= 126 else b""
        assert self._transport is not None
        self._transport.write(head + bytes(4) + payload)

    def _frame(self, first: int, payload: bytes) -> None:
        if first == _TEXT:
            self._heard(payload)
        elif first == _PING:
            assert self._transport is not None
            head = bytes([_PONG, 0x80 | len(payload)])
            self._transport.write(head + bytes(4) + payload)
        else:
            assert first != _CLOSE, payload

    def _heard(self, frame: bytes) -> None:
        load = self._load
        if self._asked_at:
            load.waits.append(time.perf_counter() - self._asked_at)
            self._asked_at = 0.0
        if self._is_first and load.heard is not None:
            load.heard.append(frame)
        if self._ask is None:
            self._sit(json.loads(frame))
        elif b'"update"' in frame[:40]:
            self._head = next_head(self._head, frame)
            if b'"betting_opened"' in frame or b'"bets_closed"' in frame:
                self._follow(json.loads(frame)["events"])
        self._look(frame)

    def _sit(self, picture: dict[str, Any]) -> None:
        self._seat = picture["you"]["seat"]
        self._seal, self._head = picture["seal"], picture["story"]["head"]
        words = rb'"prompt":(\d+),"seat":%d,"hand":\d+,"actions":\[([^\]]*)\]'
        self._ask = re.compile(words % self._seat)
        self.ready.set_result(None)

    def _follow(self, events: list[dict[str, Any]]) -> None:
        """Note the seal of each round, and tell the link when it is called."""
        for event in events:
            if event["type"] == "betting_opened":
                self._seal = event["seal"]
            seats = [bet["seat"] for bet in event.get("bets", ())]
            if event["type"] == "bets_closed" and self._seat in seats:
                link = {"type": "link", "head": self._head, "link": self._link}
                self.say(json.dumps(link).encode(), thinks=False)

    def _look(self, frame: bytes) -> None:
        """Count a round that has ended, and answer a new question."""
        if self._is_first and b'"round_ended"' in frame:
            self._load.rounds += 1
        start = frame.rfind(b'"asks":[')
        assert self._ask is not None
        found = None if start < 0 else self._ask.search(frame, start)
        if found is None or found[1] == self._prompt:
            return
        self._prompt, actions = found[1], found[2]
        kind = actions.rsplit(b",", 1)[-1]
        for wanted in (b'"place_bet"', b'"accept_gift"', b'"stand"'):
            kind = wanted if wanted in actions else kind
        more = b""
        if kind == b'"place_bet"':
            commitment = bet_commitment(
                seal=self._seal, seat=self._seat, handle=self._handle, link=self._link
            )
            more = b',"amount":100,"commitment":"%s"' % commitment.encode()
        self.say(b'{"prompt":%s,"type":%s%s}' % (self._prompt, kind, more))


async def seats_at(port: int, load: Load, tables: int, seats: int) -> list[Seat]:
    """Return the seats of all tables, once each has joined."""
    loop = asyncio.get_running_loop()
    players: list[Seat] = []
    for table in range(tables):
        for number in range(seats):
            player = Seat(load, f"t{table}", number)
            await loop.create_connection(partial(_same, player), "127.0.0.1", port)
            players.append(player)
        await asyncio.gather(*(player.ready for player in players[-seats:]))
    return players


def _same(player: Seat) -> Seat:
    return player
