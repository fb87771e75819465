"""Questions: each asks a person something, and reads the typed answer.

A question is made from an ``Ask`` and offers exactly what the ask allows. Reading
never fails: it gives the command to send, a word that is good at every prompt, or a
complaint with a sentence about the answers that may be typed.
"""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import ClassVar

from bj_client.model.decision import DECISIONS, offered
from bj_client.words.money import short, span
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.model import MAX_WAGER
from bj_protocol.views import Ask, WagerRange


class Word(StrEnum):
    """The words that are no answer for the table."""

    LEAVE = "leave"
    HELP = "help"
    TABLE = "table"
    TABLES = "tables"
    """To leave this table, and choose another."""
    RULES = "rules"
    HINT = "hint"
    SCORE = "score"
    GO_ON = "go on"
    """Yes to ``Play again``; the table need not hear of it."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A typed line that is no answer; the sentence never repeats it."""

    sentence: str


Reading = AnyAnswer | Word | Complaint

_AGAIN = "Play again (y/n)?"
_WORDS = {
    "q": Word.LEAVE,
    "quit": Word.LEAVE,
    "leave": Word.LEAVE,
    "?": Word.HELP,
    "help": Word.HELP,
    "t": Word.TABLE,
    "table": Word.TABLE,
    "tables": Word.TABLES,
    "r": Word.RULES,
    "rules": Word.RULES,
    "hint": Word.HINT,
    "score": Word.SCORE,
    "summary": Word.SCORE,
}


def read_word(text: str) -> Word | None:
    """Return the word that is good at every prompt, if ``text`` is one."""
    return _WORDS.get(text.strip().casefold())


class Kind(Enum):
    """The subject of a question."""

    BET = auto()
    GIFT = auto()
    ACES = auto()
    INSURANCE = auto()
    PAIR = auto()
    OFFER = auto()
    PLAY = auto()
    AGAIN = auto()
    """Whether to play on; the client's own question."""


def kind_of(ask: Ask | None) -> Kind:
    """Return the kind of an ask, by its possible answers; None is our own question."""
    if ask is None:
        return Kind.AGAIN
    kinds = (kind for action, kind in _KINDS.items() if action in ask.actions)
    return next(kinds, Kind.PLAY)


_KINDS = {
    Action.PLACE_BET: Kind.BET,
    Action.ACCEPT_GIFT: Kind.GIFT,
    Action.ACE_HIGH: Kind.ACES,
    Action.HIT: Kind.PLAY,
    Action.STAND: Kind.PLAY,
    Action.INSURE: Kind.INSURANCE,
    Action.SPLIT: Kind.PAIR,
    Action.EVEN_MONEY: Kind.OFFER,
    Action.SURRENDER: Kind.OFFER,
}
"""The first action that is asked decides."""


class Question(ABC):
    """One open question."""

    @property
    @abstractmethod
    def prompt(self) -> str:
        """The line that asks, ending in a question mark."""

    @property
    @abstractmethod
    def choices(self) -> str:
        """The possible answers, as a clause: ``type y for yes or n for no``."""

    @property
    def ask(self) -> Ask | None:
        """The server's ask; None for a question of our own."""
        return None

    @property
    def kind(self) -> Kind:
        """The subject of the question."""
        return kind_of(self.ask)

    @abstractmethod
    def answer(self, text: str) -> Reading:
        """Read a trimmed, lower-case line without control characters."""

    def amount(self, typed: str) -> Reading:
        """Read the digits of an amount, and the spots behind it."""
        return self.answer(typed)

    def read(self, text: str) -> Reading:
        """Read a typed line."""
        trimmed = text.strip()
        if any(unicodedata.category(mark) == "Cc" for mark in trimmed):
            return self.complaint("That has characters that cannot be typed here")
        return read_word(trimmed) or self.answer(trimmed.casefold())

    def complaint(self, why: str) -> Complaint:
        """Complain, and name the answers that may be typed."""
        return Complaint(f"{why}: {self.choices}.")

    def no_choice(self, text: str) -> Complaint:
        """Complain about a line that is none of the choices."""
        return self.complaint(
            "That is none of the choices" if text else "Nothing was typed"
        )


@dataclass(frozen=True, eq=False)
class Addressed(Question):
    """A question that names the player it is put to, where there are several."""

    who: str
    question: Question

    @property
    def prompt(self) -> str:
        """The line that asks."""
        prompt = self.question.prompt
        return f"{self.who}, {prompt[:1].lower()}{prompt[1:]}"

    @property
    def choices(self) -> str:
        """The answers that may be typed."""
        return self.question.choices

    @property
    def ask(self) -> Ask | None:
        """The server's ask."""
        return self.question.ask

    def answer(self, text: str) -> Reading:
        """Read the line as the question itself does."""
        return self.question.answer(text)

    def amount(self, typed: str) -> Reading:
        """Read the digits as the question itself does."""
        return self.question.amount(typed)


@dataclass(frozen=True, eq=False)
class PlayAgain(Question):
    """Whether to stay for the next round; asked by the client itself."""

    who: str = ""
    """The player who answers for all; empty for a player who is alone."""

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return f"{self.who} for all: {_AGAIN}" if self.who else _AGAIN

    @property
    def choices(self) -> str:
        """The answers that may be typed."""
        return "type y to play the next round or n to leave the table"

    def answer(self, text: str) -> Reading:
        """Read yes or no; no is leaving."""
        match text:
            case "y" | "yes":
                return Word.GO_ON
            case "n" | "no":
                return Word.LEAVE
            case _:
                return self.no_choice(text)


_ANY_WAGER = WagerRange(minimum=1, maximum=MAX_WAGER, step=1)


@dataclass(frozen=True)
class Asked(Question):
    """A question of the server, with the words for its wagers."""

    asked: Ask
    also: ClassVar[Mapping[str, Action]] = {}
    """The words that only this question takes."""

    def chosen(self, text: str) -> AnyAnswer | None:
        """Read a decision that needs no amount; None for anything else."""
        known = {word: row for row in offered(self.asked.actions) for word in row.typed}
        known |= {word: DECISIONS[action] for word, action in self.also.items()}
        row = known.get(text)
        return None if row is None else row.command(prompt=self.asked.prompt)

    @property
    def ask(self) -> Ask:
        """The server's ask."""
        return self.asked

    @property
    def wager(self) -> WagerRange:
        """The wagers that are allowed; any where the ask does not say."""
        return self.asked.wager or _ANY_WAGER

    @property
    def span(self) -> str:
        """The range of the wager, such as ``$1 to $500``."""
        return span(self.wager)

    @property
    def amounts(self) -> str:
        """The amounts that may be typed, as a part of a sentence."""
        step = self.wager.step
        if self.wager.minimum == self.wager.maximum:
            return self.span
        if step == 1:
            return f"an amount from {self.span}"
        if step == 100:
            return f"whole dollars from {self.span}"
        return f"an amount from {self.span} in steps of {short(step)}"
