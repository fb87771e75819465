"""Outgoing: the messages of a table, gathered until they may be sent.

A table speaks only after its money is safe. Until then events, messages to one line and
dismissals wait here. Then they go out in one update, so that all events between two
decisions are one frame.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bj_protocol.events import Event
from bj_protocol.messages import Message, Signed, Update
from bj_protocol.refusal import CloseCode

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Dismissal:
    """A line that is to be closed."""

    line: int
    code: CloseCode
    reason: str
    handle: str | None = None
    """The player whose balance is signed as a good-bye; None for a line without one."""


@dataclass(frozen=True, slots=True)
class Rejoiner:
    """A line that is to be shown the table, or the updates that it has missed."""

    line: int
    seq: int | None = None
    """The last update that it has; None if it has none, or wants the whole picture."""


class Outgoing:
    """The waiting messages of one table."""

    def __init__(self) -> None:
        """Start with nothing to say."""
        self.events: list[Event] = []
        self.words: list[tuple[int, Message]] = []
        """The messages for one line each, with its number."""
        self.dismissals: list[Dismissal] = []
        self.newcomers: list[Rejoiner] = []
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
        self.newcomers.append(Rejoiner(line, seq))

    def dismiss(
        self, line: int, code: CloseCode, reason: str, handle: str | None = None
    ) -> None:
        """Close one line; it has nothing more to hear than a good-bye."""
        self.newcomers = [other for other in self.newcomers if other.line != line]
        self.dismissals.append(Dismissal(line, code, reason, handle))


class Outlet(Protocol):
    """The net, as a dealer needs it. No method waits for anybody.

    A line is a connection, by its number. A line hears announcements from its first
    snapshot on.
    """

    def announce(self, *told: tuple[Update | Signed, str]) -> None:
        """Send messages, as these texts, to every line of the table, all at once."""
        ...

    def tell(self, line: int, message: Message) -> None:
        """Send a message to one line; a line that is gone hears nothing."""
        ...

    def catch_up(self, line: int, seq: int) -> bool:
        """Send a line all updates after ``seq`` again.

        Returns:
            False if there are none, or not all of them are kept; nothing is sent then.
        """
        ...

    def dismiss(self, line: int, code: CloseCode, reason: str) -> None:
        """Close one line, after what it was told before."""
        ...
