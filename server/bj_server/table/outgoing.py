"""Outgoing: the messages of a table, gathered until they may be sent.

A table speaks only after its money is safe. Until then events, messages to one line and
dismissals wait here. Then they go out in one update, so that all events between two
decisions are one frame. The chat of players and the host is cleaned before it waits.
"""

from typing import TYPE_CHECKING, Protocol

from bj_protocol.chat import clean_chat
from bj_protocol.events import Event, Proclaimed, Said
from bj_protocol.messages import Message, Signed, Update
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_server.table.refusal import RefusalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bj_server.table.context import TableContext


class Outgoing:
    """The waiting messages of one table."""

    def __init__(self) -> None:
        """Start with nothing to say."""
        self.events: list[Event] = []
        self.words: list[tuple[int, Message]] = []
        """The messages for one line each, with its number."""
        self.dismissals: list[tuple[int, CloseCode, str, str | None]] = []
        """The lines to be closed, why, and whose balance is signed as a good-bye."""
        self.newcomers: list[tuple[int, int | None]] = []
        """The lines to be shown the table, or all since the update that they have."""
        self.reports: list[Callable[[], None]] = []
        """The callbacks for the time when all else is said; the host waits for them."""

    def post(self, *events: Event) -> None:
        """Say to everyone that ``events`` have happened."""
        self.events.extend(events)

    def tell(self, line: int, message: Message) -> None:
        """Say something to one line."""
        self.words.append((line, message))

    def welcome(self, line: int, seq: int | None = None) -> None:
        """Show the table to one line, or all since the update ``seq``."""
        self.newcomers.append((line, seq))

    def dismiss(
        self, line: int, code: CloseCode, reason: str, handle: str | None = None
    ) -> None:
        """Close one line; it has nothing more to hear than a good-bye."""
        self.newcomers = [other for other in self.newcomers if other[0] != line]
        self.dismissals.append((line, code, reason, handle))


class Outlet(Protocol):
    """The net, as a dealer needs it. No method waits for anybody.

    A line is a connection, by its number. A line hears announcements from its first
    snapshot on.
    """

    def announce(self, *told: tuple[Update | Signed, str]) -> None:
        """Send messages, as these texts, to every line of the table, all at once."""

    def tell(self, line: int, message: Message) -> None:
        """Send a message to one line; a line that is gone hears nothing."""

    def catch_up(self, line: int, seq: int) -> bool:
        """Send a line all updates after ``seq`` again.

        Returns:
            False if there are none, or not all of them are kept; nothing is sent then.
        """

    def dismiss(self, line: int, code: CloseCode, reason: str) -> None:
        """Close one line, after what it was told before."""


def proclaim(context: "TableContext", text: str) -> None:
    """Pass on a sentence of the host, if anything is left of it."""
    cleaned = clean_chat(text)
    if cleaned:
        context.outgoing.post(Proclaimed(text=cleaned))


def chat(context: "TableContext", line: int, text: str) -> None:
    """Pass on a chat, unless the player may say nothing, or says nothing."""
    seat = context.seats.of_line(line)
    if seat is None:
        raise RefusalError(RefusalCode.NOT_SEATED)
    if seat.handle in context.muted:
        raise RefusalError(RefusalCode.MUTED)
    cleaned = clean_chat(text)
    if not cleaned:
        raise RefusalError(RefusalCode.NOTHING_SAID)
    context.outgoing.post(Said(seat=seat.number, handle=seat.handle, text=cleaned))
