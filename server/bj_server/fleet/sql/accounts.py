"""Accounts in SQL as a whole: brought in from a folder, and taken out to one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from bj_game.money import in_dollars
from bj_server.fleet.error import FleetError
from bj_server.fleet.sql.connections import Connection, records, rows
from bj_server.fleet.sql.players import (
    ban,
    give,
    leave_notices,
    open_account,
    read_bans,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A player's account, at rest."""

    handle: str
    cents: int
    sha256: str | None = field(repr=False)
    """The hash of the key; None for a handle that anyone may claim."""
    notices: Sequence[str] = ()
    """Sentences that the player was not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """All accounts of a bank, and the handles to which it is shut."""

    players: Sequence[Account]
    banned: Collection[str] = ()


async def taken(connection: Connection, players: Sequence[Account]) -> list[str]:
    """Return those handles that belong to somebody with another key already."""
    found = await rows(
        connection,
        "SELECT handle, sha256 FROM players WHERE handle = ANY(%s)",
        [player.handle for player in players],
    )
    known = {row.handle: row.sha256 for row in found}
    return [
        player.handle
        for player in players
        if known.get(player.handle, player.sha256) != player.sha256
    ]


async def bring_in(connection: Connection, journal: str, accounts: Accounts) -> int:
    """Give all that a folder had to its players; return how many gifts were new.

    ``journal`` names the folder, whose gifts are given once.

    Raises:
        FleetError: if a handle belongs to somebody else; then nothing is done.
    """
    count = 0
    async with connection.transaction():
        for player in accounts.players:
            handle = player.handle
            await open_account(connection, handle, player.sha256)
            if await taken(connection, [player]):
                raise FleetError(f"{handle} was claimed with another key just now.")
            gift = f"import/{journal}/{handle}"
            if await give(connection, gift, handle, player.cents) is not None:
                count += 1
                await leave_notices(connection, handle, player.notices)
        await ban(connection, accounts.banned)
    return count


async def take_out(connection: Connection) -> Accounts:
    """Return all accounts of a fleet in which nobody plays.

    Raises:
        FleetError: if somebody does, or an account is below zero.
    """
    async with connection.transaction():
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        busy = await rows(
            connection,
            "SELECT handle, server FROM visits WHERE cents_out IS NULL ORDER BY handle",
        )
        if busy:
            where = f"{busy[0].handle} at {busy[0].server}"
            raise FleetError(
                f"{len(busy)} visits are open, such as that of {where}: drain the "
                "servers first, or write off those that are gone for ever."
            )
        running = await rows(connection, "SELECT name FROM counters WHERE is_running")
        if running:
            raise FleetError(
                f"Server {running[0].name} has not been stopped in order: stop it, or "
                "start and stop it, before the accounts are taken out."
            )
        players = await records(
            connection,
            Account,
            "SELECT p.handle, p.cents, p.sha256, "
            "ARRAY(SELECT n.text FROM notices n WHERE n.handle = p.handle "
            "ORDER BY n.id) AS notices FROM players p ORDER BY p.handle",
        )
        banned = await read_bans(connection)
    for player in players:
        if player.cents < 0:
            raise FleetError(
                f"{player.handle} has {in_dollars(player.cents)} at rest, since money "
                "was spent twice while PostgreSQL had lost it: give it a gift first."
            )
    return Accounts(players=players, banned=banned)
