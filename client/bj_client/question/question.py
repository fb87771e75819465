"""Questions: each asks a person something, and reads the typed answer.

A question is made from an ``Ask`` and offers exactly what the ask allows. Reading
never fails: it gives the command to send, a word that is good at every prompt, or a
complaint with a sentence about the answers that may be typed.
"""

import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum

from bj_client.words.money import short, span
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

    @abstractmethod
    def answer(self, text: str) -> Reading:
        """Read a trimmed, lower-case line without control characters."""

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
