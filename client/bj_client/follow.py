"""Following a table: every update once, in order, with none missing.

Owns the numbering. What is older than the picture is dropped; a gap is answered with
one ``Resync`` and nothing is believed until it is closed.

Owns the coming back, too. When the line is lost and may be had again, ``receive`` says
so by ``Broken``; the next call tries until it is back, and returns ``Returned`` with
what was missed. An answer that may not have arrived is then sent once more, under the
same prompt; the server takes it once.
"""

import asyncio
from dataclasses import dataclass

from bj_client.catchup import catch_up
from bj_client.ending import Ending, LineLost
from bj_client.rejoin import Lifeline
from bj_client.table import Table
from bj_protocol.commands import Answer, AnyAnswer, Command, Leave, Resync
from bj_protocol.messages import (
    Answered,
    Recalled,
    Refused,
    Snapshot,
    TableList,
    TableMessage,
    Update,
)
from bj_protocol.views import Turn

__all__ = ["LEAVE_SECONDS", "Broken", "Follower", "News", "Returned"]

LEAVE_SECONDS = 1.0
"""How long the server may take to close the line after a ``Leave``."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The line is lost, and tried again from now on; ``str()`` says so."""

    server: str

    def __str__(self) -> str:
        """Return the sentence."""
        return f"The line to {self.server} is lost; trying again..."


@dataclass(frozen=True, slots=True)
class Returned:
    """The line is back; ``str()`` says so."""

    server: str
    notices: tuple[str, ...]
    """What the server has to say to a player who comes back."""
    missed: Snapshot | Update
    """What has happened meanwhile, which may be nothing."""

    def __str__(self) -> str:
        """Return the sentence."""
        return f"The line to {self.server} is back."


News = TableMessage | Broken | Returned
"""What a player hears: messages of the server, and what becomes of the line."""


class Follower:
    """A seat's view of its table, kept true message by message.

    ``receive`` hands each message out once; whoever receives it folds it into
    ``table`` when it has been shown.
    """

    def __init__(self, line: Lifeline, snapshot: Snapshot) -> None:
        """Start from the picture that answered the hello."""
        self.first = snapshot
        """The picture that answered the hello."""
        self.table = Table(snapshot)
        self.deadline: float | None = None
        """The loop's time at which the open asks end; None while there are none."""
        self.is_cut_off = False
        """Whether the line is lost, and not back yet."""
        self.line = line
        """Where all comes from; for who does not want it followed."""
        self._lost_place = False
        self._asked: set[int] = set()
        """The prompts that were open when the server last spoke."""
        self._unconfirmed: AnyAnswer | None = None
        """An answer that was sent and may not have arrived."""
        self._notices: list[str] = []
        self._hear_turn(snapshot.turn, asyncio.get_running_loop().time())

    async def receive(self) -> News:
        """Return the next message that follows from what is known.

        Raises:
            Ending: once the line is over.
        """
        if self.is_cut_off:
            return await self._come_back()
        try:
            return await self._next_message()
        except LineLost as lost:
            if not self.line.note(lost):
                raise
            self.is_cut_off = True
            self.deadline = None
            return Broken(self.line.server)

    async def send(self, command: Command) -> None:
        """Send a command; an answer is sent again after a loss if need be."""
        if isinstance(command, Answer):
            self._unconfirmed = command
        await self.line.send(command)

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds until the open asks end; None while there are none."""
        if self.deadline is None:
            return None
        return max(0, round(self.deadline - asyncio.get_running_loop().time()))

    @property
    def behind(self) -> int:
        """The number of messages that wait to be received."""
        return self.line.waiting

    async def depart(self) -> None:
        """Leave in order, briefly, folding in whatever is still said; then close."""
        self.line.give_up()
        self.is_cut_off = False
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
            await self.line.close()

    async def _next_message(self) -> TableMessage:
        while True:
            arrival = await self.line.receive()
            message = arrival.message
            match message:
                case Snapshot():
                    self._lost_place = False
                    self._hear_turn(message.turn, arrival.at)
                    return message
                case Update():
                    if await self._follows(message):
                        self._hear_turn(message.turn, arrival.at)
                        return message
                case Refused() | Answered():
                    self._confirm({message.prompt})
                    return message
                case Recalled():
                    return message
                case TableList():
                    pass  # nobody at a table asks for it

    async def _come_back(self) -> Returned:
        while True:
            picture = await self.line.rejoin()
            now = asyncio.get_running_loop().time()
            self._note(picture)
            try:
                missed = await catch_up(self.line, self.table, picture)
            except LineLost as lost:
                if not self.line.note(lost):
                    raise
            else:
                break
        if isinstance(missed, Snapshot):
            self._note(missed)
            missed = missed.model_copy(update={"notices": ()})
        self._lost_place = self.is_cut_off = False
        if self._unconfirmed is not None:
            await self.line.send(self._unconfirmed)
        self._hear_turn(missed.turn, now)
        notices, self._notices = tuple(self._notices), []
        return Returned(self.line.server, notices, missed)

    def _note(self, picture: Snapshot) -> None:
        """Keep the notices of a picture that were not given before."""
        known = {*self.first.notices, *self._notices}
        self._notices += [notice for notice in picture.notices if notice not in known]

    async def _follows(self, update: Update) -> bool:
        expected = self.table.seq + 1
        if update.seq == expected:
            self._lost_place = False
        elif update.seq > expected and not self._lost_place:
            self._lost_place = True
            await self.line.send(Resync(seq=self.table.seq))
        return update.seq == expected

    def _hear_turn(self, turn: Turn | None, at: float) -> None:
        left = None if turn is None else turn.milliseconds
        self.deadline = None if left is None else at + left / 1000
        asked = {ask.prompt for ask in turn.asks} if turn else set()
        self._confirm(self._asked - asked)
        self._asked = asked

    def _confirm(self, over: set[int] | set[int | None]) -> None:
        """Take what was answered under these prompts for arrived, or too late."""
        if self._unconfirmed is not None and self._unconfirmed.prompt in over:
            self._unconfirmed = None
