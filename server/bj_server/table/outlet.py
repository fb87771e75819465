"""The outlet: how a table speaks to the world, whatever carries the words."""

from typing import Protocol

from bj_protocol.close import CloseCode
from bj_protocol.messages import Message, Signed, Update


class Outlet(Protocol):
    """What a dealer needs of the net. No method waits for anybody.

    A line is a connection, by its number. A line hears announcements from its first
    snapshot on.
    """

    def announce(self, message: Update | Signed, text: str) -> None:
        """Send a message, as this text, to every line of the table."""
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
