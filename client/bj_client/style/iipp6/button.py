"""The buttons of ``specs/iipp6.txt``: Deal, Hit and Stand, and when each is good."""

from dataclasses import dataclass
from enum import StrEnum

from bj_client.question import Question, Reading, Word
from bj_protocol.commands import GiveUp, Hit, Stand
from bj_protocol.views import Ask


class Button(StrEnum):
    """What the text's control area has."""

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
class HitOrStand(Question):
    """How the hand is played; a new deal gives it up."""

    asked: Ask

    @property
    def ask(self) -> Ask:
        """The server's ask."""
        return self.asked

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return "Hit or stand?"

    @property
    def choices(self) -> str:
        """What may be typed."""
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
    """What is open once a round is over; asked by the client itself."""

    has_busted: bool = False
    """Whether that round was lost by going bust."""

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return "New deal?"

    @property
    def choices(self) -> str:
        """What may be typed."""
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
