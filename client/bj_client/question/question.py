"""Questions: each asks a person something, and reads the typed answer.

A question is made from an ``Ask`` and offers exactly what the ask allows. Reading
never fails: it gives the command to send, a word that is good at every prompt, or a
complaint with a sentence about the answers that may be typed.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto

from bj_client.model.decision import DECISIONS, offered
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.views import Ask


class Word(StrEnum):
    """The words that are no answer for the table."""

    LEAVE = "leave"
    HELP = "help"
    TABLE = "table"
    TABLES = "tables"
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

YES, NO = ("y", "yes"), ("n", "no")
_AGAIN = "Play again (y/n)?"
_WORDS = {word.value: word for word in Word if word is not Word.GO_ON} | {
    "q": Word.LEAVE,
    "quit": Word.LEAVE,
    "?": Word.HELP,
    "t": Word.TABLE,
    "r": Word.RULES,
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


@dataclass(frozen=True)
class Question:
    """One open question."""

    prompt: str
    """The line that asks, ending in a question mark."""
    choices: str
    """The possible answers, as a clause: ``type y for yes or n for no``."""
    ask: Ask | None = None
    """The server's ask; None for a question of our own."""
    words: Mapping[str, Reading] = field(default_factory=dict)
    """The answers to the texts that may be typed."""

    @property
    def kind(self) -> Kind:
        """The subject of the question."""
        return kind_of(self.ask)

    def answer(self, text: str) -> Reading:
        """Read a trimmed, lower-case line without control characters."""
        nothing = "That is none of the choices" if text else "Nothing was typed"
        return self.words.get(text) or self.complaint(nothing)

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


def addressed(who: str, question: Question) -> Question:
    """Return the question with the name of the player it is put to."""
    prompt = question.prompt
    return replace(question, prompt=f"{who}, {prompt[:1].lower()}{prompt[1:]}")


def play_again(who: str = "") -> Question:
    """Return the client's own question whether to stay for the next round.

    ``who`` answers for all; empty for a player who is alone.
    """
    return Question(
        f"{who} for all: {_AGAIN}" if who else _AGAIN,
        "type y to play the next round or n to leave the table",
        words={**dict.fromkeys(YES, Word.GO_ON), **dict.fromkeys(NO, Word.LEAVE)},
    )


def decisions(ask: Ask, also: Mapping[str, Action] | None = None) -> dict[str, Reading]:
    """Return the answers that need no amount, by the words that are typed for them.

    ``also`` has the words that only this question takes.
    """
    rows = {word: row for row in offered(ask.actions) for word in row.typed}
    rows |= {word: DECISIONS[action] for word, action in (also or {}).items()}
    return {word: row.command(prompt=ask.prompt) for word, row in rows.items()}
