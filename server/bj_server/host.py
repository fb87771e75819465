"""The host: opens the bank, sets the tables, and serves them until told to stop."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING

from bj_server.admin.port import Space, Status, serving_admin, watch_space
from bj_server.bank.bank import Bank
from bj_server.bank.error import FleetLackingError
from bj_server.bank.handles import Bans, Invites
from bj_server.floor import Floor
from bj_server.gauges import NO_GAUGES, Gauges
from bj_server.greeting import EdgeTeller
from bj_server.host_cli.desk import Board, Desk
from bj_server.host_cli.order import listening
from bj_server.log import catch_strays
from bj_server.net.app import App
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.newcomers import Newcomers
from bj_server.notify import Notifier, keep_notified
from bj_server.reload import Reload
from bj_server.settings import Settings, TablePlan
from bj_server.standard import when_input_ends
from bj_server.table.clock import Clock, LoopClock
from bj_server.table.context import Cage, TableContext
from bj_server.table.opening import open_table
from bj_server.table.seat import Seats
from bj_server.table.shoe_source import ShoeSource
from bj_server.table.table import Table

if TYPE_CHECKING:
    from bj_server.admin.metrics import Metrics
    from bj_server.fleet.member import Member

_log = logging.getLogger(__name__)


Ready = Callable[[int, int | None], None]
"""Is called once the server serves, with its port and the admin port, if any."""


async def host(
    settings: Settings,
    bank: Bank,
    ready: Ready,
    reread: Callable[[], Settings],
    metrics: "Metrics | None",
    say: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` is called with the ports in use.

    The edge of each table is told to ``say``, some time after it is open.

    At SIGHUP the settings are read anew with ``reread``. The admin port shows the
    ``metrics``, if they are installed, which ``bank`` reports to already.

    Raises:
        ListenError: if an address cannot be listened on.
        BankError: if a file beside the journal, as the list of the banned, cannot be
            used, or the fleet cannot be joined or has lost this server.
        ExceptionGroup: of a bank error, if the bank can no longer keep the money.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _stop, stop, number.name)
    if settings.stops_on_eof:
        when_input_ends(lambda: _stop(stop, "the end of standard input"))
    gauges = metrics or NO_GAUGES
    catch_strays(loop, gauges)
    member = await _join_fleet(settings, bank)
    cage = None if member is None else member.cage
    clock, bans = LoopClock(), Bans(settings.bank)
    invited = Invites(settings.bank)
    newcomers = Newcomers(
        settings.limits,
        code=settings.code,
        is_invite_only=settings.is_invite_only,
        invited=invited,
    )
    edges = EdgeTeller(say or (lambda _: None))

    def make(plan: TablePlan) -> HostedTable:
        if say is not None:
            edges.note(plan)
        table = set_table(settings, plan, bank, clock, gauges, cage)
        return HostedTable.of(table, plan.code)

    lobby = Lobby(map(make, settings.tables), bans, newcomers, bank.signer)
    fleet = None if member is None else member.serve(lobby, bans)
    app = App(lobby, settings.limits, gauges, settings.encryption)
    space = Space(settings.bank, settings.low_space << 20)
    status = Status(app, lobby, bank, space, cage)

    def drained() -> None:
        if member is not None:
            member.send_home()
        _stop(stop, "the end of the last round")

    floor = Floor(settings, lobby, app, make, drained)
    board = Board(settings.bank)
    if board.text:
        floor.post(board.text)
    desk = Desk(floor, bans, board, invited, fleet)
    notifier, serving = Notifier(), asyncio.Event()
    keeping_up = None if member is None else member.running(partial(_stop, stop))
    async with (
        listening(settings.bank, desk.obey),
        serving_admin(settings.admin_port, status, metrics) as admin_port,
        _running(keep_notified(notifier, status.sentence, serving, stop)),
        _reloading(Reload(floor, app, reread), notifier, status),
        _running(watch_space(space)),
        _running(edges.run(serving)),
        keeping_up or contextlib.nullcontext(),
    ):

        def serves(port: int) -> None:
            ready(port, admin_port)
            serving.set()

        await app.run(settings.hosts, settings.port, stop, serves)


async def _join_fleet(settings: Settings, bank: Bank) -> "Member | None":
    if settings.fleet is None:
        return None
    # Here, since only servers of a fleet need psycopg.
    try:
        from bj_server.fleet.member import Member
    except ImportError:
        raise FleetLackingError from None
    takes_over = settings.takes_over
    return await Member.join(bank, settings.fleet, takes_over=takes_over)


@contextlib.asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Do some work for as long as the block lasts."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def _reloading(
    reload: Reload, notifier: Notifier, status: Status
) -> AsyncIterator[None]:
    """Read the settings again at each SIGHUP, and tell the service manager."""
    loop = asyncio.get_running_loop()

    def reread() -> None:
        notifier.reloading()
        reload.run()
        notifier.ready(status.sentence())

    # Not by the loop: it would leave a moment in which the signal ends the process.
    old = signal.signal(signal.SIGHUP, lambda *_: loop.call_soon_threadsafe(reread))
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, old)


def _stop(stop: asyncio.Event, cause: str) -> None:
    _log.info("stopping, by %s", cause)
    stop.set()


def set_table(
    settings: Settings,
    plan: TablePlan,
    bank: Bank,
    clock: Clock,
    gauges: Gauges = NO_GAUGES,
    cage: Cage | None = None,
) -> Table:
    """Return the table of a plan, which goes on where it was if it was on."""

    def context() -> TableContext:
        return TableContext(
            name=plan.name,
            house=plan.house,
            pace=plan.pace,
            till=bank.till(plan.name),
            clock=clock,
            source=ShoeSource(
                plan.house,
                seed=settings.seed,
                stack=settings.stack,
                is_proven=plan.is_proven,
            ),
            signer=bank.signer,
            seats=Seats(plan.seats),
            gauges=gauges,
            cage=cage,
        )

    return open_table(context)
