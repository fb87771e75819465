"""Change: opening a bank that no server holds, to write one thing down for a player."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from bj_server.bank.bank import Bank
from bj_server.bank.move import handle_of
from bj_server.office.handle import find_handle
from bj_server.office.reading import read_books

__all__ = ["player_of", "to_change"]


def player_of(folder: Path, wanted: str) -> str:
    """Return the handle of the player that ``wanted`` spells, in its one spelling.

    Raises:
        Refused: if nobody is called so, or there is no bank.
        BankError: if the bank cannot be read.
    """
    books, _ = read_books(folder)
    return find_handle(wanted, filter(None, map(handle_of, books.ledger.accounts)))


@contextlib.contextmanager
def to_change(folder: Path) -> Iterator[Bank]:
    """Hold a bank; rounds that a server has left unfinished stay as they are.

    Raises:
        FolderLocked: if a server holds it.
        BankError: if it cannot be read or written.
    """
    bank = Bank.open(folder, keep=None)
    try:
        yield bank
    finally:
        bank.close()
