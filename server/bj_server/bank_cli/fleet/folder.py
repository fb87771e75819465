"""Folders and the fleet: the accounts of a folder go in, and come out to a new one.

A folder is closed before its money is in the database: whatever ends this in between,
the same command goes on with the same amounts, and no server starts on the folder.
"""

import secrets
from functools import partial
from pathlib import Path

from bj_game.money import in_dollars
from bj_server.bank.bank import Bank
from bj_server.bank.error import IMPORTED
from bj_server.bank.handles import INVITES_NAME, Bans, Invites
from bj_server.bank.visit import Membership
from bj_server.bank_cli.copy import refuse_if_taken
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import players
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.fleet.office import do
from bj_server.fleet.sql.accounts import Account, Accounts, bring_in, take_out, taken
from bj_server.fleet.sql.servers import fleet_id


def bring_folder(options: Options) -> Report:
    """Bring the accounts of a folder into the fleet, and close the folder."""
    url, folder = options.fleet or "", options.folder
    if not folder.is_dir():
        raise RefusedError(Exit.NO_BANK, f"There is no bank in {folder}.")
    id = do(url, fleet_id)
    bank = Bank.open(folder, keep=None, in_fleet=True)
    try:
        _check(bank, folder, id)
        accounts = _accounts(bank, folder, dict(options.renamed))
        _refuse_taken(do(url, partial(taken, players=accounts.players)))
        if bank.books.fleet is None:
            journal = secrets.token_hex(8)
            bank.join_fleet(
                Membership(fleet=id, name=IMPORTED, journal=journal, epoch=1)
            )
        assert bank.books.fleet is not None
        mark = bank.books.fleet.journal
    finally:
        bank.close()
    new = do(url, partial(bring_in, journal=mark, accounts=accounts))
    cents = sum(account.cents for account in accounts.players)
    count = len(accounts.players)
    line = (
        f"{count} accounts with {in_dollars(cents)} are in the fleet, {new} of them "
        f"now; {folder} is closed."
    )
    fields = {"accounts": count, "cents": cents, "new": new}
    remark = None
    if any(Invites(folder)):
        remark = (
            f"Invitations are each server's own: copy {folder / INVITES_NAME} to the "
            "folder of each server that is to know them, before it starts."
        )
    return Report.of(options, fields, [line], bank.repaired, remark)


def _check(bank: Bank, folder: Path, id: str) -> None:
    """See that the folder is one of its own, or was brought into this fleet before."""
    known, rounds = bank.books.fleet, bank.books.live_rounds
    if known is not None and (known.name, known.fleet) != (IMPORTED, id):
        whose = "another fleet" if known.fleet != id else f"server {known.name}"
        raise RefusedError(
            Exit.NO_BANK,
            f"The bank folder {folder} belongs to {whose}, which has its accounts.",
        )
    if rounds:
        table, round = next(iter(rounds))
        raise RefusedError(
            Exit.NO_BANK,
            f"Round {table}/{round} of {folder} is not over: start the server, and end "
            "it with bj-host drain.",
        )


def _accounts(bank: Bank, folder: Path, renamed: dict[str, str]) -> Accounts:
    books, found = bank.books, players(bank.books)
    strangers = sorted(set(renamed) - set(found))
    names = {handle: renamed.get(handle, handle) for handle in found}
    twice = sorted({new for old, new in names.items() if new != old} & set(found))
    if strangers or twice or len(set(names.values())) < len(names):
        which = (*strangers, *twice, *renamed.values())[0]
        raise RefusedError(
            Exit.WRONG_OPTIONS,
            f"--rename: {which} is nobody in {folder}, or would be there twice.",
        )
    return Accounts(
        players=[
            Account(
                handle=names[handle],
                cents=cents,
                sha256=books.keys.get(handle),
                notices=books.notices.get(handle, ()),
            )
            for handle, cents in found.items()
        ],
        banned=[renamed.get(handle, handle) for handle in Bans(folder)],
    )


def _refuse_taken(handles: list[str]) -> None:
    if handles:
        raise RefusedError(
            Exit.WRONG_OPTIONS,
            f"Others in the fleet have these handles, with other keys: "
            f"{', '.join(handles)}. Nothing was brought in: give each another name "
            "with --rename OLD=NEW, and tell their players.",
        )


def take_folder(options: Options) -> Report:
    """Make a bank folder of all accounts of a fleet."""
    folder = options.folder
    refuse_if_taken(folder)
    accounts = do(options.fleet or "", take_out)
    beside = folder.with_name(f"{folder.name}.new")
    refuse_if_taken(beside)
    bank = Bank.open(beside)
    try:
        for account in accounts.players:
            bank.put_account(account.handle, account.cents, account.sha256)
        bank.journal.sync()
        bank.audit()
        Bans(beside).replace(accounts.banned)
    finally:
        bank.close()
    beside.replace(folder)
    cents = sum(account.cents for account in accounts.players)
    count, untold = (
        len(accounts.players),
        sum(bool(a.notices) for a in accounts.players),
    )
    line = f"{folder} has {count} accounts with {in_dollars(cents)}."
    remark = f"What {untold} of them were not told yet stays in the database."
    fields = {"folder": str(folder), "accounts": count, "cents": cents}
    return Report.of(options, fields, [line], remark if untold else None)
