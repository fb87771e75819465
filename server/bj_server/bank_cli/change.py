"""Changes of a bank that no server holds: of players' accounts, and of its own key.

The key of a fleet is made and used here, too, where no server can read it.
"""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path

from bj_game.money import in_dollars
from bj_server.bank.bank import Bank
from bj_server.bank.books import Books
from bj_server.bank.disk import make_folder, naming, replace_file
from bj_server.bank.error import FolderLockedError
from bj_server.bank.move import stamp, utc_now
from bj_server.bank.signer import FLEET_NAME, KEY_NAME, Signer
from bj_server.bank_cli.balances import Usage
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading, players, read_books
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.table.records import TableState

_LONGEST_SHOWN = 64


def find_handle(wanted: str, handles: Iterable[str]) -> str:
    """Return the handle that ``wanted`` spells, whatever its case.

    >>> find_handle("Ned21", ["lia9", "ned21"])
    'ned21'
    """
    known = sorted(handles)
    spelt = wanted.lower()
    if spelt in known:
        return spelt
    near = get_close_matches(spelt[:_LONGEST_SHOWN], known)
    meant = f"did you mean {' or '.join(near)}?"
    raise RefusedError(
        f"Nobody in this bank is called {wanted[:_LONGEST_SHOWN]!a}: "
        f"{meant if near else 'bj-bank balances lists all'}"
    )


@contextlib.contextmanager
def to_change(
    folder: Path, order: str = "", *, in_fleet: bool = False
) -> Iterator[Bank]:
    """Hold a bank; rounds that a server has left unfinished stay as they are.

    ``order`` is the order by which ``bj-host`` tells a running server the same, if any.
    The folder of a fleet's server, whose accounts are elsewhere, is held ``in_fleet``
    alone.

    Raises:
        RefusedError: if a server holds it, and can do the same.
        FolderLockedError: if it cannot.
    """
    try:
        bank = Bank.open(folder, keep=None, in_fleet=in_fleet)
    except FolderLockedError as held:
        if not order:
            raise
        raise RefusedError(
            f"The bank folder {folder} is in use by {held.holder}. While that server "
            f"runs, order the same of it: bj-host --bank {folder} {order}",
            Exit.NO_BANK,
        ) from None
    try:
        yield bank
    finally:
        bank.close()


def gift(options: Options) -> Report:
    """Give a player money; it is on the disk when this returns."""
    handle = _known(options)
    order = f"gift {handle} {in_dollars(options.amount)[1:]}"
    with to_change(options.bank, order) as bank:
        most = bank.books.ledger.room // 2
        if options.amount > most:
            raise RefusedError(f"No gift may be over {in_dollars(most)} now.")
        bank.give(handle, options.amount)
        balance = bank.balance(handle)
    fields = {"handle": handle, "cents": options.amount, "balance": balance}
    given, now = in_dollars(options.amount), in_dollars(balance)
    line = f"The donor has given {given} to {handle}, who now has {now}."
    return Report.of(options, fields, [line], bank.repaired)


def reset_key(options: Options) -> Report:
    """Forget the key of a player; that is on the disk when this returns."""
    handle = _known(options)
    with to_change(options.bank, f"reset-key {handle}") as bank:
        was_claimed = bank.reset_key(handle)
    fields = {"handle": handle, "reset": was_claimed}
    done = "has no key any more" if was_claimed else "had no key"
    line = f"{handle} {done}: the next one to join under this handle claims it."
    return Report.of(options, fields, [line], bank.repaired)


def new_server_key(options: Options) -> Report:
    """Renew the key by which players know the server; it is on the disk then."""
    Reading(options.bank)
    with to_change(options.bank, in_fleet=True) as bank:
        if bank.books.keys:  # whose players know no key that would be made now
            Signer.read(options.bank / KEY_NAME)
        old, fleet = bank.signer.key, bank.signer.fleet
        new = Signer.renew(options.bank).key
    unsigned = (
        "The fleet's key has not signed the new one yet, and the server does not start "
        f"before: bj-bank fleet sign FILE --name {fleet.name} --server-key {new} ..."
        if fleet
        else None
    )
    line = (
        f"The key of the server is {new} now. The old one, {old}, has signed it, so "
        "that clients which know the server by the old key follow."
    )
    fields = {"key": new, "before": old}
    return Report.of(options, fields, [line], bank.repaired, unsigned)


def new_fleet_key(options: Options) -> Report:
    """Make the key of a fleet; the one that players know so far signs it, if named."""
    if options.file.exists():
        raise RefusedError(
            f"There is something in {options.file}: name a new file, since a key that "
            "is lost cannot be made again."
        )
    old = None
    if options.after is not None:
        is_bank = options.after.is_dir()
        old = Signer.read(options.after / KEY_NAME if is_bank else options.after)
    key = Signer.after(old)
    key.write(options.file)
    line = (
        f"The key of the fleet is {key.key}, in {options.file}. Keep that file and a "
        "copy of it where no server can read it: whoever has it can take servers in."
    )
    follow = f"Players who know {old.key} follow." if old else None
    fields = {"key": key.key, "after": old and old.key}
    return Report.of(options, fields, [line], follow)


def sign_server(options: Options) -> Report:
    """Sign a server; the word of the fleet is no secret, and is put in its folder."""
    fleet, own, folder = Signer.read(options.file), options.server_key, options.bank
    if not own:
        make_folder(folder)
        own = Signer.alone(folder).key
    word = fleet.take_in(own, options.name, options.address, options.doors)
    if options.server_key:
        return Report(lines=[word.model_dump_json()])
    path = folder / FLEET_NAME
    with naming(path):
        replace_file(path, f"{word.model_dump_json()}\n".encode())
    line = f"{folder} is that of server {word.name} in the fleet {word.key}."
    return Report(lines=[line])


def close(options: Options) -> Report:
    """Close accounts, all that are named or none; or only name them."""
    reading, repaired = Reading(options.bank), None
    if options.dry_run:
        chosen = _choose(options, reading)
    else:
        with to_change(options.bank) as bank:
            # Read while nobody else can write.
            chosen = _choose(options, Reading(options.bank))
            bank.close_accounts(chosen)
            repaired = bank.repaired
    closed = [{"handle": handle, "cents": cents} for handle, cents in chosen.items()]
    fields = {"dry_run": options.dry_run, "closed": closed}
    lines = [_told(options, *each) for each in chosen.items()]
    lines = lines or ["No account is to be closed."]
    return Report.of(options, fields, lines, repaired)


def _known(options: Options) -> str:
    """Return the handle of the player whom the options name."""
    return find_handle(options.handle, players(read_books(options.bank)[0]))


def _told(options: Options, handle: str, cents: int) -> str:
    done = "would be" if options.dry_run else "is"
    goes = f"{in_dollars(cents)} goes back to the donor" if cents else "it held nothing"
    return f"The account of {handle} {done} closed; {goes}."


def _choose(options: Options, reading: Reading) -> dict[str, int]:
    """Return the money of the accounts that are to be closed, by handle."""
    usage = Usage.of(reading.books())
    reading.read(usage.visit, "close")
    books, _ = read_books(options.bank)
    accounts, kept = players(books), _reasons(books, usage)
    if options.unused_days is None:
        chosen = {find_handle(wanted, accounts): None for wanted in options.handles}
        refused = [kept[handle] for handle in chosen if handle in kept]
        if refused:
            raise RefusedError(f"{' '.join(refused)} No account was closed.")
        return {handle: accounts[handle] for handle in chosen}
    last = stamp(utc_now() - timedelta(days=options.unused_days))
    # A player whom the journal does not name was seen last before it begins.
    begins = "" if reading.opening is None else reading.opening.time
    return {
        handle: cents
        for handle, cents in accounts.items()
        if handle not in kept and usage.seen.get(handle, begins) <= last
    }


def _reasons(books: Books, usage: Usage) -> dict[str, str]:
    """Return a sentence for each account that must stay open, by handle."""
    reasons = {
        handle: f"{handle} has {in_dollars(cents)}, and it was used or may have been: "
        "only an account that is empty, or that the journal shows opened and never "
        "used, can be closed."
        for handle, cents in players(books).items()
        if cents and handle not in usage.unused
    }
    for table, pending in books.pending_rounds.items():
        # A table whose state cannot be read is not resumed, and nobody sits there.
        with contextlib.suppress(ValueError):
            for seat in TableState.model_validate(pending.state).seats:
                reasons[seat.handle] = (
                    f"{seat.handle} has a seat at table {table}: start the server, and "
                    "stop it once the seat is free."
                )
    for table, round in books.live_rounds:
        for handle, cents in books.held(table, round).items():
            reasons[handle] = (
                f"{handle} has {in_dollars(cents)} at stake in round {table}/{round}: "
                "start the server, and have the round played."
            )
    return reasons
