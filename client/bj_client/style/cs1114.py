"""The style ``cs1114``: the transcripts of ``specs/cs1114.txt`` to the letter.

The text has one player, no money and no clock. So bets are the table's minimum and the
donor's gift is taken, both in silence. Notices of the house, such as that the shoe is
stacked, are left out. A hand whose time is up goes on as if the player had stayed.

Another text with prompts of its own puts them into the game by ``_turn_question``,
``_again_question`` and ``_acknowledge``.
"""

from collections.abc import Iterable

from bj_client.model.decision import DECISIONS
from bj_client.model.table import Table, place_of
from bj_client.net.follow import TOO_LATE, Follower
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Input, Line
from bj_client.play.keyboard import Heard, KeyboardSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.question.question import Complaint, Question, Reading, Word
from bj_client.style import Style
from bj_client.words.text import quoted
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import AcceptGift, AnyAnswer, PlaceBet
from bj_protocol.messages import Answered, Refused, Snapshot, Update
from bj_protocol.views import Ask, HandState, Outcome

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


class Game(KeyboardSession):
    """One player's games, one after the other."""

    _turn_question = staticmethod(hit_or_stay)
    """Returns the question that puts the play of a hand to a person."""

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
            case Refused() if message.code not in TOO_LATE:
                await self.narrator.notice(message.text)
                if self._table.me.hands and message.prompt is not None:
                    self._answered.discard(message.prompt)
            case Refused() | Answered():
                pass  # the next update tells the result

    async def _update(self, update: Update) -> None:
        rounds = self._table.rounds
        await self.narrator.update(self._table, update)
        if any(isinstance(event, events.Announced) for event in update.events):
            self._answered.clear()  # a question refused in a pause is asked anew
        was_voided = any(isinstance(e, events.RoundVoided) for e in update.events)
        if self._table.rounds > rounds or was_voided:
            self._game_over()

    def _game_over(self) -> None:
        if self.rounds is not None and self._table.rounds >= self.rounds:
            self._left = True
        self._again = self._again_question()

    def _again_question(self) -> Question:
        """Return the question that is open between two games."""
        return another_game()

    async def _acknowledge(self, reading: Reading) -> None:
        """Acknowledge a typed answer, before it is acted on."""
        await self.narrator.output.line("")

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


_LABELS = {"A": "1", "T": "10"}
"""The text's transcripts show an ace by its value."""
_VALUES = {"?": 0, "A": 1, **dict.fromkeys("TJQK", 10)}
_VALUES |= {str(number): number for number in range(2, 10)}


def label(card: str) -> str:
    """Return a card of the wire as the text shows it.

    >>> label("As"), label("Td"), label("Jh"), label("7c")
    ('1', '10', 'J', '7')
    """
    return _LABELS.get(card[0], card[0])


def story(table: Table) -> list[str]:
    """Return the lines of the running game, as far as it has come."""
    if not table.me.hands:
        return []
    hand = table.me.hands[0]
    lines = _cards(hand.cards, "Player drew", "Player")
    if hand.state is not HandState.BUSTED:
        lines += _cards(table.dealer.cards, "The dealer has", "Dealer")
    if hand.outcome is not None:
        won = hand.outcome is Outcome.WIN
        lines += ["YOU WIN!" if won else "YOU LOSE!", ""]
    return lines


def _cards(cards: list[str], first: str, who: str) -> list[str]:
    """Tell the first two cards together, then one by one, each with the total."""
    lines = []
    for count in range(2, len(cards) + 1):
        drawn = f"{first} {label(cards[0])} and {label(cards[1])}."
        if count > 2:
            drawn = f"{who} drew {label(cards[count - 1])}."
        total = sum(_VALUES[card[0]] for card in cards[:count])
        lines += [drawn, f"{who}'s total is {total}.", ""]
    return lines


class _Transcript(Narrator):
    """Prints each game as it goes on, and nothing else."""

    output: PlainOutput
    _round = 0
    _told = 0
    """The lines of the round's story that have been printed."""

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        await self._print(["Let's Play Blackjack!", ""])
        await self._go_on(table)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        table.apply(snapshot)
        await self._go_on(table)

    async def event(self, event: events.Event, table: Table) -> None:
        await self._go_on(table)
        if isinstance(event, events.RoundVoided | events.Announced):
            await self.notice(quoted(event.text))

    async def notice(self, sentence: str) -> None:
        """Say a sentence that the text does not have, in a paragraph of its own."""
        await self._print([sentence, ""])

    async def farewell(self, table: Table) -> None:
        await self._print(["Goodbye."])

    async def _go_on(self, table: Table) -> None:
        lines = story(table)
        if table.round != self._round or not lines:
            self._round, self._told = table.round, 0
        await self._print(lines[self._told :])
        self._told = max(self._told, len(lines))

    async def _print(self, lines: list[str]) -> None:
        """Print lines; a prompt that was left open gets its blank line first."""
        if lines and self.output.is_at_prompt:
            await self.output.line("")
        await self._lines(lines)


_BABY = "cs1114-baby"


def play(
    hotseat: Hotseat, narrator: Narrator, typed: Input, rounds: int | None
) -> Game:
    """Return the game; that of the baby house ends after one."""
    is_baby = hotseat.table.house.name == _BABY
    return Game(hotseat, narrator, typed, 1 if is_baby else rounds)


STYLE = Style(
    name="cs1114",
    houses=("cs1114", _BABY),
    narrator=_Transcript,
    session=play,
    alone=True,
)
