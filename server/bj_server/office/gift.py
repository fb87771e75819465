"""Gift: the donor's money for a player, at the host's word.

This is the only command that changes a bank, and it takes the lock for it.
"""

from bj_server.bank.bank import Bank
from bj_server.bank.move import handle_of
from bj_server.office.handle import find_handle
from bj_server.office.money import in_dollars
from bj_server.office.options import Options
from bj_server.office.reading import read_books
from bj_server.office.report import Report, as_json

__all__ = ["gift"]


def gift(options: Options) -> Report:
    """Give a player money; it is on the disk when this returns.

    Rounds that a server has left unfinished stay as they are.

    Raises:
        Refused: if nobody is called so, or there is no bank.
        FolderLocked: if a server holds the bank.
        BankError: if the bank cannot be read or written.
    """
    books, _ = read_books(options.bank)
    handles = map(handle_of, books.ledger.accounts)
    handle = find_handle(options.handle, filter(None, handles))
    bank = Bank.open(options.bank, keep=None)
    try:
        bank.give(handle, options.amount)
        balance = bank.balance(handle)
    finally:
        bank.close()
    if options.as_json:
        fields = {"handle": handle, "cents": options.amount, "balance": balance}
        return Report(lines=as_json(fields), remarks=[bank.repaired])
    given, now = in_dollars(options.amount), in_dollars(balance)
    line = f"The donor has given {given} to {handle}, who now has {now}."
    return Report(lines=[line], remarks=[bank.repaired])
