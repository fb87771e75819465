"""The fast client: a scripted seat that costs the bench as little as possible.

It speaks just enough of RFC 6455 over one ``asyncio.Protocol``: its mask is zero, and
it reads whole text frames. It bets, stands, and declines whatever else is offered.
"""

import asyncio
import base64
import json
import secrets
from functools import partial
from typing import Any, cast

from bj_protocol.proof import bet_commitment, next_head

_HEADER_END = b"\r\n\r\n"
_TEXT, _PING, _PONG = 0x81, 0x89, 0x8A
"""The first bytes of whole frames."""


class Seat(asyncio.Protocol):
    """One seat that plays ``rounds`` rounds."""

    def __init__(
        self, handle: str, table: str, rounds: int, *, links: bool = False
    ) -> None:
        """Prepare to join ``table`` as ``handle``; with ``links`` to have a part."""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.frames = 0
        self.bytes = 0
        who = {"handle": handle, "key": secrets.token_urlsafe(32)}
        self._hello = {"type": "hello", "version": 2, "table": table, **who}
        self._handle = handle
        self._link = secrets.token_hex(32) if links else ""
        self._head = self._seal = ""
        self._rounds = rounds
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._is_open = False
        self._seat = 0
        self._answered = 0

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

    def data_received(self, data: bytes) -> None:
        """Read as many frames as have come."""
        self.bytes += len(data)
        self._buffer += data
        if not self._is_open:
            head, found, rest = self._buffer.partition(_HEADER_END)
            if not found:
                return
            assert b" 101 " in head, head
            self._is_open, self._buffer = True, rest
            self._send(self._hello)
        while (frame := self._next_frame()) is not None:
            self.frames += 1
            self._heard(frame)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail if the game is not over."""
        if not self.done.done():
            self.done.set_exception(error or ConnectionError("the line was closed"))

    def leave(self) -> None:
        """Drop the line."""
        assert self._transport is not None
        self._transport.abort()

    def _next_frame(self) -> bytes | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1], 2
        if length == 126:
            length, start = int.from_bytes(buffer[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < start + length:
            return None
        self._buffer = buffer[start + length :]
        payload = buffer[start : start + length]
        if buffer[0] == _PING:
            assert self._transport is not None
            self._transport.write(bytes([_PONG, 0x80 | length]) + bytes(4) + payload)
        return payload if buffer[0] == _TEXT else b"{}"

    def _send(self, message: dict[str, Any]) -> None:
        payload = json.dumps(message).encode()
        size = len(payload)
        head = bytes([_TEXT, 0x80 | size]) if size < 126 else b"\x81\xfe"
        head += size.to_bytes(2, "big") if size >= 126 else b""
        assert self._transport is not None
        self._transport.write(head + bytes(4) + payload)

    def _heard(self, frame: bytes) -> None:
        message = json.loads(frame)
        kind = message.get("type")
        if kind == "snapshot":
            self._seat, self._seal = message["you"]["seat"], message["seal"]
            self._head = message["story"]["head"] if self._link else ""
        elif kind == "update" and self._link:
            self._head = next_head(self._head, frame)
            self._follow(message["events"])
        if b'"round_ended"' in frame:
            self._rounds -= 1
        if self._rounds <= 0 and not self.done.done():
            self.done.set_result(None)
        turn = message.get("turn")
        for ask in turn["asks"] if turn and self._rounds > 0 else ():
            if ask["seat"] == self._seat and ask["prompt"] > self._answered:
                self._answered = ask["prompt"]
                self._answer(ask)

    def _follow(self, events: list[dict[str, Any]]) -> None:
        """Note the seal of each round, and tell the link when it is called."""
        for event in events:
            if event["type"] == "betting_opened":
                self._seal = event["seal"]
            seats = [bet["seat"] for bet in event.get("bets", ())]
            if event["type"] == "bets_closed" and self._seat in seats:
                self._send({"type": "link", "head": self._head, "link": self._link})

    def _commitment(self) -> dict[str, str]:
        if not self._link:
            return {}
        commitment = bet_commitment(
            seal=self._seal, seat=self._seat, handle=self._handle, link=self._link
        )
        return {"commitment": commitment}

    def _answer(self, ask: dict[str, Any]) -> None:
        answer = {"prompt": ask["prompt"], "type": ask["actions"][-1]}
        if "place_bet" in ask["actions"]:
            answer |= {"type": "place_bet", "amount": ask["wager"]["minimum"]}
            answer |= self._commitment()
        elif "accept_gift" in ask["actions"]:
            answer["type"] = "accept_gift"
        elif "stand" in ask["actions"]:
            answer["type"] = "stand"
        self._send(answer)


async def play(
    port: int, tables: int, seats: int, rounds: int, *, links: bool = False
) -> tuple[float, int]:
    """Play ``rounds`` rounds at every table; return the seconds and the frames read."""
    loop = asyncio.get_running_loop()
    players: list[Seat] = []
    start = loop.time()
    for table in range(tables):
        for seat in range(seats):
            player = Seat(f"p{table}-{seat}", f"t{table}", rounds, links=links)
            await loop.create_connection(partial(_same, player), "127.0.0.1", port)
            players.append(player)
    await asyncio.gather(*(player.done for player in players))
    seconds = loop.time() - start
    for player in players:
        player.leave()
    return seconds, sum(player.frames for player in players)


def _same(player: Seat) -> Seat:
    return player
