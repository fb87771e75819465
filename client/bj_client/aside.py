"""Asides: what a player types that is no answer to the dealer.

An aside begins with a slash, at any prompt or between two. The words that are good at
every prompt may have a slash, too.
"""

from dataclasses import dataclass
from difflib import get_close_matches

from bj_client.past import read_count
from bj_client.question import Complaint, Word, read_word
from bj_protocol.chat import MAX_CHAT, clean_chat
from bj_protocol.handle import canonical_handle
from bj_protocol.recall import MOST_RECALLED

__all__ = ["Aside", "LookBack", "Mute", "Say", "read_aside", "spell_aside"]

_FORMS = "write /say TEXT, /mute HANDLE, /unmute HANDLE or /history"
_WITH_MORE = ("say", "mute", "unmute", "history")
_LIKE = 0.8
"""How like a word must be to one of ours to be taken for it, misspelt."""


@dataclass(frozen=True, slots=True)
class Say:
    """Something to say to everyone at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Mute:
    """A player of whom to hear no more, or again."""

    handle: str
    is_muted: bool


@dataclass(frozen=True, slots=True)
class LookBack:
    """A wish to see one's last rounds."""

    rounds: int


Aside = Say | Mute | LookBack


def read_aside(text: str) -> Aside | Word | Complaint | None:
    """Read a typed line; None if it is no aside.

    >>> read_aside("/say good luck!")
    Say(text='good luck!')
    >>> read_aside("/mute Eve")
    Mute(handle='eve', is_muted=True)
    >>> read_aside("/history 3")
    LookBack(rounds=3)
    >>> read_aside("/rules")
    <Word.RULES: 'rules'>
    >>> read_aside("50")
    """
    trimmed = text.strip()
    if not trimmed.startswith("/"):
        return None
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
            return LookBack(rounds)
        case _:
            unknown = Complaint(f"That is none of the words with a slash: {_FORMS}.")
            return read_word(trimmed[1:]) or unknown


def spell_aside(said: str) -> str:
    """Return a line of chat, which a slash has opened, as it is typed at a prompt.

    It is spoken, unless it begins with a word of ours, or with another slash. A word
    that is nearly one of ours is not spoken either, so that ``read_aside`` complains.

    >>> spell_aside("good luck"), spell_aside("mute eve"), spell_aside("/mute eve")
    ('/say good luck', '/mute eve', '/mute eve')
    >>> spell_aside("histroy"), spell_aside("/nonsense"), spell_aside("rules")
    ('/histroy', '/nonsense', '/rules')
    """
    if said.startswith("/"):
        return f"/{said.lstrip('/')}"
    word = said.partition(" ")[0].casefold()
    is_ours = bool(get_close_matches(word, _WITH_MORE, n=1, cutoff=_LIKE))
    return f"/{said}" if is_ours or read_word(said) else f"/say {said}"


def _say(text: str) -> Say | Complaint:
    if len(text) > MAX_CHAT:
        return Complaint(f"That is too long to say: {MAX_CHAT} characters at most.")
    cleaned = clean_chat(text)
    return Say(cleaned) if cleaned else Complaint(f"Nothing was said: {_FORMS}.")
