"""The database of a fleet, and what its servers cannot do there themselves.

It is brought up to this release. The accounts of a folder go in, and come out to a new
one. The visits at a server that is gone for ever are paid.

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
from bj_server.bank_cli.change import to_change
from bj_server.bank_cli.copy import new_folder
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import players
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.fleet.beat import LEASE
from bj_server.fleet.sql.accounts import Account, Accounts, bring_in, take_out, taken
from bj_server.fleet.sql.connections import Connection
from bj_server.fleet.sql.migration import in_database, migrate, schema_of
from bj_server.fleet.sql.recovery import write_server_off
from bj_server.fleet.sql.servers import fleet_id


def bring_up(options: Options) -> Report:
    """Carry out the migrations that are missing."""

    async def work(connection: Connection) -> tuple[list[int], int]:
        done = await migrate(connection)
        return done, (await schema_of(connection))[0]

    done, schema = in_database(options.fleet or "", work, is_new=True)
    line = f"The database of the fleet has schema {schema}; now migrated: {len(done)}."
    return Report.of(options, {"schema": schema, "done": done}, [line])


def bring_folder(options: Options) -> Report:
    """Bring the accounts of a folder into the fleet, and close the folder."""
    url, folder = options.fleet or "", options.folder
    if not folder.is_dir():
        raise RefusedError(f"There is no bank in {folder}.", Exit.NO_BANK)
    id = in_database(url, fleet_id)
    with to_change(folder, in_fleet=True) as bank:
        _check(bank, folder, id)
        accounts = _accounts(bank, folder, dict(options.renamed))
        others = in_database(url, partial(taken, players=accounts.players))
        if others:
            raise RefusedError(
                f"Others in the fleet have these handles, with other keys: "
                f"{', '.join(others)}. Nothing was brought in: give each another name "
                "with --rename OLD=NEW, and tell their players."
            )
        if bank.books.fleet is None:
            journal = secrets.token_hex(8)
            bank.join_fleet(
                Membership(fleet=id, name=IMPORTED, journal=journal, epoch=1)
            )
        assert bank.books.fleet is not None
        mark = bank.books.fleet.journal
    new = in_database(url, partial(bring_in, journal=mark, accounts=accounts))
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
            f"The bank folder {folder} belongs to {whose}, which has its accounts.",
            Exit.NO_BANK,
        )
    if rounds:
        table, round = next(iter(rounds))
        raise RefusedError(
            f"Round {table}/{round} of {folder} is not over: start the server, and end "
            "it with bj-host drain.",
            Exit.NO_BANK,
        )


def _accounts(bank: Bank, folder: Path, renamed: dict[str, str]) -> Accounts:
    books, found = bank.books, players(bank.books)
    strangers = sorted(set(renamed) - set(found))
    names = {handle: renamed.get(handle, handle) for handle in found}
    twice = sorted({new for old, new in names.items() if new != old} & set(found))
    if strangers or twice or len(set(names.values())) < len(names):
        which = (*strangers, *twice, *renamed.values())[0]
        raise RefusedError(
            f"--rename: {which} is nobody in {folder}, or would be there twice."
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


def take_folder(options: Options) -> Report:
    """Make a bank folder of all accounts of a fleet."""
    folder = options.folder
    with new_folder(folder) as beside:
        accounts = in_database(options.fleet or "", take_out)
        with to_change(beside) as bank:
            for account in accounts.players:
                bank.put_account(account.handle, account.cents, account.sha256)
            bank.journal.sync()
            bank.audit()
            Bans(beside).replace(accounts.banned)
    cents = sum(account.cents for account in accounts.players)
    count = len(accounts.players)
    untold = sum(bool(account.notices) for account in accounts.players)
    line = f"{folder} has {count} accounts with {in_dollars(cents)}."
    remark = f"What {untold} of them were not told yet stays in the database."
    fields = {"folder": str(folder), "accounts": count, "cents": cents}
    return Report.of(options, fields, [line], remark if untold else None)


def write_off(options: Options) -> Report:
    """Pay the visits at a server that is gone for ever, and not heard for a lease."""
    work = partial(write_server_off, name=options.name, seconds=LEASE)
    paid = in_database(options.fleet or "", work)
    fields = {
        "server": options.name,
        "paid": [{"handle": p.handle, "in": p.came, "out": p.goes} for p in paid],
    }
    lines = [
        f"{p.handle} came with {in_dollars(p.came)}, and has {in_dollars(p.goes)} back."
        for p in paid
    ]
    lost = sum(p.came - p.goes for p in paid)
    lines.append(
        f"Server {options.name} is written off, with {len(paid)} open visits; the "
        f"account lost:{options.name} keeps the difference of {in_dollars(lost)}."
    )
    return Report.of(options, fields, lines)
