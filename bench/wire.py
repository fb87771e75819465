"""The fast client: a scripted seat that costs the bench as little as possible.

It speaks just enough of RFC 6455 over one ``asyncio.Protocol``: its mask is zero, and
it reads whole text frames. It bets, stands, and declines whatever else is offered.
"""

import asyncio
import base64
import hashlib
import json
import secrets
from functools import partial
from typing import Any, cast

__all__ = ["Seat", "play"]

_HEADER_END = b"\r\n\r\n"


class Seat(asyncio.Protocol):
    """One seat that plays ``rounds`` rounds."""

    def __init__(
        self, handle: str, table: str, rounds: int, *, cuts: bool = False
    ) -> None:
        """Prepare to join ``table`` as ``handle``, and to cut its shoes if ``cuts``."""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.frames = 0
        self.bytes = 0
        who = {"handle": handle, "key": secrets.token_urlsafe(32)}
        self._hello = {"type": "hello", "version": 1, "table": table, **who}
        if cuts:
            self._hello["cuts"] = True
        self._nonce = secrets.token_bytes(32)
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
        return buffer[start : start + length] if buffer[0] == 0x81 else b"{}"

    def _send(self, message: dict[str, Any]) -> None:
        payload = json.dumps(message).encode()
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe"
        head += size.to_bytes(2, "big") if size >= 126 else b""
        assert self._transport is not None
        self._transport.write(head + bytes(4) + payload)

    def _heard(self, frame: bytes) -> None:
        message = json.loads(frame)
        if message.get("type") == "snapshot":
            self._seat = message["you"]["seat"]
        if b'"commit"' in frame or b"_committed" in frame:
            self._cut(message)
        if b'"round_ended"' in frame:
            self._rounds -= 1
        if self._rounds <= 0 and not self.done.done():
            self.done.set_result(None)
        turn = message.get("turn")
        for ask in turn["asks"] if turn and self._rounds > 0 else ():
            if ask["seat"] == self._seat and ask["prompt"] > self._answered:
                self._answered = ask["prompt"]
                self._answer(ask)

    def _cut(self, message: dict[str, Any]) -> None:
        """Commit to the nonce and reveal it, when this seat is to."""
        stream = message.get("shoe", {}).get("stream") or {}
        asked = [stream] if stream.get("step") == "commit" else []
        for event in (*asked, *message.get("events", ())):
            sealed = {"seed_sha256": event.get("seed_sha256")}
            if event in asked or self._seat in event.get("seats", ()):
                sha256 = hashlib.sha256(self._nonce).hexdigest()
                self._send({"type": "commit_cut", **sealed, "sha256": sha256})
            elif self._seat in [cut["seat"] for cut in event.get("committed", ())]:
                nonce = self._nonce.hex()
                self._send({"type": "reveal_cut", **sealed, "nonce": nonce})

    def _answer(self, ask: dict[str, Any]) -> None:
        answer = {"prompt": ask["prompt"], "type": ask["actions"][-1]}
        if "place_bet" in ask["actions"]:
            answer |= {"type": "place_bet", "amount": ask["wager"]["minimum"]}
        elif "accept_gift" in ask["actions"]:
            answer["type"] = "accept_gift"
        elif "stand" in ask["actions"]:
            answer["type"] = "stand"
        self._send(answer)


async def play(
    port: int, tables: int, seats: int, rounds: int, *, cuts: bool = False
) -> tuple[float, int]:
    """Play ``rounds`` rounds at every table; return the seconds and the frames read."""
    loop = asyncio.get_running_loop()
    players: list[Seat] = []
    start = loop.time()
    for table in range(tables):
        for seat in range(seats):
            player = Seat(f"p{table}-{seat}", f"t{table}", rounds, cuts=cuts)
            await loop.create_connection(partial(_same, player), "127.0.0.1", port)
            players.append(player)
    await asyncio.gather(*(player.done for player in players))
    seconds = loop.time() - start
    for player in players:
        player.leave()
    return seconds, sum(player.frames for player in players)


def _same(player: Seat) -> Seat:
    return player
