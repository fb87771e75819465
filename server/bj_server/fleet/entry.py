"""Entry: a server takes its name in the fleet, or is refused.

One start of a name serves. A second one is refused while the counter of the first
moves, and a folder whose journal has not what PostgreSQL has heard of it, always.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace

from bj_server.bank.bank import Bank
from bj_server.bank.store import Pause
from bj_server.bank.visit import Membership, read_stays
from bj_server.fleet.beat import LEASE
from bj_server.fleet.cage import Cage, Floor
from bj_server.fleet.error import FencedError, FleetAwayError, FleetError
from bj_server.fleet.sql.connections import (
    MOST,
    TIMES,
    Connection,
    Times,
    answering,
    connect,
)
from bj_server.fleet.sql.migration import check_schema
from bj_server.fleet.sql.servers import (
    Server,
    check_name,
    find_server,
    fleet_id,
    places,
    raise_epoch,
)

_TRIES = 3
"""How often the epoch is raised, while a transaction of an earlier start is open."""

_LOOKS = 5
"""How often a lease is looked at the counter of an earlier start."""

_STEP = 2**20

_log = logging.getLogger(__name__)


async def enter(
    bank: Bank,
    url: str,
    *,
    floor: Floor | None = None,
    takes_over: bool = False,
    clock: Callable[[], float] = time.monotonic,
    pause: Pause = asyncio.sleep,
    times: Times = TIMES,
    lease: float = LEASE,
) -> Cage:
    """Take the name of a server in the fleet at ``url``; return its cage.

    The name and the address are in the folder of ``bank``, signed by the fleet. With
    ``takes_over`` the counter of an earlier start is not looked at.

    Raises:
        FleetError: if the name, the folder or PostgreSQL is not fit for that.
    """
    view = bank.signer.fleet
    if view is None:
        raise FleetError(
            f"The bank folder {bank.journal.folder} has no word of a fleet: have the "
            f"fleet's key sign this server, whose key is {bank.signer.key}, with "
            "bj-bank fleet sign, and put what it prints into fleet.json there."
        )
    connection = await connect(url, times)
    try:
        async with answering(connection, times.reply):
            await check_schema(connection)
            fleet = await fleet_id(connection)
            found = await find_server(connection, view.name)
            await _check_places(connection)
        me = _membership(bank, fleet, view.name)
        if found is not None:
            check_name(found, me)
            if found.is_running and not takes_over:
                await _watch(connection, found, clock, pause, times, lease)
            me = replace(me, epoch=max(me.epoch, found.epoch))
        me = replace(me, epoch=me.epoch + 1 + secrets.randbelow(_STEP))
        bank.join_fleet(me)
        await _raise(connection, bank, me, view.address, times)
    finally:
        await connection.close()
    cage = Cage(
        bank=bank,
        url=url,
        me=me,
        address=view.address,
        clock=clock,
        floor=floor or Floor(),
        times=times,
        lease=lease,
    )
    try:
        await cage.beat()
    except BaseException:
        await cage.contact.close()
        raise
    return cage


def _membership(bank: Bank, fleet: str, name: str) -> Membership:
    """Return whose folder it is, before it has an epoch of its own."""
    folder, known = bank.journal.folder, bank.books.fleet
    if known is None:
        if bank.books.ledger.players:
            raise FleetError(
                f"The bank folder {folder} has accounts of its own: bring them into "
                "the fleet with bj-bank fleet import, and start with an empty folder."
            )
        journal = secrets.token_hex(8)
        return Membership(fleet=fleet, name=name, journal=journal, epoch=0)
    if known.fleet != fleet:
        raise FleetError(
            f"The bank folder {folder} belongs to another fleet than this PostgreSQL: "
            "name that of its own fleet, or choose another folder."
        )
    if known.name != name:
        raise FleetError(
            f"The bank folder {folder} belongs to server {known.name}, and cannot "
            f"serve as {name}: sign it as {known.name}, or choose another folder."
        )
    return known


async def _watch(
    connection: Connection,
    found: Server,
    clock: Callable[[], float],
    pause: Pause,
    times: Times,
    lease: float,
) -> None:
    """See for a lease that nobody else serves by that name."""
    ends = clock() + lease
    while clock() < ends:
        await pause(lease / _LOOKS)
        async with answering(connection, times.reply):
            now = await find_server(connection, found.name)
        if now is not None and now.counter != found.counter:
            raise FleetError(
                f"Server {found.name} is served already, by another start of it: stop "
                "that one first."
            )


async def _raise(
    connection: Connection, bank: Bank, me: Membership, address: str, times: Times
) -> None:
    async def check(found: Server) -> None:
        journal = bank.journal
        last = journal.synced
        stays = await asyncio.to_thread(read_stays, journal.folder, found.seq, last)
        if found.seq and stays.digest != found.hash:
            raise FleetError(
                f"The journal in {journal.folder} has not the line {found.seq} that "
                "PostgreSQL has heard of, so it is an old copy, or has gone another "
                f"way. Start {me.name} with the folder that goes on. If that is gone "
                f"for ever: bj-bank fleet write-off {me.name}"
            )

    for tries in range(_TRIES, 0, -1):
        try:
            async with answering(connection, times.reply):
                await raise_epoch(connection, me, address, check)
        except FleetAwayError:
            # A transaction of an earlier start is ended by PostgreSQL in time.
            if tries == 1 or connection.closed:
                raise
        except FencedError:
            raise FleetError(
                f"Another start of {me.name} was quicker: stop that one first."
            ) from None
        else:
            return


async def _check_places(connection: Connection) -> None:
    """Warn where PostgreSQL has not the connections that all servers may open."""
    servers, most = await places(connection)
    wanted = (servers + 1) * (MOST + 1)
    if wanted > most:
        _log.warning(
            "PostgreSQL takes %d connections, and the servers of the fleet may open "
            "%d: raise max_connections in postgresql.conf",
            most,
            wanted,
        )
