"""Exit codes: how the command ended, for scripts and for the help text."""

from enum import IntEnum
from typing import Self


class Exit(IntEnum):
    """The status with which ``bj-client`` ends; each member says what it means."""

    LEFT = 0, "the player left in order, also by Ctrl-D or at the end of the input"
    FAULT = 1, "something failed in the client itself, or its output was cut off"
    USAGE = 2, "the command line, the settings file or a record is wrong"
    UNREACHABLE = 3, "no blackjack server answers there"
    REFUSED = 4, "the table refused the player"
    VERSION = 5, "client and server speak different versions of the protocol"
    LOST = 6, "the connection was lost during play, and did not come back in time"
    TAKEN_OVER = 7, "the same handle joined from another connection"
    KEY = 8, "the handle has another key, or the file of its key cannot be used"
    UNTRUSTED = 9, "the server's certificate or key is not the one to trust"
    IDLE = 10, "the seat was given up after three calls for bets went unanswered"
    UNFAIR = 11, "what the server told does not hold; the evidence was saved"
    RECORD = 12, "the file of --record cannot be written"
    STRATEGY = 13, "the bot's strategy raised an error, or gave answers of no use"
    HANGUP = 129, "the terminal was closed (SIGHUP)"
    INTERRUPTED = 130, "Ctrl-C, or Ctrl-Break on Windows"
    TERMINATED = 143, "SIGTERM"

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        """Make a member that is its code and carries what the code means."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        member.__doc__ = meaning
        return member
