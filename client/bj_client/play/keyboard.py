"""The keyboard: the loop of players who type lines or press keys.

It waits for two things at once, the next message and the next action, so that others
may act and the time may run out while a question is open. The open question is worked
out anew after every message and every action. A line is read here; a key of the screen
has a meaning already. A line that was typed too early waits for its question.

While the connection is lost, no question is open, and a typed line is not kept: it
could only answer something else later. Leaving is always possible.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from functools import partial

from bj_client.model.table import Table
from bj_client.net.follow import Broken, Follower, News, Returned
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Chosen, EndOfInputError, Given, Input, Line
from bj_client.play.narrator import Narrator
from bj_client.question.question import (
    Complaint,
    Mute,
    Question,
    Reading,
    SlashCommand,
    Word,
    read_slash,
    read_word,
)
from bj_protocol.commands import Chat, Recall
from bj_protocol.messages import Answered, Recalled, Refused, Snapshot, Update
from bj_protocol.recall import PastRound

_KEPT = 1000
_IN_VAIN = (
    "The line is lost, so that counts for nothing: wait until it is back, or leave "
    "with q."
)
_NOT_TOLD = "Your last rounds did not come; ask for them again when it is back."
_NO_LOBBY = (
    "This table was not chosen from a list: leave with q, and join without --table to "
    "see all that the server has."
)

Heard = Snapshot | Update | Refused | Answered
"""The messages of a server that are about the game."""


@dataclass(eq=False)
class KeyboardSession(ABC):
    """A party's visit to a table, played at one keyboard."""

    hotseat: Hotseat
    narrator: Narrator
    input: Input
    rounds: int | None = None
    """Those to play; None for until the players leave."""
    _early: deque[str] = field(default_factory=partial(deque, maxlen=_KEPT), init=False)
    """Lines that wait for their questions."""
    _question: Question | None = field(default=None, init=False)
    """The open one."""
    _again: Question | None = field(default=None, init=False)
    """Our own question whether to play on, while it is asked."""
    _answered: set[int] = field(default_factory=set, init=False)
    """The prompts of the questions that need no answer any more."""
    _left: bool = field(default=False, init=False)
    _is_cut_off: bool = field(default=False, init=False)
    """Whether the players know that a line is lost."""
    _looks_back: bool = field(default=False, init=False)
    """Whether an answer about past rounds is waited for."""

    @property
    def _table(self) -> Table:
        return self.hotseat.table

    async def run(self) -> None:
        """Play. Returns when the players leave, also at the end of the input."""
        hearing = asyncio.create_task(self.hotseat.receive())
        reading = asyncio.create_task(self.input.read())
        try:
            await self._ask()
            while not self._left:
                await asyncio.wait(
                    {hearing, reading}, return_when=asyncio.FIRST_COMPLETED
                )
                if hearing.done():
                    await self._listen(*hearing.result())
                    hearing = asyncio.create_task(self.hotseat.receive())
                else:
                    await self._read(reading.result())
                    reading = asyncio.create_task(self.input.read())
                await self._ask()
        except EndOfInputError:
            return
        finally:
            hearing.cancel()
            reading.cancel()
            await asyncio.gather(hearing, reading, return_exceptions=True)
            await self.input.close()

    async def _listen(self, member: Follower, news: News) -> None:
        """Take in a message to a member, or a loss of a line."""
        match news:
            case Recalled():
                self._looks_back = False
                await self.narrator.recalled(member.table.handle, news)
            case Broken():
                await self._cut_off(news)
            case Returned():
                await self._go_on(member, news)
            case PastRound():
                handle = member.table.handle
                if self.hotseat.play_past(handle, news):
                    await self.narrator.played_on(handle, news)
            case Snapshot() | Update() | Answered():
                await self._hear(member, news)
            case Refused():
                self._looks_back = False
                await self._hear(member, news)
        await self.narrator.check()

    async def _cut_off(self, broken: Broken) -> None:
        looked_back, self._looks_back = self._looks_back, False
        if not self._is_cut_off:
            self._is_cut_off = True
            if self.input.is_live:
                self._early.clear()
            await self.input.pose(None)
            await self.narrator.notice(str(broken))
            if looked_back:
                await self.narrator.notice(_NOT_TOLD)

    async def _go_on(self, member: Follower, back: Returned) -> None:
        """Tell the events that a member has missed; play goes on once all are back."""
        if not self.hotseat.is_cut_off:
            self._is_cut_off = False
            await self.narrator.notice(str(back))
        for notice in back.notices:
            await self.narrator.notice(self.hotseat.named(member, notice))
        if member is self.hotseat.storyteller:
            for line in back.rules:
                await self.narrator.notice(line)
            await self._hear(member, back.missed)

    async def _read(self, given: Given) -> None:
        """Take in an action; a line is read first, and a key has its meaning."""
        if self._is_cut_off:
            await self._read_in_vain(given)
            return
        match given:
            case Line():
                await self._typed(given)
            case Chosen(question=question) if question is self._question:
                await self._decide(question, given.reading)
            case Chosen():
                await self._too_late()
            case _:
                await self._whisper(given)

    async def _read_in_vain(self, given: Given) -> None:
        """Keep a script's line for its question; for a person only leaving counts."""
        match given:
            case Line(text=text) if not self.input.is_live:
                self._early.append(text)
            case Line(text=text) if Word.LEAVE in {read_word(text), read_slash(text)}:
                self._left = True
            case Word.LEAVE:
                self._left = True
            case Line(text=text) if not text.strip():
                pass
            case _:
                await self.narrator.notice(_IN_VAIN)

    async def _too_late(self) -> None:
        await self.narrator.notice("That came too late: the question is over.")

    async def _whisper(self, aside: SlashCommand) -> None:
        """Say something to the table, or carry out another slash command."""
        match aside:
            case Word():
                await self._do(aside)
                return
            case Complaint():
                await self.narrator.notice(aside.sentence)
            case Recall() if not self._table.ours:
                await self.narrator.notice(
                    "A watcher has no rounds: join with --handle to see yours."
                )
            case Chat() | Recall():
                self._looks_back |= isinstance(aside, Recall)
                await self.hotseat.ask_for(self._question, aside)
            case Mute(handle=handle, is_muted=True):
                self.narrator.muted.add(handle)
                await self.narrator.notice(f"{handle} is muted for you.")
            case Mute(handle=handle):
                self.narrator.muted.discard(handle)
                await self.narrator.notice(f"You hear {handle} again.")
        if not self._looks_back or self.input.is_live:
            await self.input.pose(self._question, again=True)

    async def _do(self, word: Word) -> None:
        """Carry out a word that is good at every prompt."""
        match word:
            case Word.LEAVE:
                self._left = True
                return
            case Word.TABLES if self.hotseat.has_lobby:
                self._left = self.hotseat.wants_lobby = True
                return
            case Word.TABLES:
                await self.narrator.notice(_NO_LOBBY)
            case _:
                await self._look(word)
        await self.input.pose(self._question, again=True)

    async def _look(self, word: Word) -> None:
        """Show what a word asks to see; other words ask for nothing here."""
        match word:
            case Word.HELP:
                await self._help()
            case Word.TABLE:
                await self.narrator.board(self._table)
            case Word.RULES:
                await self.narrator.rules(self._table)
            case Word.HINT:
                await self.narrator.hint(self._question, self._table)
            case Word.SCORE:
                await self.narrator.score(self._table)
            case Word.GO_ON | Word.LEAVE | Word.TABLES:
                pass

    async def _help(self) -> None:
        await self.narrator.help(self._question)

    async def _ask(self) -> None:
        """Open the next question, and answer it by a line that was typed early."""
        if self._is_cut_off:
            return
        await self._open()
        while self._early and self._question is not None and not self._left:
            text = self._early.popleft()
            await self.input.echo(text)
            await self._answer(text)
            await self._open()

    async def _answer(self, text: str) -> None:
        """Answer the open question by a typed line."""
        question = self._question
        if question is not None:
            await self._decide(question, question.read(text))

    @abstractmethod
    async def _open(self) -> None:
        """Open the question that is to be answered now, if there is one."""

    @abstractmethod
    async def _decide(self, question: Question, reading: Reading) -> None:
        """Carry out the answer to the open question, read from a line or a key."""

    @abstractmethod
    async def _hear(self, member: Follower, message: Heard) -> None:
        """Take in a message."""

    @abstractmethod
    async def _typed(self, line: Line) -> None:
        """Take in a typed line."""
