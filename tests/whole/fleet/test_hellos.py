"""One handle says hello at all servers at once, while they and their lines end."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bj_protocol.refusal import CloseCode
from bj_server.bank.key import digest_of
from bj_server.fleet.sql import connections, players
from support.fleet_auditor import FleetAuditor
from support.fleet_servers import FleetServer, RealFleet
from support.nursery import PATIENCE
from support.serving import hello, key_of, read

# What is measured here would not be the servers, which are other processes.
pytestmark = pytest.mark.no_cover

OPENING = 1_000_000
STATES = ("new", "reset", "banned", "given", "broke")
TROUBLES = ("kill", "lose", "delay", "crash")
Step = tuple[str, str, int, str]
"""The state of a handle, the trouble, the message at which it comes, and its way."""

_MOST_MOVES = 2
_PASSES_BY = {"bank_stalled", "seated_elsewhere", "table_full"}


@dataclass(eq=False)
class Trial:
    """One handle, and all that was said to it."""

    fleet: RealFleet
    handle: str
    chance: random.Random
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    said: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What was said to whom, by the keys."""

    async def call(self, key: str) -> None:
        """Say hello here and there until all is over; keep each seat until then."""
        while not self.over.is_set():
            server = self.chance.choice(list(self.fleet))
            with suppress(WebSocketException, OSError, TimeoutError):
                await self._follow(server.uri, key)
            with suppress(TimeoutError):
                async with asyncio.timeout(self.chance.uniform(0.01, 0.1)):
                    await self.over.wait()

    async def _follow(self, uri: str, key: str) -> None:
        for _ in range(_MOST_MOVES + 1):
            first = await self.say(uri, key)
            if first["type"] != "moved":
                return
            uri = first["address"]
        raise AssertionError(f"{self.handle} is moved on and on: {first}")

    async def say(self, uri: str, key: str, *, leaves: bool = False) -> dict[str, Any]:
        """Return what is said to a hello; a seat is kept, or left in order."""
        async with connect(
            uri, compression=None, open_timeout=15, close_timeout=1
        ) as line:
            await line.send(hello(self.handle, key=key))
            async with asyncio.timeout(15):
                first = await read(line)
            self.said[key, str(first.get("code", first["type"]))] += 1
            if first["type"] == "snapshot":
                self.seated.set()
                if leaves:
                    await line.send('{"type":"leave"}')
                    await line.wait_closed()
                    assert line.close_code == CloseCode.LEFT
                    return first
                closed = asyncio.ensure_future(line.wait_closed())
                over = asyncio.ensure_future(self.over.wait())
                both = {closed, over}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for each in both:
                    each.cancel()
            return first

    async def sit(self, key: str) -> int:
        """Say hello until there is a seat; leave it, and return what was there."""
        async with asyncio.timeout(PATIENCE):
            while True:
                uri = self.chance.choice(list(self.fleet)).uri
                with suppress(WebSocketException, OSError, TimeoutError):
                    first = await self.say(uri, key, leaves=True)
                    if first["type"] == "snapshot":
                        seats = {seat["handle"]: seat for seat in first["seats"]}
                        return int(seats[self.handle]["balance"])
                await asyncio.sleep(0.05)

    async def refused_everywhere(self, code: str, key: str) -> None:
        """Say hello until every server refuses it for one reason."""
        async with asyncio.timeout(PATIENCE):
            for server in self.fleet:
                said: object = None
                while said != code:
                    # One that hears of a ban just now closes the line by it.
                    with suppress(WebSocketException):
                        said = (await self.say(server.uri, key)).get("code")
                    await asyncio.sleep(0.05)


async def _order(fleet: RealFleet, work: Callable[..., Any], *values: object) -> None:
    """Do in PostgreSQL what a host orders."""
    connection = await connections.connect(fleet.postgres.url)
    await work(connection, *values)
    await connection.close()


async def _prepare(trial: Trial, auditor: FleetAuditor, state: str) -> None:
    """Bring the handle, which is new, into a state."""
    if state == "new":
        return
    fleet, handle, key = trial.fleet, trial.handle, key_of(trial.handle)
    assert await trial.sit(key) == OPENING
    await auditor.rest()
    if state == "reset":
        await _order(fleet, players.reset_key, handle)
    elif state == "banned":
        await _order(fleet, players.ban, [handle])
        await trial.refused_everywhere("banned", key)
        await _order(fleet, players.unban, handle)
    else:
        cents = 500 if state == "given" else -OPENING
        await _order(fleet, players.give_at_rest, f"test/{handle}", handle, cents)
    trial.seated.clear()
    trial.said.clear()


def _trouble(server: FleetServer, what: str, at: int, way: str) -> asyncio.Event:
    """Have something happen at one of the messages; return what is set then."""
    left, done = at, asyncio.Event()

    def see(data: bytes) -> bytes:
        nonlocal left
        left -= 1
        if left:
            return data
        done.set()
        if what == "kill":
            server.send_signal(signal.SIGKILL)
        elif what == "lose":
            server.wire.snap()
            return b""
        else:
            server.wire.gate.clear()
        return data

    setattr(server.wire, way, see)
    return done


async def _run_trial(
    fleet: RealFleet, auditor: FleetAuditor, number: int, step: Step
) -> None:
    """Have one handle say hello at once everywhere, and see what comes of it."""
    state, what, at, way = step
    trial = Trial(fleet, f"m{number}", random.Random(number))
    await _prepare(trial, auditor, state)
    keys = [key_of(trial.handle)] * 5
    keys += [key_of("another") if state == "reset" else keys[0]]
    async with asyncio.TaskGroup() as group:
        for server in fleet:
            if what != "crash":
                _trouble(server, what, at, way)
        for key in keys:
            group.create_task(trial.call(key))
        if what == "crash":
            await asyncio.to_thread(fleet.postgres.stop, signal.SIGQUIT)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await trial.seated.wait()
        await fleet.mend()
        async with asyncio.timeout(PATIENCE):
            await trial.seated.wait()
        trial.over.set()
    (player,) = await auditor.ask(
        f"SELECT sha256 FROM players WHERE handle = '{trial.handle}'"
    )
    (key,) = [key for key in {*keys} if digest_of(key) == player.sha256]
    told = {code for known, code in trial.said if known == key}
    if state == "banned":
        told.discard(state)  # servers hear within a second that it is so no more
    assert told <= {"snapshot", "moved", *_PASSES_BY}, trial.said
    await auditor.rest()
    balance = await trial.sit(key)
    await auditor.rest()
    gifts = await auditor.ask(f"SELECT * FROM gifts WHERE handle = '{trial.handle}'")
    kinds = Counter(gift.id.partition("/")[0] for gift in gifts)
    stranded = await auditor.ask(
        f"SELECT FROM visits WHERE handle = '{trial.handle}' AND stranded IS NOT NULL"
    )
    assert kinds["opening"] == 1, gifts
    assert kinds["outage"] <= len(stranded), gifts
    assert balance == sum(gift.cents for gift in gifts), (balance, gifts)
    await auditor.check()


def _steps(states: Iterable[str]) -> list[Step]:
    """Return every trouble at every message of a hello, in each of the states."""
    steps = list(product(states, TROUBLES[:3], range(1, 13), ("ask", "reply")))
    return steps + [(state, "crash", 0, "") for state in states] * 5


async def _run(folder: Path, steps: Iterable[Step]) -> str:
    seen = Counter[str]()
    async with RealFleet(folder) as fleet:
        auditor = FleetAuditor(fleet)
        for number, step in enumerate(steps):
            try:
                await _run_trial(fleet, auditor, number, step)
            except BaseException as error:
                error.add_note(f"trial {number}: {step}")
                raise
            seen[step[1]] += 1
    return f"{sum(seen.values())} hellos: {dict(seen)}"


async def test_a_handle_at_three_servers_at_once_has_one_opening_balance(
    tmp_path: Path,
) -> None:
    print(await _run(tmp_path, random.Random(1).sample(_steps(STATES), 4)))


@pytest.mark.torture
@pytest.mark.parametrize("state", STATES)
async def test_a_handle_at_three_servers_at_once_at_each_step(
    tmp_path: Path, state: str
) -> None:
    print(await _run(tmp_path, _steps([state])))
