"""Following a table: every update once, in order, with none missing.

Owns the numbering. What is older than the picture is dropped; a gap is answered with
one ``Resync`` and nothing is believed until the new picture comes.
"""

import asyncio

from bj_client.connection import Connection
from bj_client.ending import Ending
from bj_client.table import Table
from bj_protocol.commands import Command, Leave, Resync
from bj_protocol.messages import (
    Answered,
    Refused,
    Snapshot,
    TableList,
    TableMessage,
    Update,
)
from bj_protocol.views import Turn

__all__ = ["LEAVE_SECONDS", "Follower"]

LEAVE_SECONDS = 1.0
"""How long the server may take to close the line after a ``Leave``."""


class Follower:
    """A seat's view of its table, kept true message by message.

    ``receive`` hands each message out once; whoever receives it folds it into
    ``table`` when it has been shown.
    """

    def __init__(self, connection: Connection, snapshot: Snapshot) -> None:
        """Start from the picture that answered the hello."""
        self.connection = connection
        self.first = snapshot
        """The picture that answered the hello."""
        self.table = Table(snapshot)
        self.deadline: float | None = None
        """The loop's time at which the open asks end; None while there are none."""
        self._lost_place = False
        self._time(snapshot.turn, asyncio.get_running_loop().time())

    async def receive(self) -> TableMessage:
        """Return the next message that follows from what is known.

        Raises:
            Ending: once the connection is over.
        """
        while True:
            arrival = await self.connection.receive()
            message = arrival.message
            match message:
                case Snapshot():
                    self._lost_place = False
                    self._time(message.turn, arrival.at)
                    return message
                case Update():
                    if await self._follows(message):
                        self._time(message.turn, arrival.at)
                        return message
                case Refused() | Answered():
                    return message
                case TableList():
                    pass  # nobody at a table asks for it

    async def send(self, command: Command) -> None:
        """Send a command."""
        await self.connection.send(command)

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds until the open asks end; None while there are none."""
        if self.deadline is None:
            return None
        return max(0, round(self.deadline - asyncio.get_running_loop().time()))

    @property
    def behind(self) -> int:
        """The number of messages that wait to be received."""
        return self.connection.waiting

    async def depart(self) -> None:
        """Leave in order, briefly, folding in whatever is still said; then close."""
        await self.send(Leave())
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                while True:
                    message = await self.receive()
                    if isinstance(message, Snapshot | Update):
                        self.table.apply(message)
        except (Ending, TimeoutError):
            pass
        finally:
            await self.connection.close()

    async def _follows(self, update: Update) -> bool:
        expected = self.table.seq + 1
        if self._lost_place or update.seq < expected:
            return False
        if update.seq > expected:
            self._lost_place = True
            await self.send(Resync())
            return False
        return True

    def _time(self, turn: Turn | None, at: float) -> None:
        left = None if turn is None else turn.milliseconds
        self.deadline = None if left is None else at + left / 1000
