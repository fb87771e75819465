"""Errors: every way in which a visit ends that the player did not choose.

::

    ClientError
    ├── UnreachableError      no line was opened, for a reason of ``Unreached``
    ├── HelloRefusedError     no seat: the handle, the table, or no room
    ├── MovedError            the seat, or the table, is at another server of the fleet
    ├── KeyRefusedError       the handle has another key than the one that was shown
    ├── KeyUnusableError      the file of the key is none, or may not be read
    ├── WrongHouseError       the style on the command line is not for this house
    ├── VersionMismatchError  client and server are of different ages
    ├── LineLostError         the connection broke, or the server closed it
    ├── TakenOverError        the same handle joined elsewhere, and has the seat
    ├── StoodUpError          three calls for bets in a row went unanswered
    ├── SentAwayError         the host sent the player away
    ├── RecordUnusableError   the file of ``--record`` cannot be written (``fair``)
    ├── NoHomeError           this user has no home directory to keep things in
    ├── NoPrivateServerError  ``--solo`` could not start its own server
    └── OutputClosedError     nobody reads what we print

Those about encryption are in ``net/tls.py``, those about fleets in ``net/route.py``.
Each has its ``Exit`` and its one sentence, made of the arguments of its constructor.
"""

import errno
import os
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import ClassVar, Self

from bj_protocol import PROTOCOL_VERSION


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


class ClientError(Exception):
    """The visit is over; ``str()`` says why and what to do next."""

    exit: ClassVar[Exit]
    sentence: ClassVar[str] = "{}"
    """Has a place for each argument of ``ClientError``."""

    def __str__(self) -> str:
        return self.sentence.format(*self.args)


class Unreached(StrEnum):
    """Why no line to a server was opened."""

    NOBODY = (
        "There is no blackjack server at {}: start one with bj-server, or name another "
        "with --server."
    )
    NOT_OURS = (
        "The program at {} is not a blackjack server: check the address that --server "
        "names."
    )
    FULL = (
        "The server at {} takes no more connections just now: try again later, or name "
        "another with --server."
    )
    FULL_FOR_ADDRESS = (
        "The server at {} has as many connections from your address as it takes: close "
        "another client here, or try again later."
    )
    MUTE = (
        "Nothing answers in time at {}: check the address and your line, or try again "
        "later."
    )
    ENCRYPTS = "The server at {} speaks over encrypted lines alone: write --server {}."
    LACKS_ENCRYPTION = (
        "The server at {} does not encrypt: ask the host for an address with wss://, "
        "or write ws:// and leave --tls-ca and --tls-pin out, in a network that you "
        "trust."
    )


class UnreachableError(ClientError):
    """No line to a server was opened."""

    exit = Exit.UNREACHABLE

    def __init__(
        self, server: str, why: Unreached = Unreached.NOBODY, better: str = ""
    ) -> None:
        """Take the address as the player would write it, and as it is right."""
        super().__init__(server, better)
        self.why = why

    def __str__(self) -> str:
        return self.why.format(*self.args)


class HelloRefusedError(ClientError):
    """The server gave no seat."""

    exit = Exit.REFUSED

    def __init__(self, sentence: str, *, is_passing: bool = False) -> None:
        """Remember the sentence that says why and names the remedy.

        ``is_passing`` says that the same hello may well be taken a little later.
        """
        super().__init__(sentence)
        self.is_passing = is_passing


class MovedError(ClientError):
    """The hello belongs to another server of the fleet."""

    exit = Exit.REFUSED
    sentence = "The server sends you on to table {1} at {0}: join there."

    def __init__(self, address: str, table: str) -> None:
        super().__init__(address, table)
        self.address = address
        self.table = table


class KeyRefusedError(ClientError):
    """The server knows the player of this handle by another key.

    The arguments are the handle, and the file of the key that was shown.
    """

    exit = Exit.KEY
    sentence = (
        "The handle {} has another key at this server than the one in {}: put the "
        "right one there, from where the handle was first used, or ask the host to "
        "reset it, or choose another handle."
    )


class KeyUnusableError(ClientError):
    """The file in the place of a key cannot be used as one."""

    exit = Exit.KEY
    sentence = "The key file {} {}: {}."

    def __init__(self, file: Path, reason: str, remedy: str = "") -> None:
        """Take the file, and the clause that completes "The key file FILE ...."."""
        remedy = remedy or (
            "put the right one there, or name another with --key-file; without one a "
            "new key is made, for a new handle"
        )
        super().__init__(file, reason, remedy)


class WrongHouseError(ClientError):
    """The table plays another house than those that a style can show."""

    exit = Exit.USAGE
    sentence = (
        "--style {} is for {}, and this table plays {}: leave --style out, or join "
        "another table."
    )

    def __init__(self, style: str, houses: tuple[str, ...], house: str) -> None:
        """Take the style, the houses that it shows, and the table's."""
        super().__init__(style, " and ".join(houses), house)


class VersionMismatchError(ClientError):
    """The two ends speak different versions."""

    exit = Exit.VERSION

    def __init__(self, theirs: int | None, said: str = "") -> None:
        """Take the server's version, or its sentence if it named none."""
        version, remedy = "another version", "update the older of the two"
        if theirs is not None:
            version, remedy = f"version {theirs}", "update bj-client"
            if theirs < PROTOCOL_VERSION:
                remedy = "ask the host to update bj-server"
        sentence = (
            f"The server speaks {version} of the protocol and this bj-client version "
            f"{PROTOCOL_VERSION}: {remedy}."
        )
        super().__init__(said if said and theirs is None else sentence)


class LineLostError(ClientError):
    """The connection ended during play."""

    exit = Exit.LOST
    sentence = "{}: {}."

    def __init__(
        self,
        why: str = "The connection to the server was lost",
        next_step: str = "",
        *,
        is_final: bool = False,
    ) -> None:
        """Take the event and the remedy, both without a full stop.

        ``is_final`` says that to come back by itself would be of no use.
        """
        safe = "your money is safe with its bank, so join again to play on"
        super().__init__(why, next_step or safe)
        self.is_final = is_final


class TakenOverError(ClientError):
    """The handle's seat now belongs to another connection."""

    exit = Exit.TAKEN_OVER
    sentence = (
        "The handle {} joined from another connection, which has the seat now: play on "
        "there, or join again to take it back."
    )


class StoodUpError(ClientError):
    """The seat is free: its player was there, and silent."""

    exit = Exit.IDLE
    sentence = (
        "{} did not answer three calls for bets in a row and has stood up: the money "
        "is safe, so join again to play on."
    )


class SentAwayError(ClientError):
    """The host wants the player here no more."""

    exit = Exit.REFUSED
    sentence = (
        "The host has sent {} away from the table: the money is safe; ask the host "
        "before you join again."
    )


class NoHomeError(ClientError):
    """There is no place in which something of this user could be kept."""

    exit = Exit.USAGE
    sentence = "This user has no home directory: set HOME to a folder{}."

    def __init__(self, option: str = "") -> None:
        """Take the option that names another place, if one does."""
        super().__init__(f", or name a file with {option}" if option else "")


class NoPrivateServerError(ClientError):
    """The server of ``--solo`` did not start."""

    exit = Exit.UNREACHABLE
    sentence = (
        "The private server did not start{}: make sure that no other bj-client --solo "
        "is running, and try again."
    )

    def __init__(self, said: str) -> None:
        """Take the last thing that it said on its error stream."""
        super().__init__(f" ({said.rstrip('.')})" if said else "")


class OutputClosedError(ClientError):
    """Nobody reads what we print; ``quiet`` if that is the reader's wish."""

    exit = Exit.FAULT
    sentence = (
        "The output cannot be written ({}): make room or name another place for it."
    )

    def __init__(self, reason: str, *, quiet: bool) -> None:
        super().__init__(reason)
        self.quiet = quiet

    @classmethod
    def by(cls, error: OSError | ValueError) -> Self:
        """Return the ending that a failed write has; a reader may go as it likes."""
        if not isinstance(error, OSError):
            return cls("it is closed", quiet=True)
        # The last is what Windows says where others say the first.
        ends = {errno.EPIPE, errno.EIO, errno.ESHUTDOWN, errno.EINVAL}
        quiet = error.errno in ends
        return cls(os.strerror(error.errno or errno.EIO), quiet=quiet)
