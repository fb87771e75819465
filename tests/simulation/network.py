"""The network: lines between guests and a server, as bad as their seeds make them.

A ``Wire`` is one connection. What a guest says is cut into pieces anywhere, and takes
its time; so does what the server says, until the guest reads it. A line can be cut, of
which both ends hear; go dead, of which nobody hears; and its reader can stop reading.
Bytes that the system has taken for a reader are up to ``WINDOW``; the server's
transport keeps the rest.
"""

import asyncio
import os
import random
import socket
from collections import deque
from functools import partial
from typing import Any, Protocol

from simulation.agenda import Agenda
from simulation.loop import WorldLoop

WINDOW = 64 * 1024
_HIGH, _LOW = 64 * 1024, 16 * 1024


class Ear(Protocol):
    """The end of a guest."""

    def take(self, data: bytes) -> None: ...

    def lost(self) -> None: ...


class Tap(Protocol):
    """Is shown all that a server says, at once."""

    def __call__(self, data: bytes, /) -> None: ...


class Transport(asyncio.Transport):
    """The server's end of a line."""

    def __init__(self, wire: "Wire") -> None:
        super().__init__(
            {"peername": wire.peer, "sockname": ("10.0.0.1", 8765), "socket": wire.sock}
        )
        self.wire = wire
        self.protocol: Any = None
        self.reads = True
        self._is_closing = self._is_lost = False
        self._is_full = False
        self._unread: deque[bytes] = deque()

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def is_closing(self) -> bool:
        return self._is_closing or self.wire.loop.is_closed()  # with a server that died

    def receive(self, data: bytes) -> None:
        if self._is_closing or self._is_lost:
            return
        if self.reads and not self._unread:
            self.wire.loop.call_soon(self._hear, data)
        else:
            self._unread.append(data)

    def _hear(self, data: bytes) -> None:
        if self._is_closing or self._is_lost:
            return
        if self.reads:
            self.protocol.data_received(data)
        else:
            self._unread.appendleft(data)

    def receive_eof(self) -> None:
        if not self._is_lost:
            self.lose(None)

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True
        while self._unread:
            self.wire.loop.call_soon(self._hear, self._unread.popleft())

    def write(self, data: Any) -> None:
        if not self._is_lost and not self._is_closing:
            self.wire.say(bytes(data))
            self.look()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.wire.end_down()

    def get_write_buffer_size(self) -> int:
        return max(0, self.wire.unread - WINDOW)

    def set_write_buffer_limits(
        self, high: int | None = None, low: int | None = None
    ) -> None:
        pass

    def look(self) -> None:
        """Tell the protocol how full the buffer is, if that is news."""
        size = self.get_write_buffer_size()
        if not self._is_full and size > _HIGH:
            self._is_full = True
            self.wire.loop.call_soon(self.protocol.pause_writing)
        elif self._is_full and size <= _LOW and not self._is_lost:
            self._is_full = False
            self.wire.loop.call_soon(self.protocol.resume_writing)
        if self._is_closing and not self._is_lost and size == 0:
            self.wire.end_down()
            self.lose(None)

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self.look()

    def abort(self) -> None:
        if not self._is_lost:
            self._is_closing = True
            self.wire.break_down()
            self.lose(None)

    def lose(self, error: Exception | None) -> None:
        if self._is_lost:
            return
        self._is_lost = self._is_closing = True
        self.wire.loop.call_soon(self.protocol.connection_lost, error)


class Doorstep(Transport):
    """The plain end of a line that is handed over before it begins."""

    def abort(self) -> None:
        self.lose(None)


class Wire:
    """One line; ``chance`` decides how it is."""

    def __init__(
        self,
        agenda: Agenda,
        loop: WorldLoop,
        ear: Ear,
        chance: random.Random,
        peer: tuple[str, int],
        tap: Tap,
    ) -> None:
        self.agenda, self.loop, self.ear, self.chance = agenda, loop, ear, chance
        self.peer, self._tap = peer, tap
        self.sock = socket.socket()
        loop.handed_over[os.fstat(self.sock.fileno()).st_ino] = self
        self.transport: Transport | None = None
        self.is_dead = False
        """Whether nothing passes any more, and nobody knows."""
        self.is_frozen = False
        """Whether the guest does not read."""
        self.is_over = False
        self._lag = chance.choice((0.0005, 0.005, 0.02, 0.1, 0.4))
        self._splits = chance.choice((0.0, 0.0, 0.1, 0.5))
        self._up_at = self._down_at = agenda.now
        self._down: deque[bytes] = deque()
        self.unread = 0
        self.received = 0
        """The bytes that the guest has read."""

    def knock(self) -> None:
        """Come to the server's door; a server that is not there refuses."""
        make = self.loop.doors.get("tcp")
        if make is None or self.loop.is_over:
            self.sock.close()
            self.agenda.after(self._delay(), self._lose)
            return
        self._open(Doorstep(self), make())

    def enter(self, protocol: Any) -> None:
        """Begin at once, as at a door without a step."""
        self.sock.close()
        self._open(Transport(self), protocol)

    def _open(self, transport: Transport, protocol: Any) -> None:
        transport.set_protocol(protocol)
        self.transport = transport
        self.loop.call_soon(self._made, transport, protocol)

    def _made(self, transport: Transport, protocol: Any) -> None:
        protocol.connection_made(transport)
        self.sock.close()

    def adopt(self, protocol: Any) -> Transport:
        """Go on, after the doorstep, with the protocol that converses."""
        waiting = [] if self.transport is None else list(self.transport._unread)
        transport = Transport(self)
        transport.set_protocol(protocol)
        self.transport = transport
        self.loop.call_soon(protocol.connection_made, transport)
        for data in waiting:
            transport.receive(data)
        return transport

    def _delay(self) -> float:
        return self._lag * (0.5 + self.chance.random())

    # From the guest to the server.

    def send(self, data: bytes) -> None:
        """Have bytes brought to the server, in pieces."""
        if self.is_dead or self.is_over:
            return
        while data:
            cut = len(data)
            if self.chance.random() < self._splits and cut > 1:
                cut = self.chance.randrange(1, cut)
            piece, data = data[:cut], data[cut:]
            self._up_at = max(self._up_at, self.agenda.now + self._delay())
            self.agenda.at(self._up_at, partial(self._arrive, piece))

    def _arrive(self, piece: bytes) -> None:
        if self.is_dead or self.is_over or self.transport is None:
            return
        if isinstance(self.transport, Doorstep):
            self.transport._unread.append(piece)
        else:
            self.transport.receive(piece)

    def hang_up(self) -> None:
        """Close, as the guest; the server hears of it unless the line is dead."""
        if not self.is_over and not self.is_dead:
            at = max(self._up_at, self.agenda.now + self._delay())
            transport = self.transport
            if transport is not None:
                self.agenda.at(at, transport.receive_eof)
        self.is_over = True
        self._clear()

    # From the server to the guest.

    def say(self, data: bytes) -> None:
        self._tap(data)
        if self.is_over:
            return
        self.unread += len(data)
        self._down.append(data)
        self._bring()

    def _bring(self) -> None:
        self._down_at = max(self._down_at, self.agenda.now + self._delay())
        self.agenda.at(self._down_at, self._read)

    def _read(self) -> None:
        if self.is_frozen or self.is_dead or self.is_over or not self._down:
            return
        data = self._down.popleft()
        if self.chance.random() < self._splits and len(data) > 1:
            cut = self.chance.randrange(1, len(data))
            self._down.appendleft(data[cut:])
            data = data[:cut]
            self._bring()
        self.unread -= len(data)
        self.received += len(data)
        if self.transport is not None:
            self.transport.look()
        self.ear.take(data)

    def thaw(self) -> None:
        """Read again."""
        self.is_frozen = False
        for _ in range(len(self._down)):
            self._bring()

    def end_down(self) -> None:
        """Let the guest hear the end, after all that was said."""
        if not self.is_over and not self.is_dead:
            self._down_at = max(self._down_at, self.agenda.now + self._delay())
            self.agenda.at(self._down_at, self._lose)

    def break_down(self) -> None:
        """Let the guest hear at once that the server has dropped the line."""
        if not self.is_dead:
            self.agenda.after(self._delay(), self._lose)

    def cut(self) -> None:
        """Break in the middle; both ends hear of it."""
        transport = self.transport
        if transport is not None:
            error = ConnectionResetError("the line is cut")
            self.agenda.after(self._delay(), lambda: transport.lose(error))
        self._lose()

    def _lose(self) -> None:
        if not self.is_over:
            self.is_over = True
            self._clear()
            self.ear.lost()

    def _clear(self) -> None:
        self._down.clear()
        self.unread = 0
        self.sock.close()
        if self.transport is not None:
            self.transport.look()
