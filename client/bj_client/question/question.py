"""Questions: each asks a person something, and reads the typed answer.

A question is made from an ``Ask`` and offers exactly what the ask allows. Reading
never fails: it gives the command to send, a word that is good at every prompt, or a
complaint with a sentence about the answers that may be typed.

A slash command is a typed line that is no answer to the dealer. It begins with a slash,
at any prompt or between two. The words that are good at every prompt may have a slash,
too. Text behind two slashes is said to the table.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto

from bj_client.model.decision import DECISIONS, offered
from bj_client.words.past_round import read_count
from bj_protocol.action import Action
from bj_protocol.chat import MAX_CHAT, clean_chat
from bj_protocol.commands import AnyAnswer, Chat, Recall
from bj_protocol.handle import canonical_handle
from bj_protocol.recall import MOST_RECALLED
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


_FORMS = "write /say TEXT, /mute HANDLE, /unmute HANDLE, /history or /help"


@dataclass(frozen=True, slots=True)
class Mute:
    """A wish to hear no more of a player, or to hear them again."""

    handle: str
    is_muted: bool


SlashCommand = Chat | Recall | Mute | Word | Complaint


def read_slash(text: str) -> SlashCommand | None:
    """Read a typed line; None if it is no slash command.

    >>> read_slash("/say good luck!")
    Chat(type='chat', text='good luck!')
    >>> read_slash("//hi")
    Chat(type='chat', text='hi')
    >>> read_slash("/mute Eve")
    Mute(handle='eve', is_muted=True)
    >>> read_slash("/history 3")
    Recall(type='recall', rounds=3)
    >>> read_slash("/rules")
    <Word.RULES: 'rules'>
    >>> read_slash("50")
    """
    trimmed = text.strip()
    if not trimmed.startswith("/"):
        return None
    if trimmed.startswith("//"):
        return _say(trimmed[2:])
    word, _, rest = trimmed[1:].partition(" ")
    match word.casefold():
        case "say":
            return _say(rest)
        case "mute" | "unmute" as what:
            handle = canonical_handle(rest.strip())
            if handle is None:
                return Complaint(f"That is nobody's handle: {_FORMS}.")
            return Mute(handle, is_muted=what == "mute")
        case "history":
            rounds = read_count(rest.strip())
            if rounds is None:
                most = f"1 to {MOST_RECALLED}"
                return Complaint(f"Say how many rounds, {most}, as in /history 5.")
            return Recall(rounds=rounds)
        case _:
            unknown = Complaint(f"That is none of the words with a slash: {_FORMS}.")
            return read_word(trimmed[1:]) or unknown


def _say(text: str) -> Chat | Complaint:
    if len(text) > MAX_CHAT:
        return Complaint(f"That is too long to say: {MAX_CHAT} characters at most.")
    cleaned = clean_chat(text)
    if not cleaned:
        return Complaint(f"Nothing was said: {_FORMS}.")
    return Chat(text=cleaned)
