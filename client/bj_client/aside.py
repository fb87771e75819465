"""Asides: what a player types that is not for the dealer, but to or about others.

An aside begins with a slash, at any prompt or between two.
"""

from dataclasses import dataclass

from bj_client.question import Complaint
from bj_protocol.chat import MAX_CHAT, clean_chat
from bj_protocol.handle import canonical_handle

__all__ = ["Aside", "Mute", "Say", "read_aside"]

_FORMS = "write /say TEXT, /mute HANDLE or /unmute HANDLE"


@dataclass(frozen=True, slots=True)
class Say:
    """Something to say to everyone at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Mute:
    """A player of whom to hear no more, or again."""

    handle: str
    is_muted: bool


Aside = Say | Mute


def read_aside(text: str) -> Aside | Complaint | None:
    """Read a typed line; None if it is no aside.

    >>> read_aside("/say good luck!")
    Say(text='good luck!')
    >>> read_aside("/mute Eve")
    Mute(handle='eve', is_muted=True)
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
        case _:
            return Complaint(f"That is none of the words with a slash: {_FORMS}.")


def _say(text: str) -> Say | Complaint:
    if len(text) > MAX_CHAT:
        return Complaint(f"That is too long to say: {MAX_CHAT} characters at most.")
    cleaned = clean_chat(text)
    return Say(cleaned) if cleaned else Complaint(f"Nothing was said: {_FORMS}.")
