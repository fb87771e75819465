"""Following a table: every update once, in order, with none missing.

Owns the numbering. An update older than the picture is dropped; a gap is answered
with one ``Resync``, and nothing is believed until it is closed.

Owns the coming back, too. When the line is lost and may be had again, ``receive`` says
so by ``Broken``. The next call tries until it is back, and returns ``Returned`` with
the missed events. An answer that may not have arrived is then sent once more, under the
same prompt; the server takes it once.

A picture in place of updates may pass over the end of a round in which the player had
money. The client then asks the bank for that round, which comes as a ``PastRound``.
"""

import asyncio
import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bj_client.error import ClientError, LineLostError
from bj_client.model.table import Table, place_of, run_of
from bj_client.net.connection import Arrival
from bj_client.net.reconnect import ReconnectingLine
from bj_client.words.board import house_news
from bj_client.words.text import quoted
from bj_protocol.commands import Answer, AnyAnswer, Chat, Command, Leave, Recall, Resync
from bj_protocol.events import Said
from bj_protocol.messages import (
    Answered,
    Moved,
    Recalled,
    Refused,
    Signed,
    Snapshot,
    TableList,
    Update,
)
from bj_protocol.recall import PastRound
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Turn

if TYPE_CHECKING:
    from bj_protocol.events import Event


CATCH_UP_SECONDS = 10.0
"""How long the server may take to tell the missed updates."""
AGAIN_SECONDS = 1.0
"""How long after a refusal they are asked for again, as when that came too fast."""


async def catch_up(
    line: ReconnectingLine, table: Table, picture: Snapshot
) -> Snapshot | Update:
    """Return the messages from ``table`` to the ``picture``, or to one after it.

    Raises:
        ClientError: if the line is lost again.
    """
    if not _continues(table, picture):
        return picture
    events: list[Event] = []
    seq, heard = table.seq, picture.seq
    try:
        async with asyncio.timeout(CATCH_UP_SECONDS):
            if seq < picture.seq:
                await line.send(Resync(seq=seq))
            while seq < picture.seq:
                match (await line.receive()).message:
                    case Snapshot() as newer:
                        return newer
                    case Update() as update if update.seq == seq + 1:
                        events += update.events
                        seq = update.seq
                    case Update() as ahead:  # the missed ones have it once more
                        heard = ahead.seq
                    case Refused(prompt=None):
                        await asyncio.sleep(AGAIN_SECONDS)
                        await line.send(Resync(seq=seq))
                    case _:
                        pass
    except TimeoutError:
        if heard > picture.seq:
            await line.send(Resync(seq=picture.seq))
        return picture
    return Update(table=picture.table, seq=seq, events=tuple(events), turn=picture.turn)


def _continues(table: Table, picture: Snapshot) -> bool:
    """Whether a picture is a later one of the same table, from the same seat.

    A server that was started anew may give the number of the last update a second time,
    since what it says while its bank cannot write is not written down. One without
    proof does not tell that it was started: it is believed by its numbers.
    """
    return (
        picture.table == table.name
        and run_of(picture) == table.run
        and (picture.you.seat if picture.you else 0) == table.seat_number
        and picture.seq >= table.seq
    )


_digits = re.compile(r"\d{4}\W*\d{4}")
"""Looks like the digits of a proven round, which only this client tells."""

TOO_LATE = frozenset({RefusalCode.PROMPT_OVER, RefusalCode.NOT_ASKED})
"""Refusals of an answer whose question is over."""

_RESENT = "Your last answer may not have arrived, so it is sent again."
_CAME_LATE = "Your last answer was lost with the line, and its time is over."
_UNHEARD = "Your last words were lost with the line; say them again if you like."

LEAVE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the open asks end."""

    at: float
    """By the loop's time."""
    whole: float
    """The seconds that there were when their clock was started, or first seen."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The line is lost, and tried again from now on; ``str()`` says so."""

    server: str

    def __str__(self) -> str:
        return f"The line to {self.server} is lost; trying again..."


@dataclass(frozen=True, slots=True)
class Returned:
    """The line is back; ``str()`` says so."""

    server: str
    notices: tuple[str, ...]
    rules: tuple[str, ...]
    missed: Snapshot | Update
    """The updates since the loss; there may be none."""

    def __str__(self) -> str:
        return f"The line to {self.server} is back."


Told = Snapshot | Update | Refused | Answered | Recalled
"""The messages of a server for players; signatures are for the check alone."""

News = Told | Broken | Returned | PastRound
"""The news for a player: messages of the server, and losses of the line.

A past round is one with the player's money that came to its end unheard.
"""


class Follower:
    """A seat's view of its table, kept true message by message.

    ``receive`` hands each message out once; the caller folds it into ``table`` when it
    has been shown.
    """

    def __init__(self, line: ReconnectingLine, snapshot: Snapshot) -> None:
        self.first = snapshot
        """The picture that answered the hello."""
        self.table = Table(snapshot)
        self.deadline: Deadline | None = None
        """When the open asks end; None while there are none, or no clock."""
        self.is_cut_off = False
        self.line = line
        """The line itself, for a caller who does not want it followed."""
        self._lost_place = False
        self._whole = 0.0
        """The time that there was for the open asks, in seconds."""
        self._asked: set[int] = set()
        """The prompts that were open when the server last spoke."""
        self._unconfirmed: AnyAnswer | None = None
        self._resent: int | None = None
        self._is_unheard = False
        """Whether something was said that was not heard back."""
        self._notices: list[str] = []
        self._owed: int | None = None
        """The round whose end was not heard, and is asked for."""
        self._arrived = deque[Arrival]()
        """The messages that came while that was waited for."""
        self._next = deque[News]()
        self._hear_turn(snapshot.turn, asyncio.get_running_loop().time())

    async def receive(self) -> News:
        """Return the next message in order.

        Raises:
            ClientError: once the line is over.
        """
        if self._next:
            return self._next.popleft()
        if self.is_cut_off:
            return await self._come_back()
        try:
            message = await self._next_message()
            if isinstance(message, Snapshot):
                await self._ask_what_was_played(message)
            return message
        except LineLostError as lost:
            if not self.line.note(lost):
                raise
            self.is_cut_off = True
            self.deadline = None
            return Broken(self.line.server)

    async def send(self, command: Command) -> None:
        """Send a command; an answer is sent again after a loss if need be."""
        if isinstance(command, Answer):
            self._unconfirmed = command
        self._is_unheard |= isinstance(command, Chat)
        await self.line.send(command)

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds until the open asks end; None while there are none."""
        if self.deadline is None:
            return None
        return max(0, round(self.deadline.at - asyncio.get_running_loop().time()))

    async def depart(self) -> None:
        """Leave in order, briefly, folding in the last messages; then close."""
        self.line.give_up()
        self.is_cut_off = False
        await self.send(Leave())
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                while True:
                    message = await self.receive()
                    if isinstance(message, Snapshot | Update):
                        self.table.apply(message)
        except (ClientError, TimeoutError):
            pass
        finally:
            await self.line.close()

    async def _next_message(self) -> Told:
        while True:
            waits = bool(self._arrived)
            arrival = self._arrived.popleft() if waits else await self.line.receive()
            message = arrival.message
            match message:
                case Snapshot():
                    self._lost_place = False
                    self._hear_turn(message.turn, arrival.at)
                    return message
                case Update():
                    if await self._follows(message):
                        self._hear_turn(message.turn, arrival.at)
                        self._hear_said(message)
                        return message
                case Refused():
                    return self._refused(message, is_ours=arrival.is_ours)
                case Answered():
                    self._confirm({message.prompt})
                    return message
                case Recalled():
                    return message
                case Signed() | TableList() | Moved():
                    pass  # nobody at a table asks for it

    def _refused(self, refused: Refused, *, is_ours: bool) -> Refused:
        """Take a refusal, and return it with the words that a player should see."""
        self._confirm({refused.prompt})
        self._is_unheard &= refused.prompt is not None
        text = refused.text
        if refused.prompt == self._resent and refused.code in TOO_LATE:
            text = _CAME_LATE
        elif not is_ours and _digits.search(text):
            text = quoted(text)
        return refused.model_copy(update={"text": text})

    async def _come_back(self) -> Returned:
        while True:
            picture = await self.line.rejoin()
            now = asyncio.get_running_loop().time()
            self._note(picture)
            try:
                missed = await catch_up(self.line, self.table, picture)
                break
            except LineLostError as lost:
                if not self.line.note(lost):
                    raise
        if isinstance(missed, Snapshot):
            self._note(missed)
            missed = missed.model_copy(update={"notices": ()})
        self._lost_place = self.is_cut_off = False
        if self._unconfirmed is not None and place_of(picture) != self.table.place:
            self._unconfirmed = None  # its prompt is another one at another table
            self._notices.append(_CAME_LATE)
        await self._send_again(missed)
        self._hear_turn(missed.turn, now)
        rules = tuple(house_news(self.table, picture))
        self.table.house, self.table.pace = picture.house, picture.pace
        if isinstance(missed, Snapshot):
            await self._ask_what_was_played(missed)
        notices, self._notices = tuple(self._notices), []
        return Returned(self.line.server, notices, rules, missed)

    async def _send_again(self, missed: Snapshot | Update) -> None:
        """Send an answer again that may be lost; note that, and chats that were lost.

        If its question is over, the server alone knows whether it came in time.
        """
        if isinstance(missed, Update):
            self._hear_said(missed)
        if self._is_unheard:
            self._is_unheard = False
            self._notices.append(_UNHEARD)
        answer = self._unconfirmed
        if answer is None:
            return
        self._resent = answer.prompt
        await self.line.send(answer)
        asks = missed.turn.asks if missed.turn else ()
        if any(ask.prompt == answer.prompt for ask in asks):
            self._notices.append(_RESENT)

    def _hear_said(self, update: Update) -> None:
        said = (event.handle for event in update.events if isinstance(event, Said))
        self._is_unheard &= self.table.handle not in said

    async def _ask_what_was_played(self, picture: Snapshot) -> None:
        """Ask for the round whose end a picture has passed over, if there is one.

        Messages wait meanwhile. If the line is lost once more, the round is asked for
        when it is back.
        """
        if self._owed is None and self._has_passed_over(picture):
            self._owed = self.table.round
        if self._owed is None:
            return
        await self.line.send(Recall(rounds=1))
        try:
            async with asyncio.timeout(CATCH_UP_SECONDS):
                while self._owed is not None:
                    arrival = await self.line.receive()
                    match arrival.message:
                        case Recalled(rounds=rounds):
                            owed = (self.table.name, self._owed)
                            ended = (p for p in rounds if (p.table, p.round) == owed)
                            self._next.extend(ended)
                            self._owed = None
                        case Refused(prompt=None):
                            self._owed = None
                        case _:
                            self._arrived.append(arrival)
        except (LineLostError, TimeoutError):
            pass  # the next call of ``receive`` tells that the line is lost

    def _has_passed_over(self, picture: Snapshot) -> bool:
        """Whether the player had money in a round that is over now."""
        own = self.table.ours.get(self.table.seat_number)
        if own is None or not (own.has_money_in_play or self._unconfirmed is not None):
            return False
        seats = (view for view in picture.seats if view.handle == own.handle)
        is_on = any(view.bet or view.hands for view in seats)
        return picture.round != self.table.round or not is_on

    def _note(self, picture: Snapshot) -> None:
        """Keep the notices of a picture that were not given before."""
        new = (quoted(n) for n in picture.notices if n not in self.first.notices)
        self._notices += [notice for notice in new if notice not in self._notices]

    async def _follows(self, update: Update) -> bool:
        expected = self.table.seq + 1
        if update.seq == expected:
            self._lost_place = False
        elif update.seq > expected and not self._lost_place:
            self._lost_place = True
            await self.line.send(Resync(seq=self.table.seq))
        return update.seq == expected

    def _hear_turn(self, turn: Turn | None, at: float) -> None:
        asked = {ask.prompt for ask in turn.asks} if turn else set()
        if turn is None or turn.milliseconds is None:
            self.deadline = None
        else:
            left = turn.milliseconds / 1000
            # The clock is the same one as long as any of its asks is open.
            self._whole = self._whole if self._asked & asked else left
            self.deadline = Deadline(at + left, self._whole)
        self._confirm(self._asked - asked)
        self._asked = asked

    def _confirm(self, over: set[int] | set[int | None]) -> None:
        """Take the answers under these prompts for arrived, or too late."""
        if self._unconfirmed is not None and self._unconfirmed.prompt in over:
            self._unconfirmed = None
