"""Errors: every way in which a visit ends that the player did not choose.

::

    ClientError
    ├── UnreachableError      nobody listens there, or the opening failed
    │   ├── NotOurServerError     something answers, but not with our protocol
    │   ├── ServerFullError       it takes no more connections, or none from here
    │   └── MuteServerError       it never answers the hello
    ├── HelloRefusedError     no seat: the handle, the table, or no room
    ├── KeyRefusedError       the handle has another key than the one that was shown
    ├── KeyUnusableError      the file of the key is none, or may not be read
    ├── WrongHouseError       the style on the command line is not for this house
    ├── VersionMismatchError  client and server are of different ages
    ├── LineLostError         the connection broke, or the server closed it
    ├── TakenOverError        the same handle joined elsewhere
    ├── StoodUpError          three calls for bets in a row went unanswered
    ├── SentAwayError         the host sent the player away
    ├── RecordUnusableError   the file of ``--record`` cannot be written (``fair``)
    ├── NoHomeError           this user has no home directory to keep things in
    ├── NoPrivateServerError  ``--solo`` could not start its own server
    └── OutputClosedError     nobody reads what we print

Those about encryption are in ``net/tls.py``. Each carries its data and its exit code,
and builds its one sentence in ``__str__``.
"""

import errno
import os
from pathlib import Path
from typing import ClassVar, Self

from bj_client.exits import Exit
from bj_protocol import PROTOCOL_VERSION

_UPDATE = "update bj-client"


class ClientError(Exception):
    """The visit is over; ``str()`` says why and what to do next."""

    exit: ClassVar[Exit]


class UnreachableError(ClientError):
    """No connection could be opened."""

    exit = Exit.UNREACHABLE

    def __init__(self, server: str) -> None:
        """Remember the address as the player would write it."""
        super().__init__(server)
        self.server = server

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"There is no blackjack server at {self.server}: start one with "
            "bj-server, or name another with --server."
        )


class NotOurServerError(UnreachableError):
    """Something answers there, but it does not speak our protocol."""

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"What answers at {self.server} is not a blackjack server: check the "
            "address that --server names."
        )


class ServerFullError(UnreachableError):
    """The server answers, and has no room for this connection."""

    def __init__(self, server: str, *, is_by_address: bool) -> None:
        """Remember the address, and whether it is our own that has too many."""
        super().__init__(server)
        self.is_by_address = is_by_address

    def __str__(self) -> str:
        """Return the sentence."""
        if self.is_by_address:
            return (
                f"The server at {self.server} has as many connections from your "
                "address as it takes: close another client here, or try again later."
            )
        return (
            f"The server at {self.server} takes no more connections just now: try "
            "again later, or name another with --server."
        )


class MuteServerError(UnreachableError):
    """The connection opened, and then nothing was said."""

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The server at {self.server} does not answer the hello: try again "
            "later, or name another with --server."
        )


class HelloRefusedError(ClientError):
    """The server gave no seat."""

    exit = Exit.REFUSED

    def __init__(self, sentence: str, *, is_passing: bool = False) -> None:
        """Remember the sentence that says why and names the remedy.

        ``is_passing`` says that the same hello may well be taken a little later.
        """
        super().__init__(sentence)
        self.is_passing = is_passing


class KeyRefusedError(ClientError):
    """The server knows the player of this handle by another key."""

    exit = Exit.KEY

    def __init__(self, handle: str, file: Path | None = None) -> None:
        """Remember the handle, and the file of the key that was shown."""
        super().__init__(handle, file)
        self.handle = handle
        self.file = file

    def __str__(self) -> str:
        """Return the sentence; it names the file, and never what is in it."""
        return (
            f"The handle {self.handle} has another key at this server than the one in "
            f"{self.file}: put the right one there, from where the handle was first "
            "used, or ask the host to reset it, or choose another handle."
        )


class KeyUnusableError(ClientError):
    """The file in the place of a key cannot be used as one."""

    exit = Exit.KEY

    def __init__(self, file: Path, reason: str, remedy: str = "") -> None:
        """Remember the file, and the clause that completes "The key file FILE ...."."""
        super().__init__(file, reason, remedy)
        self.file = file
        self.reason = reason
        self.remedy = remedy or (
            "put the right one there, or name another with --key-file; without one a "
            "new key is made, for a new handle"
        )

    def __str__(self) -> str:
        """Return the sentence."""
        return f"The key file {self.file} {self.reason}: {self.remedy}."


class WrongHouseError(ClientError):
    """The table plays another house than those that a style can show."""

    exit = Exit.USAGE

    def __init__(self, style: str, houses: tuple[str, ...], house: str) -> None:
        """Remember the style, the houses that it shows, and the table's."""
        super().__init__(style, houses, house)
        self.style = style
        self.houses = houses
        self.house = house

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"--style {self.style} is for {' and '.join(self.houses)}, and this table "
            f"plays {self.house}: leave --style out, or join another table."
        )


class VersionMismatchError(ClientError):
    """The two ends speak different versions."""

    exit = Exit.VERSION

    def __init__(self, theirs: int | None, said: str = "") -> None:
        """Remember the server's version, or its sentence if it named none."""
        super().__init__(theirs, said)
        self.theirs = theirs
        self.said = said

    def __str__(self) -> str:
        """Return the sentence."""
        if self.theirs is None and self.said:
            return self.said
        theirs, remedy = "another version", "update the older of the two"
        if self.theirs is not None:
            is_old = self.theirs < PROTOCOL_VERSION
            theirs = f"version {self.theirs}"
            remedy = "ask the host to update bj-server" if is_old else _UPDATE
        return (
            f"The server speaks {theirs} of the protocol and this bj-client version "
            f"{PROTOCOL_VERSION}: {remedy}."
        )


class LineLostError(ClientError):
    """The connection ended during play."""

    exit = Exit.LOST

    def __init__(
        self,
        why: str = "The connection to the server was lost",
        next_step: str = "",
        *,
        is_final: bool = False,
    ) -> None:
        """Remember the event and the remedy, both without a full stop.

        ``is_final`` says that to come back by itself would be of no use.
        """
        super().__init__(why, next_step)
        self.why = why
        self.is_final = is_final
        self.next_step = next_step or (
            "your money is safe with its bank, so join again to play on"
        )

    def __str__(self) -> str:
        """Return the sentence."""
        return f"{self.why}: {self.next_step}."


class TakenOverError(ClientError):
    """The handle's seat now belongs to another connection."""

    exit = Exit.TAKEN_OVER

    def __init__(self, handle: str) -> None:
        """Remember whose seat it was."""
        super().__init__(handle)
        self.handle = handle

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The handle {self.handle} joined from another connection, which has the "
            "seat now: play on there, or join again to take it back."
        )


class StoodUpError(ClientError):
    """The seat is free: its player was there, and silent."""

    exit = Exit.IDLE

    def __init__(self, handle: str) -> None:
        """Remember whose seat it was."""
        super().__init__(handle)
        self.handle = handle

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"{self.handle} did not answer three calls for bets in a row and has stood "
            "up: the money is safe, so join again to play on."
        )


class SentAwayError(ClientError):
    """The host wants the player here no more."""

    exit = Exit.REFUSED

    def __init__(self, handle: str) -> None:
        """Remember who was sent away."""
        super().__init__(handle)
        self.handle = handle

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The host has sent {self.handle} away from the table: the money is safe; "
            "ask the host before you join again."
        )


class NoHomeError(ClientError):
    """There is no place in which something of this user could be kept."""

    exit = Exit.USAGE

    def __init__(self, option: str = "") -> None:
        """Remember the option that names another place, if one does."""
        super().__init__(option)
        self.option = option

    def __str__(self) -> str:
        """Return the sentence."""
        other = f", or name a file with {self.option}" if self.option else ""
        return f"This user has no home directory: set HOME to a folder{other}."


class NoPrivateServerError(ClientError):
    """The server of ``--solo`` did not start."""

    exit = Exit.UNREACHABLE

    def __init__(self, said: str) -> None:
        """Remember the last thing it said on its error stream."""
        super().__init__(said)
        self.said = said

    def __str__(self) -> str:
        """Return the sentence."""
        reason = f" ({self.said.rstrip('.')})" if self.said else ""
        return (
            f"The private server did not start{reason}: make sure that no other "
            "bj-client --solo is running, and try again."
        )


class OutputClosedError(ClientError):
    """Nobody reads what we print; ``quiet`` if that is the reader's wish."""

    exit = Exit.FAULT

    def __init__(self, reason: str, *, quiet: bool) -> None:
        """Remember why."""
        super().__init__(reason)
        self.reason = reason
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

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The output cannot be written ({self.reason}): make room or name "
            "another place for it."
        )
