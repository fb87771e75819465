"""Anything that may happen to a fleet, at random, beside a model of what must hold."""

import asyncio
import random
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from bj_server.bank.error import BankError
from bj_server.bank.move import HOUSE
from bj_server.bank.visit import Arrival
from bj_server.fleet.sql.connections import Times
from bj_server.fleet.sql.visits import Why
from support.fleet import OPENING, Member, Seconds, check_money, chips, query
from support.wire import Wire

_TIMES = Times(connect=2, statement=1.0, lock=1.0, idle=1.0, reply=1.5)
"""Short, so that a reply which never comes costs little; who is slow tries again."""

_MOST_MESSAGES = 12
"""A transfer has no more messages in one direction."""


class Trouble:
    """Does something to the bytes that pass, at one of them."""

    def __init__(self, at: int, change: Callable[[bytes], bytes]) -> None:
        self._left, self._change = at, change

    def __call__(self, data: bytes) -> bytes:
        self._left -= 1
        return self._change(data) if self._left == 0 else data


class FleetModel:
    """Servers of a fleet and their players; each step may fail, and nothing be lost."""

    def __init__(
        self,
        seed: int,
        url: str,
        servers: list[tuple[Member, Wire]],
        clock: Seconds,
        *,
        handles: int = 4,
        without: Collection[str] = (),
    ) -> None:
        """Begin with nobody there; the steps of ``without`` are never taken."""
        self._without = without
        self.chance = random.Random(seed)
        self.url, self.clock = url, clock
        self.members = [member for member, _ in servers]
        self.wires = {member.name: wire for member, wire in servers}
        self.handles = [f"p{number}" for number in range(handles)]
        self._keys = dict.fromkeys(self.handles, 0)
        """How often each key was reset."""
        self._banned: set[str] = set()
        self.kills = 0
        self.cuts = 0

    @property
    def alive(self) -> list[Member]:
        return [member for member in self.members if member.is_serving]

    # What may happen.

    async def hello(self, handle: str, *members: Member) -> None:
        """Say hello with the right key, at several servers at once."""
        key = f"{handle}/{self._keys[handle]}"
        found = await asyncio.gather(
            *(member.sit(handle, key) for member in members), return_exceptions=True
        )
        for end in found:
            assert isinstance(end, Arrival | Why | BankError), end
            assert end is not Why.WRONG_KEY
        stranded = await query(
            self.url,
            f"SELECT FROM visits WHERE handle = '{handle}' AND stranded IS NOT NULL",
        )
        came = sum(isinstance(end, Arrival) for end in found)
        assert came <= 1 or stranded

    async def _hello_somewhere(self) -> None:
        await self.hello(self._handle(), self._member())

    async def _hello_everywhere(self) -> None:
        await self.hello(self._handle(), *self.alive)

    async def _be_refused(self) -> None:
        """Say hello with a wrong key, under a handle that is claimed."""
        handle = self._handle()
        if await query(
            self.url,
            f"SELECT FROM players WHERE handle = '{handle}' AND sha256 IS NOT NULL",
        ):
            with suppress(BankError):
                found = await self._member().sit(handle, "eve")
                assert found in (Why.WRONG_KEY, Why.COMPARING)

    async def _leave(self) -> None:
        member = self._member()
        for handle in tuple(member.seats)[:1]:
            with suppress(BankError):
                await member.leave(handle)

    async def _play(self) -> None:
        member = self._member()
        for handle in tuple(member.seats):
            free = member.balance(handle)
            if handle in member.bank.books.visits and free:
                member.win(handle, self.chance.choice([1, -1]) * min(free, 70))

    async def _lose(self) -> None:
        """Lose all that somebody has, and be broke."""
        member = self._member()
        for handle in tuple(member.seats)[:1]:
            if handle in member.bank.books.visits and member.balance(handle):
                member.win(handle, -member.balance(handle))

    async def _beat(self) -> None:
        with suppress(BankError):
            await self._member().cage.beat()

    async def _lapse(self) -> None:
        """Let a lease go by; some servers give a sign, and the others are unheard."""
        for _ in range(3):
            self.clock.now += 2
            for member in self.alive:
                if self.chance.random() < 0.8:
                    with suppress(BankError):
                        await member.cage.beat()

    async def _trouble(self) -> None:
        """Have a message lost, doubled or held up, or the line cut, while one moves."""
        member = self._member()
        self._disturb(self.wires[member.name])
        await self._move(member)
        await self.wires[member.name].mend()

    def _disturb(self, wire: Wire) -> None:
        what = self.chance.choice(["snap", "drop", "double", "hold"])
        at = self.chance.randint(1, _MOST_MESSAGES)
        if what == "hold":
            wire.gate.clear()
            asyncio.get_running_loop().call_later(0.05, wire.gate.set)
        elif what == "snap":
            self.cuts += 1
            way = self.chance.choice(["ask", "reply"])
            setattr(wire, way, Trouble(at, lambda _: self._snap(wire)))
        else:
            change = {"drop": lambda _: b"", "double": lambda data: data * 2}[what]
            wire.reply = Trouble(at, change)

    def _snap(self, wire: Wire) -> bytes:
        wire.snap()
        return b""

    async def _kill(self) -> None:
        """Kill a server in the middle of a transfer."""
        member = self._member()
        wire = self.wires[member.name]
        at = self.chance.randint(1, _MOST_MESSAGES)
        end = partial(self._cut, wire)
        setattr(wire, self.chance.choice(["ask", "reply"]), Trouble(at, end))
        await self._move(member)
        wire.cut()
        await member.kill(is_written=self.chance.random() < 0.7)
        self.kills += 1
        await wire.mend()

    async def _storm(self) -> None:
        """Say hello everywhere at once, while all lines are disturbed and some end."""
        members, doomed = self.alive, []
        for member in members:
            wire = self.wires[member.name]
            if self.chance.random() < 0.3:
                doomed.append(member)
                way = self.chance.choice(["ask", "reply"])
                end = partial(self._cut, wire)
                setattr(wire, way, Trouble(self.chance.randint(1, 12), end))
            elif self.chance.random() < 0.7:
                self._disturb(wire)
        await self.hello(self._handle(), *members)
        for member in members:
            if member in doomed:
                self.wires[member.name].cut()
                await member.kill(is_written=self.chance.random() < 0.7)
                self.kills += 1
            await self.wires[member.name].mend()

    def _cut(self, wire: Wire, _: bytes) -> bytes:
        wire.cut()
        return b""

    async def _start(self) -> None:
        for member in self.members:
            if not member.is_serving and self.chance.random() < 0.7:
                await self._start_one(member)

    async def _start_one(self, member: Member) -> None:
        await self.wires[member.name].mend()
        with suppress(BankError):
            await member.start(times=_TIMES, takes_over=True)

    async def _move(self, member: Member) -> None:
        handle = self._handle()
        if handle in member.seats:
            with suppress(BankError):
                await member.leave(handle)
        else:
            await self.hello(handle, member)

    async def _reset_key(self) -> None:
        handle = self._handle()
        self._keys[handle] += 1
        await query(
            self.url, f"UPDATE players SET sha256 = NULL WHERE handle = '{handle}'"
        )

    async def _give(self) -> None:
        id, handle = self.chance.getrandbits(60), self._handle()
        await query(
            self.url,
            "WITH found AS (UPDATE players SET cents = cents + 100 "
            f"WHERE handle = '{handle}' RETURNING handle) "
            f"INSERT INTO gifts SELECT 'host/{id}', handle, 100 FROM found",
        )

    def _handle(self) -> str:
        return self.chance.choice(self.handles)

    def _member(self) -> Member:
        return self.chance.choice(self.alive)

    # The run.

    async def start(self) -> None:
        for member in self.members:
            await self._start_one(member)

    async def step(self) -> None:
        """Let one thing happen."""
        steps: list[tuple[int, Callable[[], Coroutine[Any, Any, None]]]] = [
            (6, self._hello_somewhere),
            (3, self._hello_everywhere),
            (3, self._storm),
            (2, self._lose),
            (1, self._be_refused),
            (5, self._leave),
            (6, self._play),
            (3, self._beat),
            (2, self._lapse),
            (5, self._trouble),
            (3, self._kill),
            (4, self._start),
            (1, self._reset_key),
            (1, self._give),
        ]
        if not self.alive:
            await self.start()
            return
        steps = [each for each in steps if each[1].__name__ not in self._without]
        (step,) = self.chance.choices(
            [step for _, step in steps], [often for often, _ in steps]
        )
        await step()

    async def settle(self) -> None:
        """Have all servers up and heard, and see that every cent is in one place."""
        for member in self.members:
            await self.wires[member.name].mend()
            while not member.is_serving:
                await self._start_one(member)
        for _ in range(3):
            self.clock.now += 2
            for member in self.members:
                await _surely(member.cage.beat)
                await _surely(member.cage.settle)
        await check_money(self.url, *self.members)
        rows = await query(
            self.url,
            "SELECT handle FROM visits WHERE cents_out IS NULL "
            "GROUP BY handle HAVING count(*) > 1",
        )
        assert rows == []
        (gifts,) = await query(self.url, "SELECT coalesce(sum(cents), 0) FROM gifts")
        (rest,) = await query(self.url, "SELECT coalesce(sum(cents), 0) FROM players")
        won = -sum(m.bank.books.ledger.balance(HOUSE) for m in self.members)
        assert rest[0] + sum(map(chips, self.members)) == gifts[0] + won
        rows = await query(
            self.url, "SELECT cents FROM gifts WHERE id LIKE 'opening/%'"
        )
        assert all(row.cents == OPENING for row in rows)
        assert all(member.cage.faults == 0 for member in self.members)

    async def empty(self) -> None:
        """Send all home, and see that nothing is left at any server."""
        await self.settle()
        for member in self.members:
            for handle in tuple(member.bank.books.visits):
                member.stand_up(handle)
        await self.settle()
        assert sum(map(chips, self.members)) == 0
        assert not any(member.bank.books.visits for member in self.members)


async def _surely(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do what a busy machine may be too slow for at first."""
    for _ in range(20):
        try:
            await work()
        except BankError as error:
            last = error
        else:
            return
    raise last
