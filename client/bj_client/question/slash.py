"""Slash commands: typed lines that are no answer to the dealer.

A slash command begins with a slash, at any prompt or between two. The words that are
good at every prompt may have a slash, too. Text behind two slashes is said to the
table.
"""

from dataclasses import dataclass

from bj_client.question.question import Complaint, Word, read_word
from bj_client.words.past_round import read_count
from bj_protocol.chat import MAX_CHAT, clean_chat
from bj_protocol.handle import canonical_handle
from bj_protocol.recall import MOST_RECALLED

_FORMS = "write /say TEXT, /mute HANDLE, /unmute HANDLE, /history or /help"


@dataclass(frozen=True, slots=True)
class Say:
    """Something to say to everyone at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Mute:
    """A wish to hear no more of a player, or to hear them again."""

    handle: str
    is_muted: bool


@dataclass(frozen=True, slots=True)
class LookBack:
    """A wish to see one's last rounds."""

    rounds: int


SlashCommand = Say | Mute | LookBack | Word | Complaint


def read_slash(text: str) -> SlashCommand | None:
    """Read a typed line; None if it is no slash command.

    >>> read_slash("/say good luck!"), read_slash("//hi")
    (Say(text='good luck!'), Say(text='hi'))
    >>> read_slash("/mute Eve")
    Mute(handle='eve', is_muted=True)
    >>> read_slash("/history 3")
    LookBack(rounds=3)
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
            return LookBack(rounds)
        case _:
            unknown = Complaint(f"That is none of the words with a slash: {_FORMS}.")
            return read_word(trimmed[1:]) or unknown


def _say(text: str) -> Say | Complaint:
    if len(text) > MAX_CHAT:
        return Complaint(f"That is too long to say: {MAX_CHAT} characters at most.")
    cleaned = clean_chat(text)
    return Say(cleaned) if cleaned else Complaint(f"Nothing was said: {_FORMS}.")
