"""The line mode: people, or a script, play by typed lines.

The open question is a function of the table and of the answers; it is worked out anew
after every message and every line.
"""

from dataclasses import dataclass, field

from bj_client.bot.hint import hint, reckon_ahead
from bj_client.net.follow import TOO_LATE, Follower
from bj_client.play.input import Line
from bj_client.play.keyboard import Heard, KeyboardSession
from bj_client.question.bet import LastBet
from bj_client.question.question import Complaint, Question, Reading, Word, read_word
from bj_client.question.queue import QuestionQueue
from bj_client.question.slash import read_slash
from bj_protocol import events
from bj_protocol.action import By
from bj_protocol.messages import Answered, Refused, Snapshot, Update


@dataclass(eq=False)
class LineSession(KeyboardSession):
    """A party's visit to a table, from the first picture until leaving."""

    rounds: int | None = None
    """Those to play; None for until the players leave."""
    hints: bool = field(default=False, kw_only=True)
    """Whether the help at a play says what basic strategy would do."""
    _last_bet: LastBet = field(default_factory=LastBet, init=False)

    def __post_init__(self) -> None:
        """Ask what the table asks."""
        self._queue = QuestionQueue(self._table)

    async def _hear(self, member: Follower, message: Heard) -> None:
        match message:
            case Snapshot():
                await self.narrator.picture(self._table, message)
            case Update():
                await self._time_up(message)
                rounds = self._table.rounds
                await self.narrator.update(self._table, message)
                if self._table.rounds > rounds:
                    self._round_over()
            case Refused():
                sentence = self.hotseat.named(member, message.text)
                await self.narrator.notice(sentence)
                if message.prompt is not None and message.code not in TOO_LATE:
                    self._queue.reopen(message.prompt)
            case Answered():
                pass

    def _round_over(self) -> None:
        if not self._table.ours:
            return
        if self.rounds is not None and self._table.rounds >= self.rounds:
            self._left = True
        else:
            self._queue.ask_again()

    async def _time_up(self, update: Update) -> None:
        """Say so when the questions to these players are open no longer."""
        gone = {self._table.seat(seat).handle for seat in _gone(update)}
        missed = self._queue.expire(update.turn)
        if missed and self._queue.question is None:
            await self.input.pose(None)
        missed = [handle for handle in missed if handle not in gone]
        is_void = any(isinstance(event, events.RoundVoided) for event in update.events)
        if missed and not is_void:
            alone = len(self.hotseat.members) == 1
            whose = "" if alone else f" for {' and '.join(missed)}"
            await self.narrator.notice(f"Time is up{whose}.")

    @property
    def _open_question(self) -> Question | None:
        return self._queue.question

    async def _open(self) -> None:
        if self._left:
            return
        if self._looks_back and not self.input.is_live:
            await self.input.pose(None)  # a script reads the answer first
            return
        is_new = self._queue.open()
        question = self._queue.question
        if is_new and question is not None and question.ask is not None:
            if self.input.is_live:
                reckon_ahead(question.ask, self._table)
            await self.narrator.turn(question.ask, self._table)
        await self.input.pose(question)

    async def _typed(self, line: Line) -> None:
        aside = read_slash(line.text)
        if aside is not None:
            await self._whisper(aside)
            return
        question = self._queue.question
        if line.question is not None and line.question is question:
            await self._answer(line.text)
        elif line.question is not None and self.input.is_live:
            await self._too_late()
        elif self.input.is_live and (word := read_word(line.text)) is not None:
            await self._do(word)
        elif line.text.strip() or not self.input.is_live:
            self._early.append(line.text)

    async def _answer(self, text: str) -> None:
        question = self._queue.question
        if question is not None:
            reading = question.read(self._last_bet.spell(text, question))
            await self._decide(question, reading)

    async def _decide(self, question: Question, reading: Reading) -> None:
        match reading:
            case Complaint():
                await self.narrator.notice(reading.sentence)
                await self.input.pose(question, again=True)
            case Word():
                await self._do(reading)
            case _:
                self._queue.answer(reading.prompt)
                await self.input.pose(None)
                if question.ask is not None:
                    self._last_bet.note(question.ask.seat, reading)
                    await self.hotseat.answer(question.ask, reading)
                    if self.hints:
                        await self.narrator.judge(question.ask, self._table)

    async def _help(self) -> None:
        await super()._help()
        question = self._queue.question
        ask = None if question is None else question.ask
        if self.hints and ask is not None and (sentence := hint(ask, self._table)):
            await self.narrator.notice(sentence)

    async def _do(self, word: Word) -> None:
        if word is Word.GO_ON:
            self._queue.play_on()
        else:
            await super()._do(word)


def _gone(update: Update) -> set[int]:
    """Return the seats that were asked no longer since they are being left."""
    left = (events.PlayerLeft, events.PresenceChanged)
    gone = {event.seat for event in update.events if isinstance(event, left)}
    late = (e for e in update.events if getattr(e, "by", None) is By.CLOCK)
    return gone - {getattr(event, "seat", 0) for event in late}
