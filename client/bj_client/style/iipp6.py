"""The session of ``specs/iipp6.txt``: Deal is good at any time."""

from dataclasses import dataclass
from enum import StrEnum

from bj_client.question.question import Asked, Complaint, Question, Reading, Word
from bj_client.style.game import Game
from bj_client.style.iipp6_canvas import Canvas
from bj_client.style.style import Style
from bj_protocol import events
from bj_protocol.commands import AnyAnswer, GiveUp, Hit, Stand
from bj_protocol.messages import Update
from bj_protocol.views import Ask


class Button(StrEnum):
    """The buttons of the text's control area."""

    DEAL = "deal"
    HIT = "hit"
    STAND = "stand"


def read_button(text: str) -> Button | None:
    """Return the button of that name or first letter, if there is one.

    >>> read_button("hit"), read_button("s"), read_button("split")
    (<Button.HIT: 'hit'>, <Button.STAND: 'stand'>, None)
    """
    return next((button for button in Button if text in {button, button[0]}), None)


@dataclass(frozen=True)
class HitOrStand(Asked):
    """How the hand is played; a new deal gives it up."""

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return "Hit or stand?"

    @property
    def choices(self) -> str:
        """The answers that may be typed."""
        return "type hit, stand, or deal to lose this round and be dealt a new one"

    def answer(self, text: str) -> Reading:
        """Read a button."""
        match read_button(text):
            case Button.HIT:
                return Hit(prompt=self.asked.prompt)
            case Button.STAND:
                return Stand(prompt=self.asked.prompt)
            case Button.DEAL:
                return GiveUp(prompt=self.asked.prompt)
            case None:
                return self.no_choice(text)


@dataclass(frozen=True, eq=False)
class NewDeal(Question):
    """The question once a round is over; the client itself asks it."""

    has_busted: bool = False
    """Whether that round was lost by going bust."""

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return "New deal?"

    @property
    def choices(self) -> str:
        """The answers that may be typed."""
        return "type deal for a new deal or q to leave"

    def answer(self, text: str) -> Reading:
        """Read a button, or yes or no."""
        if text in {"y", "yes"}:
            return Word.GO_ON
        if text in {"n", "no"}:
            return Word.LEAVE
        match read_button(text):
            case Button.DEAL:
                return Word.GO_ON
            case Button.HIT | Button.STAND:
                over = "You have busted" if self.has_busted else "The round is over"
                return self.complaint(over)
            case None:
                return self.no_choice(text)


class DealSession(Game):
    """One player's rounds; the first is dealt at once."""

    _has_busted = False
    _deals_anew = False
    """Whether Deal was typed in the middle of the round, which is lost by it."""

    def _turn_question(self, ask: Ask) -> Question:
        return HitOrStand(ask)

    def _again_question(self) -> Question:
        return NewDeal(has_busted=self._has_busted)

    async def _acknowledge(self, reading: Reading) -> None:
        match reading:
            case Complaint():
                await self._narrator.notice(reading.sentence)
            case Word.HELP:
                await self._narrator.help(self._question)
            case Word.TABLE:
                await self._narrator.board(self._table)
            case Word.RULES:
                await self._narrator.rules(self._table)
            case Word.HINT:
                await self._narrator.hint(self._question, self._table)
            case Word.SCORE:
                await self._narrator.score(self._table)
            case _:
                pass  # the rest is told

    async def _update(self, update: Update) -> None:
        for event in update.events:
            if isinstance(event, events.RoundBegan):
                self._has_busted = False
            elif isinstance(event, events.HandBusted):
                self._has_busted = event.seat in self._table.ours
        await super()._update(update)

    async def _send(self, ask: Ask, answer: AnyAnswer) -> None:
        self._deals_anew = isinstance(answer, GiveUp)
        await super()._send(ask, answer)

    def _game_over(self) -> None:
        super()._game_over()
        if self._deals_anew:
            self._again = None


IIPP6 = Style(
    name="iipp6",
    houses=("iipp6",),
    narrator=Canvas,
    session=DealSession,
    alone=True,
    inline=True,
)
"""One player, who is dealt to at once, and anew whenever Deal is typed."""
