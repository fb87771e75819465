"""The line mode: people, or a script, play by typed lines.

One loop waits for two things at once, the next message and the next line, so that
others may act and the time may run out while a question is open. The open question
is a function of the table and of what was answered; it is worked out anew after every
message and every line.
"""

import asyncio
from collections import deque
from typing import assert_never

from bj_client.agenda import Agenda
from bj_client.narrator import Narrator
from bj_client.party import Heard, Party
from bj_client.question import Complaint, Question, Word, read_word
from bj_client.source import EndOfInput, Line, Source
from bj_protocol import events
from bj_protocol.commands import AnyAnswer
from bj_protocol.messages import Answered, Refused, Snapshot, Update
from bj_protocol.refusal import RefusalCode

__all__ = ["LineSession"]

_KEPT = 1000
_TOO_LATE = frozenset({RefusalCode.PROMPT_OVER, RefusalCode.NOT_ASKED})


class LineSession:
    """A party's visit to a table, from the first picture until leaving."""

    def __init__(
        self,
        party: Party,
        narrator: Narrator,
        source: Source,
        rounds: int | None = None,
    ) -> None:
        """Play until the players leave, or for a number of ``rounds``."""
        self._party = party
        self._table = party.table
        self._agenda = Agenda(party.table)
        self._narrator = narrator
        self._source = source
        self._rounds = rounds
        self._early: deque[str] = deque(maxlen=_KEPT)
        self._left = False

    async def run(self) -> None:
        """Play. Returns when the players leave, also at the end of the input.

        Raises:
            Ending: if the visit ends otherwise.
            Interrupted: on Ctrl-C.
        """
        try:
            await self._run()
        except EndOfInput:
            return

    async def _run(self) -> None:
        hearing = asyncio.create_task(self._party.receive())
        reading = asyncio.create_task(self._source.read())
        try:
            await self._ask()
            while not self._left:
                await asyncio.wait(
                    {hearing, reading}, return_when=asyncio.FIRST_COMPLETED
                )
                if hearing.done():
                    await self._hear(hearing.result())
                    hearing = asyncio.create_task(self._party.receive())
                else:
                    await self._typed(reading.result())
                    reading = asyncio.create_task(self._source.read())
                await self._ask()
        finally:
            hearing.cancel()
            reading.cancel()
            await asyncio.gather(hearing, reading, return_exceptions=True)
            await self._source.close()

    async def _hear(self, heard: Heard) -> None:
        message = heard.message
        match message:
            case Snapshot():
                await self._narrator.picture(self._table, message)
            case Update():
                await self._time_up(message)
                rounds = self._table.rounds
                await self._narrator.update(self._table, message)
                if self._table.rounds > rounds:
                    self._round_over()
            case Refused():
                sentence = self._party.named(heard.member, message.text)
                await self._narrator.notice(sentence)
                if message.prompt is not None and message.code not in _TOO_LATE:
                    self._agenda.reopen(message.prompt)
            case Answered():
                pass
            case _:
                assert_never(message)

    def _round_over(self) -> None:
        if self._rounds is not None and self._table.rounds >= self._rounds:
            self._left = True
        else:
            self._agenda.ask_again()

    async def _time_up(self, update: Update) -> None:
        """Say so when what these players were asked is open no longer."""
        missed = self._agenda.expire(update.turn)
        if not missed:
            return
        if self._agenda.question is None:
            await self._source.pose(None)
        if not any(isinstance(event, events.RoundVoided) for event in update.events):
            alone = len(self._party.members) == 1
            whose = "" if alone else f" for {' and '.join(missed)}"
            await self._narrator.notice(f"Time is up{whose}.")

    async def _ask(self) -> None:
        """Open the question that is to be answered now, if there is one."""
        await self._open()
        while self._early and self._agenda.question is not None and not self._left:
            text = self._early.popleft()
            await self._source.echo(text)
            await self._answer(text)
            await self._open()

    async def _open(self) -> None:
        if self._left:
            return
        is_new = self._agenda.open()
        question = self._agenda.question
        if is_new and question is not None and question.ask is not None:
            await self._narrator.turn(question.ask, self._table)
        await self._source.pose(question)

    async def _typed(self, line: Line) -> None:
        question = self._agenda.question
        if line.question is not None and line.question is question:
            await self._answer(line.text)
        elif line.question is not None and self._source.is_live:
            await self._narrator.notice("That came too late: the question is over.")
        elif self._source.is_live and (word := read_word(line.text)) is not None:
            await self._do(word)
        elif line.text.strip() or not self._source.is_live:
            self._early.append(line.text)

    async def _answer(self, text: str) -> None:
        question = self._agenda.question
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
                await self._send(question, reading)

    async def _send(self, question: Question, answer: AnyAnswer) -> None:
        self._agenda.answer(answer.prompt)
        await self._source.pose(None)
        if question.ask is not None:
            await self._party.answer(question.ask, answer)

    async def _do(self, word: Word) -> None:
        match word:
            case Word.LEAVE:
                self._left = True
                return
            case Word.GO_ON:
                self._agenda.play_on()
                return
            case Word.HELP:
                await self._narrator.help(self._agenda.question)
            case Word.TABLE:
                await self._narrator.board(self._table)
            case Word.RULES:
                await self._narrator.rules(self._table)
        await self._source.pose(self._agenda.question, again=True)
