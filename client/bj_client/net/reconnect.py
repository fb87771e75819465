"""Coming back: a line that is opened anew when it was lost.

A ``ReconnectingLine`` is used like a ``Connection``. When that ends, and the player
may return, ``rejoin`` opens another one and says the same hello, again and again until
the server answers or the time is over. ``follow`` catches up on the missed updates, and
tells the players.
"""

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from bj_client.error import (
    ClientError,
    HelloRefusedError,
    LineLostError,
    UnreachableError,
)
from bj_client.fair.witness import LineRecorder, NoEar
from bj_client.net.connection import Arrival, Connection
from bj_protocol.commands import Command
from bj_protocol.messages import Message, Snapshot

FIRST_CAP = 0.25
"""The longest wait before the first attempt, in seconds."""

LAST_CAP = 8.0
"""The longest wait before any attempt, in seconds."""


def waits(chance: Callable[[], float]) -> Iterator[float]:
    """Yield the seconds to wait before one attempt after the other, without end.

    ``chance`` draws a number from 0 to 1.

    >>> from itertools import islice
    >>> list(islice(waits(lambda: 1.0), 7))
    [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    """
    cap = FIRST_CAP
    while True:
        yield chance() * cap
        cap = min(2 * cap, LAST_CAP)


_SIGNATURE_SECONDS = 2.0
"""How long a signature may come after its update."""

Join = Callable[[], Awaitable[tuple[Connection, Snapshot]]]
"""Opens a connection, says hello, and returns the answer; else an ``ClientError``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconnectPolicy:
    """How long a lost line is tried again, and by which clock and chance."""

    seconds: float = 0.0
    """From the loss on; 0 for not at all."""
    is_private: bool = False
    """Whether the server is our own, which nobody starts again once it is gone."""
    chance: Callable[[], float] = random.random
    """Draws a number from 0 to 1."""
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass(eq=False)
class ReconnectingLine:
    """One player's line to a table, through one connection after the other."""

    server: str
    """As people write it."""
    join: Join
    policy: ReconnectPolicy
    ear: LineRecorder | NoEar = field(default_factory=NoEar)
    """Hears all that is said on it, either way."""
    unproven: bool = field(default=False, kw_only=True)
    """Whether the player also bets where no round is proven."""
    _waits: Iterator[float] | None = field(default=None, init=False)
    """The waits of the losses that came one right after the other."""
    _until: float = field(default=0.0, init=False)
    _is_given_up: bool = field(default=False, init=False)
    _lost: LineLostError = field(default_factory=LineLostError, init=False)
    _heard: deque[Arrival] = field(default_factory=deque, init=False)
    """The messages that were heard, and not received yet."""
    _connection: Connection = field(init=False)

    async def open(self) -> Snapshot:
        """Join for the first time, and return the picture of the table.

        Raises:
            ClientError: if there is no seat.
        """
        self._connection, snapshot = await self.join()
        return await self._begin(snapshot)

    async def receive(self) -> Arrival:
        """Return the next message.

        Raises:
            ClientError: once the connection is over; every later call raises it again.
        """
        while not self._heard:
            await self._receive()
            await self._await_signature()
        return self._heard.popleft()

    @property
    def waiting(self) -> int:
        """The number of messages that have arrived and were not received yet."""
        return len(self._heard) + self._connection.waiting

    async def send(self, command: Command) -> None:
        """Send a command; a broken line is reported by ``receive``.

        A bet that nobody should place here is not sent, and ``receive`` returns why.
        """
        refused = self.ear.why_not(command, is_unproven=self.unproven)
        if refused is not None:
            await self._connection.echo(refused)
            return
        await self._connection.send(self.ear.send(command))

    async def close(self) -> None:
        """Close the line for good; harmless when it is closed already."""
        self.give_up()
        await self._connection.close()

    def give_up(self) -> None:
        """Let the line be lost when it is lost: the player leaves."""
        self._is_given_up = True

    def note(self, lost: LineLostError) -> bool:
        """Note a loss; tell whether ``rejoin`` is worth an attempt."""
        if lost.is_final or self._is_given_up or not self.policy.seconds:
            return False
        self._lost = lost
        self.ear.lose()
        if self._waits is None:
            self._waits = waits(self.policy.chance)
            self._until = self.policy.now() + self.policy.seconds
        return True

    async def rejoin(self) -> Snapshot:
        """Come back after a loss, and return the picture of the table.

        Raises:
            LineLostError: the one that was noted, when the patience is over.
            ClientError: if the server is back and does not let the player in.
        """
        assert self._waits is not None
        await self._connection.close()
        while True:
            wait = next(self._waits)
            await self.policy.sleep(min(wait, max(0.0, self._seconds_left)))
            if self._seconds_left <= 0:
                raise self._lost
            try:
                async with asyncio.timeout(self._seconds_left):
                    self._connection, snapshot = await self.join()
            except (UnreachableError, TimeoutError):
                if self.policy.is_private:
                    raise self._lost from None
            except HelloRefusedError as refused:
                if not refused.is_passing:
                    raise
            else:
                self.ear.regain()
                self._heard.clear()
                return await self._begin(snapshot)

    async def _begin(self, snapshot: Snapshot) -> Snapshot:
        """Hear the picture that answers the hello, and return it once it is signed."""
        await self._hear(snapshot, self._connection.first_text)
        await self._await_signature()
        return snapshot

    async def _receive(self) -> None:
        arrival = await self._connection.receive()
        if not arrival.is_ours:
            self._waits = None  # the line has held
            await self._hear(arrival.message, arrival.text)
        if arrival.is_ours or not self.ear.is_private(arrival.message):
            self._heard.append(arrival)

    async def _await_signature(self) -> None:
        """Hear the signature that is due before anyone acts on its update.

        Without it no bet is sent, so a quick player would be too early.
        """
        with contextlib.suppress(TimeoutError, ClientError):
            async with asyncio.timeout(_SIGNATURE_SECONDS):
                while self.ear.is_owed:
                    await self._receive()

    async def _hear(self, message: Message, text: str) -> None:
        """Hear along, and send the player's part in a draw."""
        for command in self.ear.hear(message, text):
            await self.send(command)

    @property
    def _seconds_left(self) -> float:
        return self._until - self.policy.now()
