"""The line mode: people, or a script, play by typed lines.

One question is open at a time. The players are asked in the order in which they were
named; the next one is asked once the table has shown the effect of the last answer. So
the open question is a function of the table and of the answers; it is worked out anew
after every message and every line.
"""

from dataclasses import dataclass, field

from bj_client.bot.hint import hint, reckon_ahead
from bj_client.model.table import place_of
from bj_client.net.follow import TOO_LATE, Follower
from bj_client.play.input import Line
from bj_client.play.keyboard import Heard, KeyboardSession
from bj_client.question.asked import question_for
from bj_client.question.question import (
    Complaint,
    Question,
    Reading,
    Word,
    addressed,
    play_again,
    read_slash,
    read_word,
)
from bj_client.words.board import WATCHERS_KEYS
from bj_protocol import events
from bj_protocol.action import By
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Answered, Refused, Snapshot, Update
from bj_protocol.views import Turn


@dataclass(eq=False)
class LineSession(KeyboardSession):
    """A party's visit to a table, from the first picture until leaving."""

    hints: bool = field(default=False, kw_only=True)
    """Whether the help at a play says what basic strategy would do."""
    _bets: dict[int, PlaceBet] = field(default_factory=dict, init=False)
    """The last bet of each seat."""

    async def _hear(self, member: Follower, message: Heard) -> None:
        match message:
            case Snapshot():
                if place_of(message) != self._table.place:
                    self._answered.clear()  # prompts are other questions there
                await self.narrator.picture(self._table, message)
            case Update():
                await self._time_up(message)
                rounds = self._table.rounds
                await self.narrator.update(self._table, message)
                if self._table.rounds > rounds:
                    self._round_over()
            case Refused():
                await self.narrator.notice(self.hotseat.named(member, message.text))
                if message.prompt is not None and message.code not in TOO_LATE:
                    self._answered.discard(message.prompt)
            case Answered():
                pass

    def _round_over(self) -> None:
        if self.rounds is not None and self._table.rounds >= self.rounds:
            self._left = True
        else:
            self._ask_again()

    def _ask_again(self) -> None:
        """Ask whether to play on before anything else; the first player answers."""
        self._again = play_again(self._name(next(iter(self._table.ours))))

    def _name(self, seat: int) -> str:
        """Return the handle that a question has to name: "" for a player alone."""
        ours = self._table.ours
        return ours[seat].handle if len(ours) > 1 else ""

    async def _time_up(self, update: Update) -> None:
        """Say so when the questions to these players are open no longer."""
        gone = {self._table.seat(seat).handle for seat in _gone(update)}
        missed = self._expire(update.turn)
        if missed and self._question is None:
            await self.input.pose(None)
        missed = [handle for handle in missed if handle not in gone]
        is_void = any(isinstance(event, events.RoundVoided) for event in update.events)
        if missed and not is_void:
            alone = len(self.hotseat.members) == 1
            whose = "" if alone else f" for {' and '.join(missed)}"
            await self.narrator.notice(f"Time is up{whose}.")

    def _expire(self, turn: Turn | None) -> list[str]:
        """Close the question if the next ``turn`` asks it no longer.

        Returns:
            The handles of the players who had not answered in time.
        """
        open_still = {ask.prompt for ask in turn.asks} if turn else set()
        asks = self._table.our_asks
        waiting = [ask for ask in asks if ask.prompt not in self._answered]
        missed = [ask for ask in waiting if ask.prompt not in open_still]
        self._answered &= open_still
        if missed and len(missed) == len(waiting):
            self._again = None
        question = self._question
        if question is not None:
            ask, is_again = question.ask, question is self._again
            if ask in missed or (ask is None and not is_again):
                self._question = None
        return [self._table.seat(ask.seat).handle for ask in missed]

    def _wanted(self) -> Question | None:
        """Return the question that is to be open now."""
        asks, question = self._table.our_asks, self._question
        if self._again is not None:
            return self._again
        if not asks or any(ask.prompt in self._answered for ask in asks):
            return None
        if question is not None and question.ask == asks[0]:
            return question
        seat = asks[0].seat
        question = question_for(asks[0], self._table, self._bets.get(seat))
        who = self._name(seat)
        return addressed(who, question) if who else question

    async def _open(self) -> None:
        if self._left:
            return
        if self._looks_back and not self.input.is_live:
            await self.input.pose(None)  # a script reads the answer first
            return
        before, question = self._question, self._wanted()
        self._question = question
        is_new = question is not before
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
        if not self._table.ours:
            await self._look_on(line.text)
            return
        if line.question is not None and line.question is self._question:
            await self._answer(line.text)
        elif line.question is not None and self.input.is_live:
            await self._too_late()
        elif self.input.is_live and (word := read_word(line.text)) is not None:
            await self._do(word)
        elif line.text.strip() or not self.input.is_live:
            self._early.append(line.text)

    async def _look_on(self, text: str) -> None:
        """Take in a line of somebody who watches, and is never asked."""
        word = read_word(text)
        if word in {Word.LEAVE, Word.TABLE, Word.RULES, Word.TABLES}:
            await self._do(word)
        elif text.strip():
            await self.narrator.notice(WATCHERS_KEYS)

    async def _decide(self, question: Question, reading: Reading) -> None:
        match reading:
            case Complaint():
                await self.narrator.notice(reading.sentence)
                await self.input.pose(question, again=True)
            case Word():
                await self._do(reading)
            case _:
                self._answered.add(reading.prompt)
                self._question = None
                await self.input.pose(None)
                if question.ask is not None:
                    if isinstance(reading, PlaceBet):
                        self._bets[question.ask.seat] = reading
                    await self.hotseat.answer(question.ask, reading)
                    if self.hints:
                        await self.narrator.judge(question.ask, self._table)

    async def _help(self) -> None:
        await super()._help()
        ask = None if self._question is None else self._question.ask
        if self.hints and ask is not None and (sentence := hint(ask, self._table)):
            await self.narrator.notice(sentence)

    async def _do(self, word: Word) -> None:
        if word is Word.GO_ON:
            self._again = self._question = None
        else:
            await super()._do(word)


def _gone(update: Update) -> set[int]:
    """Return the seats that were asked no longer since they are being left."""
    left = (events.PlayerLeft, events.PresenceChanged)
    gone = {event.seat for event in update.events if isinstance(event, left)}
    late = (e for e in update.events if getattr(e, "by", None) is By.CLOCK)
    return gone - {getattr(event, "seat", 0) for event in late}
