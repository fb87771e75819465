"""The host: opens the bank, sets the tables, and serves them until told to stop."""

import asyncio
import signal
import sys
from collections.abc import Callable

from bj_server.bank.bank import Bank
from bj_server.desk.desk import Desk
from bj_server.desk.listener import listening
from bj_server.net.app import App
from bj_server.net.bans import Bans
from bj_server.net.lobby import Lobby, Place
from bj_server.net.room import Room
from bj_server.settings import Settings, TablePlan
from bj_server.table.clock import Clock, LoopClock
from bj_server.table.dealer import Dealer
from bj_server.table.felt import Felt
from bj_server.table.opening import open_table
from bj_server.table.seat import Seats
from bj_server.table.shoes import Shoes
from bj_server.table.table import Table

__all__ = ["host", "place", "set_table"]


async def host(settings: Settings, bank: Bank, ready: Callable[[int], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` is called with the port in use.

    Raises:
        OSError: if the address cannot be listened on.
        BankUnusable: if the list of the banned cannot be used.
        ExceptionGroup: of a bank error, if the bank can no longer keep the money.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if settings.stops_on_eof:
        await _stop_on_eof(stop)
    clock = LoopClock()
    bans = Bans(settings.bank)
    places = [place(settings, plan, bank, clock) for plan in settings.tables]
    lobby = Lobby(places, bans)
    app = App(lobby, settings.encryption)
    async with listening(settings.bank, Desk(lobby, bans)):
        await app.run(settings.host, settings.port, stop, ready)


async def _stop_on_eof(stop: asyncio.Event) -> None:
    """Have ``stop`` set when standard input, a pipe or a terminal, ends."""

    class Input(asyncio.Protocol):
        def connection_lost(self, error: Exception | None) -> None:
            stop.set()

    await asyncio.get_running_loop().connect_read_pipe(Input, sys.stdin)


def place(settings: Settings, plan: TablePlan, bank: Bank, clock: Clock) -> Place:
    """Return the table of a plan with its dealer, in a room of its own."""
    room = Room()
    table = set_table(settings, plan, bank, clock)
    return Place(Dealer(table, room), room, plan.code)


def set_table(settings: Settings, plan: TablePlan, bank: Bank, clock: Clock) -> Table:
    """Return the table of a plan, which goes on where it was if it was on."""

    def felt() -> Felt:
        return Felt(
            name=plan.name,
            house=plan.house,
            pace=plan.pace,
            till=bank.till(plan.name),
            clock=clock,
            shoes=Shoes(plan.house, seed=settings.seed, stack=settings.stack),
            seats=Seats(plan.seats),
        )

    return open_table(felt)
