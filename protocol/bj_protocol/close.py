"""Close codes: why the server ended a connection, beyond the standard ones."""

from enum import IntEnum


class CloseCode(IntEnum):
    """The codes of the closing frame; its reason is a sentence for people."""

    LEFT = 1000
    """The player left, as asked."""
    SERVER_STOPPING = 1001
    """The server is shutting down; what it has told is safe."""
    TOO_BIG = 1009
    """A message was larger than the server reads."""
    REFUSED = 4000
    """The hello was refused; the ``Refused`` before it says why."""
    TAKEN_OVER = 4001
    """The same handle joined again on another connection."""
    BAD_MESSAGES = 4002
    """Too many messages could not be read."""
    NO_HELLO = 4003
    """The connection did not say hello in time."""
    TOO_SLOW = 4004
    """The client did not read what it was sent."""
    SENT_AWAY = 4005
    """The host has sent the player away."""
    TOO_FAST = 4006
    """Too many messages that brought nothing, though the client was told."""
    IDLE = 4007
    """The player did not answer three calls for bets in a row; the seat is free."""
    TABLE_CLOSED = 4008
    """The host has closed the table; the reason has the player's bank."""
