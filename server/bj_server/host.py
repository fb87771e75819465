"""The host: opens the bank, sets the tables, and serves them until told to stop."""

import asyncio
import signal
import sys
from collections.abc import Callable

from bj_server.bank.bank import Bank
from bj_server.net.app import App
from bj_server.net.lobby import Lobby, Place
from bj_server.net.room import Room
from bj_server.settings import Settings
from bj_server.table.clock import Clock, LoopClock
from bj_server.table.dealer import Dealer
from bj_server.table.felt import Felt
from bj_server.table.opening import open_table
from bj_server.table.seat import Seats
from bj_server.table.shoes import Shoes
from bj_server.table.table import Table

__all__ = ["host", "set_table"]


async def host(settings: Settings, bank: Bank, ready: Callable[[int], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` is called with the port in use.

    Raises:
        OSError: if the address cannot be listened on.
        ExceptionGroup: of a bank error, if the bank can no longer keep the money.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if settings.stops_on_eof:
        await _stop_on_eof(stop)
    clock = LoopClock()
    places = [_place(settings, name, bank, clock) for name in settings.tables]
    app = App(Lobby(places), settings.limits)
    await app.run(settings.host, settings.port, stop, ready)


async def _stop_on_eof(stop: asyncio.Event) -> None:
    """Have ``stop`` set when standard input, a pipe or a terminal, ends."""

    class Input(asyncio.Protocol):
        def connection_lost(self, error: Exception | None) -> None:
            stop.set()

    await asyncio.get_running_loop().connect_read_pipe(Input, sys.stdin)


def _place(settings: Settings, name: str, bank: Bank, clock: Clock) -> Place:
    room = Room()
    table = set_table(settings, name, bank, clock)
    return Place(Dealer(table, room), room)


def set_table(settings: Settings, name: str, bank: Bank, clock: Clock) -> Table:
    """Return a table of that name, which goes on where it was if it was on."""

    def felt() -> Felt:
        house = settings.house
        return Felt(
            name=name,
            house=house,
            pace=settings.pace,
            till=bank.till(name),
            clock=clock,
            shoes=Shoes(house, seed=settings.seed, stack=settings.stack),
            seats=Seats(settings.seats),
        )

    return open_table(felt)
