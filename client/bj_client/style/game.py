"""The game of ``specs/cs1114.txt``: one game after another, money in silence.

A text with prompts of its own puts them in by ``_turn_question``, ``_again_question``
and ``_acknowledge``.
"""

from dataclasses import dataclass, field

from bj_client.model.decision import DECISIONS
from bj_client.model.table import place_of
from bj_client.net.follow import TOO_LATE, Follower
from bj_client.play.input import Line
from bj_client.play.keyboard import Heard, KeyboardSession
from bj_client.question.question import Complaint, Question, Reading, Word
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import AcceptGift, AnyAnswer, PlaceBet
from bj_protocol.messages import Answered, Refused, Snapshot, Update
from bj_protocol.views import Ask

_HIT, _STAY = DECISIONS[Action.HIT], DECISIONS[Action.STAND]


class _Exact(Question):
    """A question whose answers are letters and nothing else, not even with blanks."""

    def read(self, text: str) -> Reading:
        """Read a line to the letter; only what ends it on other systems is dropped."""
        return self.answer(text.removesuffix("\r"))


def hit_or_stay(ask: Ask) -> Question:
    """Ask how the hand is played."""
    return _Exact(
        f"Hit ({_HIT.key}) or Stay ({_STAY.key})?",
        f"type {_HIT.key} to hit or {_STAY.key} to stay",
        ask,
        {each.key: each.command(prompt=ask.prompt) for each in (_HIT, _STAY)},
    )


def another_game() -> Question:
    """Ask whether there is another game, as the client itself does."""
    choices = "type Y for another game or N to leave"
    words = {"Y": Word.GO_ON, "N": Word.LEAVE}
    return _Exact("Play again (Y/N)?", choices, words=words)


def silent_answer(ask: Ask) -> AnyAnswer | None:
    """Return the answer about money that needs no asking; None for all else."""
    if Action.PLACE_BET in ask.actions and ask.wager is not None:
        return PlaceBet(prompt=ask.prompt, amount=ask.wager.minimum)
    if Action.ACCEPT_GIFT in ask.actions:
        return AcceptGift(prompt=ask.prompt)
    return None


@dataclass(eq=False)
class Game(KeyboardSession):
    """One player's games, one after the other."""

    rounds: int | None = None
    """Those to play; None for until the player says N."""
    _answered: set[int] = field(default_factory=set, init=False)
    _question: Question | None = field(default=None, init=False)
    _again: Question | None = field(default=None, init=False)
    """The question that is open between two games."""

    async def _hear(self, member: Follower, message: Heard) -> None:
        match message:
            case Snapshot():
                if place_of(message) != self._table.place:
                    self._answered.clear()  # prompts are other questions there
                was_playing, number = bool(self._table.me.hands), self._table.round
                await self.narrator.picture(self._table, message)
                missed = self._table.round != number or not self._table.me.hands
                if was_playing and missed:
                    self._game_over()
            case Update():
                await self._update(message)
            case Refused():
                await self._refused(message)
            case Answered():
                pass

    async def _update(self, update: Update) -> None:
        rounds = self._table.rounds
        await self.narrator.update(self._table, update)
        if any(isinstance(event, events.Announced) for event in update.events):
            self._answered.clear()  # a question refused in a pause is asked anew
        was_voided = any(isinstance(e, events.RoundVoided) for e in update.events)
        if self._table.rounds > rounds or was_voided:
            self._game_over()

    async def _refused(self, refused: Refused) -> None:
        if refused.code in TOO_LATE:
            return  # the next update tells the result
        await self.narrator.notice(refused.text)
        if self._table.me.hands and refused.prompt is not None:
            self._answered.discard(refused.prompt)

    def _game_over(self) -> None:
        if self.rounds is not None and self._table.rounds >= self.rounds:
            self._left = True
        self._again = self._again_question()

    def _turn_question(self, ask: Ask) -> Question:
        """Return the question that puts the play of a hand to a person."""
        return hit_or_stay(ask)

    def _again_question(self) -> Question:
        """Return the question that is open between two games."""
        return another_game()

    async def _acknowledge(self, reading: Reading) -> None:
        """Acknowledge a typed answer, before it is acted on."""
        await self.narrator.output.line("")

    @property
    def _open_question(self) -> Question | None:
        return self._question

    async def _open(self) -> None:
        if self._left:
            return
        asks = self._table.my_asks
        self._answered &= {ask.prompt for ask in asks}
        open_asks = [ask for ask in asks if ask.prompt not in self._answered]
        if self._again is not None or not open_asks:
            self._question = self._again
        elif (answer := silent_answer(open_asks[0])) is not None:
            await self._send(open_asks[0], answer)
        elif self._question != (asked := self._turn_question(open_asks[0])):
            self._question = asked
        await self.input.pose(self._question)

    async def _typed(self, line: Line) -> None:
        if line.question is not None and line.question is self._question:
            await self._answer(line.text)
        elif line.question is None or not self.input.is_live:
            # A person's late answer is dropped; a script's is for the next question.
            self._early.append(line.text)

    async def _answer(self, text: str) -> None:
        question = self._question
        if question is not None:
            await self._decide(question, question.read(text))

    async def _too_late(self) -> None:
        pass  # what became of it is told

    async def _decide(self, question: Question, reading: Reading) -> None:
        await self._acknowledge(reading)
        match reading:
            case Word.LEAVE | Word.GO_ON:
                self._left = reading is Word.LEAVE
                self._again = None
            case Complaint() | Word():
                await self.input.pose(question, again=True)
            case _:
                if question.ask is not None:
                    await self._send(question.ask, reading)

    async def _send(self, ask: Ask, answer: AnyAnswer) -> None:
        self._answered.add(ask.prompt)
        self._question = None
        await self.input.pose(None)
        await self.hotseat.answer(ask, answer)
