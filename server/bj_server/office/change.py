"""Change: opening a bank that no server holds, to write one thing down for a player."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from bj_server.bank.bank import Bank
from bj_server.bank.error import FolderLocked
from bj_server.bank.move import handle_of
from bj_server.office.handle import find_handle
from bj_server.office.reading import read_books
from bj_server.office.report import Exit, Refused


def player_of(folder: Path, wanted: str) -> str:
    """Return the handle of the player that ``wanted`` spells, in its one spelling.

    Raises:
        Refused: if nobody is called so, or there is no bank.
        BankError: if the bank cannot be read.
    """
    books, _ = read_books(folder)
    return find_handle(wanted, filter(None, map(handle_of, books.ledger.accounts)))


@contextlib.contextmanager
def to_change(folder: Path, order: str = "") -> Iterator[Bank]:
    """Hold a bank; rounds that a server has left unfinished stay as they are.

    ``order`` is what ``bj-host`` would say to a server that runs, if it can.

    Raises:
        Refused: if a server holds it, and can do the same.
        FolderLocked: if it cannot.
        BankError: if it cannot be read or written.
    """
    try:
        bank = Bank.open(folder, keep=None)
    except FolderLocked as held:
        if not order:
            raise
        raise Refused(
            Exit.NO_BANK,
            f"The bank folder {folder} is in use by {held.holder}. While that server "
            f"runs, order the same of it: bj-host --bank {folder} {order}",
        ) from None
    try:
        yield bank
    finally:
        bank.close()
