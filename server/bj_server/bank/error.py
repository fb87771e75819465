"""The bank's errors; ``str`` of each is a sentence for people.

::

    BankError
    ├── OverdraftError       an account does not hold what it should pay
    ├── MispostedError       a posting that contradicts what is held for its round
    ├── LineError            bytes that are no line of a journal, or cannot become one
    │   ├── IllegibleError       bytes that are not what was written
    │   └── OtherFormatError     bytes that a server of another release has written
    ├── UnbalancedError      the books contradict themselves: a fault of ours
    ├── JournalError         the journal cannot be written: stop taking bets
    │   └── JournalStalledError  it cannot just now, and is mended when the disk allows
    ├── JournalDamagedError  the journal read at the start is not what was written
    ├── BankDamagedError     the readable balances are not what was written
    ├── UnknownFormatError   a file that a server of another release has written
    ├── BankUnusableError    a file or folder of the bank refuses to be used
    └── FolderLockedError    another server holds the bank folder
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from bj_game.money import dollars

IMPORTED = "(imported)"
"""In the place of a server's name, in a folder whose accounts are a fleet's now."""


class BankError(Exception):
    """The bank cannot do something, or will not."""


@dataclass(eq=False)
class OverdraftError(BankError):
    """An account would fall below zero; amounts in cents."""

    account: str
    balance: int
    amount: int

    def __str__(self) -> str:
        held, wanted = dollars(self.balance), dollars(self.amount)
        return f"The account {self.account} holds {held} and cannot pay {wanted}."


class MispostedError(BankError):
    """A posting that does not fit what is held for its round; a caller's mistake."""


class LineError(BankError):
    """Not a line of a journal; its text completes "line 7: ...."."""


class IllegibleError(LineError):
    """Not the bytes that were written; a power cut may leave such ones."""


class OtherFormatError(LineError):
    """The header of a format that is not read here."""

    def __init__(self, named: int, known: tuple[int, ...]) -> None:
        is_newer = named > known[-1]
        super().__init__(
            f"it is of format {named}, and this server reads up to {known[-1]}"
            if is_newer
            else f"it is of the old format {named}, and this server reads from "
            f"{known[0]} on"
        )
        self.age = "a newer" if is_newer else "an older"
        """The kind of server that has written it."""


class UnbalancedError(BankError):
    """The books contradict themselves; no further bet may be taken on them."""


@dataclass(eq=False)
class _FileError(BankError):
    """An error about one file or folder of the bank.

    Its sentence is that of the class, with the path, the reason of the system or the
    check, and the remedy: a clause of the error's own, or the usual one.
    """

    _sentence: ClassVar[str]
    _usual: ClassVar[str] = ""

    path: Path
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        path = self.path
        remedy = self.remedy or self._usual.format(path=path)
        return self._sentence.format(path=path, reason=self.reason, remedy=remedy)


class JournalError(_FileError):
    """The journal could not be written."""

    _sentence = (
        "The journal {path} cannot be written: {reason}. No bets are taken; mend the "
        "disk or free some space, then start the server again."
    )


class JournalStalledError(JournalError):
    """A write or sync failed; what was appended waits in memory to be mended."""

    _sentence = (
        "The journal {path} cannot be written: {reason}. No bets are taken until it "
        "can; mend the disk or free some space."
    )


@dataclass(eq=False)
class JournalDamagedError(BankError):
    """The journal holds something else than was written; it is left untouched."""

    path: Path
    line: int | None
    """Counted from 1; None for the whole file."""
    reason: str

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        return (
            f"The journal {self.path}{line}: {self.reason}. Nothing was changed; see "
            f"the rest with: bj-bank audit --bank {self.path.parent}. Then put the "
            "bank folder back from a good copy and start the server again."
        )


class BankDamagedError(_FileError):
    """A file of the bank cannot be read as what it is, or contradicts the journal."""

    _sentence = "The bank file {path} {reason}. Nothing was changed; {remedy}."
    _usual = (
        "check the journal with: bj-bank audit --bank {path.parent}. Then move "
        "{path.name} away to have it rebuilt from the journal"
    )


class UnknownFormatError(_FileError):
    """A server of another release has written the file; nothing is wrong with it."""

    _sentence = "The bank file {path}: {reason}. Nothing was changed; {remedy}."

    @classmethod
    def of(cls, path: Path, found: OtherFormatError) -> Self:
        """Return the error about a file in which that format was found."""
        remedy = f"{found.age} server has written it: use that one"
        return cls(path, str(found), remedy)


class BankUnusableError(_FileError):
    """The system refused the use of a file or folder of the bank."""

    _sentence = "The bank cannot use {path}: {reason}. {remedy}."
    _usual = (
        "See to its owner, its permissions and the space on its disk, or choose "
        "another bank folder"
    )


class FleetLackingError(BankError):
    """The server is to join a fleet, and lacks what that needs."""

    def __str__(self) -> str:
        return (
            "A server of a fleet needs psycopg, which is not installed: install "
            "blackjack-table[fleet]."
        )


@dataclass(eq=False)
class FleetFolderError(BankError):
    """The folder belongs to a server of a fleet, and would be opened without it."""

    folder: Path
    name: str

    def __str__(self) -> str:
        if self.name == IMPORTED:
            return (
                f"The accounts of the bank folder {self.folder} were brought into a "
                "fleet, so nothing goes on here: choose another folder."
            )
        return (
            f"The bank folder {self.folder} belongs to server {self.name} of a fleet, "
            "whose bank is in PostgreSQL: start bj-server with --fleet, change "
            "accounts with bj-bank fleet, or choose another folder."
        )


@dataclass(eq=False)
class FolderLockedError(BankError):
    """Another running server holds the bank folder."""

    folder: Path
    holder: str

    def __str__(self) -> str:
        return (
            f"The bank folder {self.folder} is in use by {self.holder}. Stop that "
            "server first, or choose another bank folder."
        )
