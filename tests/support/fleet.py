"""Servers of a fleet without tables: a bank, its cage, and a floor that tests set."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import psycopg
from psycopg.rows import namedtuple_row

from bj_server.bank.bank import Bank
from bj_server.bank.handles import Bans
from bj_server.bank.key import digest_of
from bj_server.bank.move import DONOR, HOUSE, VAULT, Payment, Reason, handle_of
from bj_server.bank.signer import FLEET_NAME, Signer
from bj_server.bank.visit import Arrival
from bj_server.fleet.cage import Cage, Floor
from bj_server.fleet.entry import enter
from bj_server.fleet.member import Member as FleetMember
from bj_server.fleet.member import Orders
from bj_server.fleet.sql.connections import Times
from bj_server.fleet.sql.visits import Why
from bj_server.host import set_table
from bj_server.net.app import App
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.newcomers import Newcomers
from bj_server.options import read_options
from bj_server.table.clock import LoopClock
from support.serving import PATIENT

OPENING = 1000
"""The cents of an opening balance."""

QUICK = Times(connect=10, statement=20, lock=20, idle=20, reply=30)
"""Times that no busy machine exceeds."""


@dataclass
class Seconds:
    """A clock that tests move on."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def sign(folder: Path, name: str, key: Signer) -> None:
    """Have a fleet's key take the server of a folder in."""
    folder.mkdir(parents=True, exist_ok=True)
    server = Signer.open(folder)
    view = key.take_in(server.key, name, f"ws://{name}")
    (folder / FLEET_NAME).write_text(view.model_dump_json())


@dataclass(frozen=True)
class Serving:
    """A server of a fleet in this process."""

    uri: str
    lobby: Lobby
    bank: Bank
    member: FleetMember
    orders: Orders
    bans: Bans
    causes: list[str]
    """Why it was to be stopped."""

    @property
    def cage(self) -> Cage:
        return self.member.cage


@dataclass(eq=False)
class Member:
    """One server of a fleet, which can be killed and started again."""

    name: str
    folder: Path
    url: str
    clock: Seconds
    seats: dict[str, str] = field(default_factory=dict)
    """The tables of the handles that have a seat."""
    sent_away: list[str] = field(default_factory=list)
    is_serving: bool = False
    opened: ClassVar["list[Member]"] = []
    """All that were started, for the end of a test."""

    async def start(self, **options: Any) -> Cage:
        """Start, as ``bj-server`` does."""
        bank = Bank.open(self.folder, keep=None, in_fleet=True)
        self.bank = bank
        floor = Floor(
            is_seated=lambda handle: handle in self.seats,
            table_of=lambda handle: self.seats.get(handle, ""),
            send_away=self._send_away,
        )
        chosen: dict[str, Any] = {"times": QUICK, "floor": floor, "clock": self.clock}
        chosen |= {"pause": self.clock.pause, **options}
        try:
            self.cage = await enter(bank, self.url, **chosen)
        except BaseException:
            bank.close()
            raise
        self.is_serving = True
        self.opened.append(self)
        return self.cage

    def _send_away(self, handle: str, why: str) -> None:
        self.sent_away.append(handle)
        self.stand_up(handle)

    async def sit(self, handle: str, key: str | None = None) -> Arrival | Why:
        """Buy in with a handle, and take a seat if that is granted."""
        digest = digest_of(key or handle)
        found = await self.cage.buy_in(handle, digest, "main", OPENING)
        if isinstance(found, Arrival):
            self.seats[handle] = "main"
        return found

    def stand_up(self, handle: str) -> None:
        """Leave the seat; the money goes home with the next ``settle``."""
        self.seats.pop(handle, None)
        self.cage.left(handle)

    async def leave(self, handle: str) -> None:
        """Leave the seat, and have the money brought home."""
        self.stand_up(handle)
        await self.cage.settle()

    def win(self, handle: str, cents: int) -> None:
        """Win so many cents, or lose them where it is below 0."""
        till, stake = self.bank.till("main"), max(1, -cents)
        round = till.last_round + 1
        till.stake(round, handle, stake)
        reason = Reason.HAND_WON if cents > 0 else Reason.HAND_LOST
        paid = Payment(handle=handle, reason=reason, stake=stake, payout=stake + cents)
        till.settle(round, [paid], {})
        till.seal({})

    def balance(self, handle: str) -> int:
        return self.bank.balance(handle)

    async def kill(self, *, is_written: bool = True) -> None:
        """End as a kill would; or as a power cut, which takes what was not written."""
        self.is_serving = False
        if self in self.opened:
            self.opened.remove(self)
        if is_written:
            self.bank.journal.write()
        self.bank.journal._stop()
        self.bank._packer.close()
        self.bank._lock.release()
        await self.cage.contact.close()
        self.seats.clear()

    @classmethod
    async def abandon_all(cls) -> None:
        """Leave nothing open that a test has left so."""
        while cls.opened:
            await cls.opened[-1].kill(is_written=False)

    async def miss_others(self) -> None:
        """Beat for a lease, in which all others are silent."""
        for _ in range(5):
            self.clock.now += self.cage.lease / 5
            await self.cage.beat()

    async def stop(self) -> None:
        """Stop on purpose."""
        self.is_serving = False
        self.opened.remove(self)
        await self.cage.close()
        self.bank.close()
        self.seats.clear()


async def query(url: str, text: str) -> list[Any]:
    """Ask PostgreSQL something, as a host could."""
    connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
    async with connection, connection.cursor(row_factory=namedtuple_row) as cursor:
        await cursor.execute(text.encode())
        with suppress(psycopg.ProgrammingError):
            return await cursor.fetchall()
    return []


async def at_rest(url: str, handle: str) -> int | None:
    """Return what a handle has at rest; None for one that nobody has claimed."""
    rows = await query(url, f"SELECT cents FROM players WHERE handle = '{handle}'")
    return int(rows[0].cents) if rows else None


async def check_money(url: str, *members: Member) -> None:
    """See that no cent is lost, made or in two places; all visits must be known.

    What the house and the donor of each server have given is in its folder alone.
    """
    (total,) = await query(url, "SELECT sum(cents) FROM accounts")
    assert total[0] == 0
    rows = await query(
        url,
        "SELECT p.handle, p.cents - coalesce((SELECT sum(g.cents) FROM gifts g "
        "WHERE g.handle = p.handle), 0) + coalesce((SELECT sum(v.cents_in "
        "- coalesce(v.cents_out, 0)) FROM visits v WHERE v.handle = p.handle), 0) "
        "AS rest FROM players p",
    )
    assert [row.handle for row in rows if row.rest] == []
    for member in members:
        await check_books(url, member.name, member.bank)


async def check_books(url: str, name: str, bank: Bank) -> None:
    """See that a folder has what PostgreSQL knows to be there."""
    rows = await query(
        url, f"SELECT cents FROM accounts WHERE account = 'vault:{name}'"
    )
    bank.audit()
    vault = int(rows[0].cents) if rows else 0
    assert bank.books.ledger.balance(VAULT) == -vault, name


def chips(member: Member) -> int:
    """Return all that players have at a server, stakes among it."""
    accounts = member.bank.books.ledger.balances
    fixed = (HOUSE, DONOR, VAULT)
    players = sum(c for a, c in accounts.items() if handle_of(a) is not None)
    stakes = sum(c for a, c in accounts.items() if a not in fixed) - players
    return players + stakes


@asynccontextmanager
async def serving_in_fleet(
    folder: Path, url: str, *options: str
) -> AsyncIterator[Serving]:
    """Serve tables in a fleet until the block ends, as ``bj-server --fleet`` does."""
    settings = read_options(["--bank", str(folder), "--port", "0", *options])
    bank = Bank.open(folder, keep=settings.table_names, in_fleet=True)
    member = FleetMember(await enter(bank, url, times=QUICK))
    clock, cage = LoopClock(), member.cage
    bans = Bans(folder)
    lobby = Lobby(
        [
            HostedTable.of(set_table(settings, plan, bank, clock, cage=cage), plan.code)
            for plan in settings.tables
        ],
        bans,
        newcomers=Newcomers(PATIENT),
        signer=bank.signer,
    )
    orders = member.serve(lobby, bans)
    app = App(lobby, PATIENT)
    stop, port = asyncio.Event(), asyncio.get_running_loop().create_future()
    causes: list[str] = []
    async with member.running(causes.append):
        task = asyncio.create_task(app.run("127.0.0.1", 0, stop, port.set_result))
        try:
            uri = f"ws://127.0.0.1:{await port}"
            yield Serving(uri, lobby, bank, member, orders, bans, causes)
        finally:
            stop.set()
            await task
    bank.audit()
    bank.close()
