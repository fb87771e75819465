"""The line mode: a person, or a script, plays by typed lines.

One loop waits for two things at once, the next message and the next line, so that
others may act and the time may run out while a question is open. The open question
is a function of the table and of what was answered; it is worked out anew after every
message and every line.
"""

import asyncio
from collections import deque
from typing import assert_never

from bj_client.asking import question_for
from bj_client.follow import Follower
from bj_client.narrator import Narrator
from bj_client.question import Complaint, PlayAgain, Question, Word, read_word
from bj_client.source import EndOfInput, Line, Source
from bj_protocol import events
from bj_protocol.messages import Answered, Message, Refused, Snapshot, Update
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Ask

__all__ = ["LineSession"]

_KEPT = 1000
_TOO_LATE = frozenset({RefusalCode.PROMPT_OVER, RefusalCode.NOT_ASKED})


class LineSession:
    """One person's visit to a table, from the first picture until leaving."""

    def __init__(
        self,
        follower: Follower,
        narrator: Narrator,
        source: Source,
        rounds: int | None = None,
    ) -> None:
        """Play until the player leaves, or for a number of ``rounds``."""
        self._follower = follower
        self._narrator = narrator
        self._source = source
        self._rounds = rounds
        self._question: Question | None = None
        self._again: PlayAgain | None = None
        self._answered: set[int] = set()
        self._early: deque[str] = deque(maxlen=_KEPT)
        self._left = False

    async def run(self) -> None:
        """Play. Returns when the player leaves, also at the end of the input.

        Raises:
            Ending: if the visit ends otherwise.
            Interrupted: on Ctrl-C.
        """
        try:
            await self._run()
        except EndOfInput:
            return

    async def _run(self) -> None:
        hearing = asyncio.create_task(self._follower.receive())
        reading = asyncio.create_task(self._source.read())
        try:
            await self._ask()
            while not self._left:
                await asyncio.wait(
                    {hearing, reading}, return_when=asyncio.FIRST_COMPLETED
                )
                if hearing.done():
                    await self._hear(hearing.result())
                    hearing = asyncio.create_task(self._follower.receive())
                else:
                    await self._typed(reading.result())
                    reading = asyncio.create_task(self._source.read())
                await self._ask()
        finally:
            hearing.cancel()
            reading.cancel()
            await asyncio.gather(hearing, reading, return_exceptions=True)
            await self._source.close()

    async def _hear(self, message: Message) -> None:
        table = self._follower.table
        match message:
            case Snapshot():
                await self._narrator.picture(table, message)
            case Update():
                await self._time_up(message)
                rounds = table.record.rounds
                await self._narrator.update(table, message)
                if table.record.rounds > rounds:
                    self._round_over()
            case Refused():
                await self._narrator.notice(message.text)
                if message.prompt is not None and message.code not in _TOO_LATE:
                    self._answered.discard(message.prompt)
            case Answered():
                pass
            case _:
                assert_never(message)

    def _round_over(self) -> None:
        played = self._follower.table.record.rounds
        if self._rounds is not None and played >= self._rounds:
            self._left = True
        else:
            self._again = PlayAgain()

    async def _time_up(self, update: Update) -> None:
        """Say so when what this player was asked is open no longer."""
        asks = () if update.turn is None else update.turn.asks
        still_open = {ask.prompt for ask in asks}
        missed = [ask for ask in self._my_asks if ask.prompt not in still_open]
        self._answered &= still_open
        if not missed:
            return
        self._again = self._question = None
        await self._source.pose(None)
        if not any(isinstance(event, events.RoundVoided) for event in update.events):
            await self._narrator.notice("Time is up.")

    @property
    def _my_asks(self) -> list[Ask]:
        asks = self._follower.table.my_asks
        return [ask for ask in asks if ask.prompt not in self._answered]

    async def _ask(self) -> None:
        """Open the question that is to be answered now, if there is one."""
        await self._open()
        while self._early and self._question is not None and not self._left:
            text = self._early.popleft()
            await self._source.echo(text)
            await self._answer(text)
            await self._open()

    async def _open(self) -> None:
        if self._left:
            return
        question = self._wanted()
        if question is not self._question:
            self._question = question
            if question is not None and question.ask is not None:
                await self._narrator.turn(question.ask, self._follower.table)
        await self._source.pose(question)

    def _wanted(self) -> Question | None:
        if self._again is not None:
            return self._again
        asks = self._my_asks
        if not asks:
            return None
        current = self._question
        if current is not None and current.ask == asks[0]:
            return current
        return question_for(asks[0], self._follower.table)

    async def _typed(self, line: Line) -> None:
        if line.question is not None and line.question is self._question:
            await self._answer(line.text)
        elif line.question is not None and self._source.is_live:
            await self._narrator.notice("That came too late: the question is over.")
        elif self._source.is_live and (word := read_word(line.text)) is not None:
            await self._do(word)
        elif line.text.strip() or not self._source.is_live:
            self._early.append(line.text)

    async def _answer(self, text: str) -> None:
        question = self._question
        if question is None:
            return
        reading = question.read(text)
        match reading:
            case Complaint():
                await self._narrator.notice(reading.sentence)
                await self._source.pose(question, again=True)
            case Word():
                await self._do(reading)
            case _:
                self._answered.add(reading.prompt)
                self._question = None
                await self._source.pose(None)
                await self._follower.send(reading)

    async def _do(self, word: Word) -> None:
        table = self._follower.table
        match word:
            case Word.LEAVE:
                self._left = True
                return
            case Word.GO_ON:
                self._again = self._question = None
                return
            case Word.HELP:
                await self._narrator.help(self._question)
            case Word.TABLE:
                await self._narrator.board(table)
            case Word.RULES:
                await self._narrator.rules(table)
        await self._source.pose(self._question, again=True)
