"""Incidents: what happens to the machines of a fleet while people play.

Each is a function of the fleet and of chance, and leaves the rest to ``fleet.mend``.
"""

import asyncio
import contextlib
import random
import signal
from collections.abc import Awaitable, Callable
from functools import partial

from support.fleet import query
from support.fleet_servers import FleetServer, RealFleet
from support.nursery import PATIENCE

Incident = Callable[[RealFleet, random.Random], Awaitable[None]]

REFUSED = 4
"""The status of a server that the fleet does not take in, or takes no more."""

_WAIT = 1.0
"""Seconds after which a step that nobody takes is waited for no more."""


async def _moment(chance: random.Random, most: float = 0.4) -> None:
    """Let play go on for a part of a second."""
    await asyncio.sleep(chance.uniform(0, most))


def _any(fleet: RealFleet, chance: random.Random) -> FleetServer:
    return chance.choice(list(fleet))


async def kill_at_a_step(fleet: RealFleet, chance: random.Random) -> None:
    """Kill a server at one of the messages of a transfer, which may be lost.

    At times that is some thousandths of a second later, when the journal is written.
    """
    server, gone = _any(fleet, chance), asyncio.Event()
    word = chance.choice((b"", b"COMMIT", b"visits"))
    left = chance.randint(1, 6 if word else 40)
    is_lost, later = chance.random() < 0.5, chance.choice((0, chance.uniform(0, 0.004)))
    loop = asyncio.get_running_loop()

    def see(data: bytes) -> bytes:
        nonlocal left
        left -= word in data
        if left or word not in data:
            return data
        loop.call_later(later, server.send_signal, signal.SIGKILL)
        loop.call_later(later, gone.set)
        return b"" if is_lost else data

    setattr(server.wire, chance.choice(("ask", "reply")), see)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT):
            await gone.wait()
    await server.end()
    await _moment(chance)


async def kill_server(fleet: RealFleet, chance: random.Random) -> None:
    """Kill a server at any moment; at times another one, too, or while it starts."""
    await _moment(chance)
    first = _any(fleet, chance)
    await first.end()
    if chance.random() < 0.2:
        first.begin("--take-over")
        await _moment(chance, 1)
        await first.end()
    if chance.random() < 0.2:
        second = _any(fleet, chance)
        if second is not first:
            await second.end()
    await _moment(chance)


async def kill_postgres(fleet: RealFleet, chance: random.Random) -> None:
    """Stop PostgreSQL, or end it as a crash does; at times a server is killed, too."""
    await _moment(chance)
    number = chance.choice((signal.SIGINT, signal.SIGQUIT))
    await asyncio.to_thread(fleet.postgres.stop, number)
    await _moment(chance)
    if chance.random() < 0.3:
        await _any(fleet, chance).end()
        await _moment(chance)


async def cut_lines(fleet: RealFleet, chance: random.Random) -> None:
    """Cut all lines of one server or of all, for a moment or for none."""
    await _moment(chance)
    servers = list(fleet) if chance.random() < 0.5 else [_any(fleet, chance)]
    is_short = chance.random() < 0.5
    for server in servers:
        if is_short:
            server.wire.snap()
        else:
            server.wire.cut()
    await _moment(chance)


async def delay_replies(fleet: RealFleet, chance: random.Random) -> None:
    """Have PostgreSQL's replies to a server wait, and then be lost or come."""
    server = _any(fleet, chance)
    server.wire.gate.clear()
    await _moment(chance, 1)
    if chance.random() < 0.5:
        server.wire.snap()


async def freeze_server(fleet: RealFleet, chance: random.Random) -> None:
    """Stop a server for longer than a lease; it goes on as if nothing had been."""
    server = _any(fleet, chance)
    server.send_signal(signal.SIGSTOP)
    await asyncio.sleep(6 + chance.random())


async def stop_server(fleet: RealFleet, chance: random.Random) -> None:
    """Stop a server as its host does."""
    await _moment(chance)
    await _any(fleet, chance).end(signal.SIGTERM)
    await _moment(chance)


async def postgres_goes_back(fleet: RealFleet, chance: random.Random) -> None:
    """Lose PostgreSQL, and have a copy or a standby without the last commits."""
    is_standby = chance.random() < 0.5
    keep = partial(fleet.successor.keep, is_standby=is_standby)
    await asyncio.to_thread(keep)
    await _moment(chance, 1)
    await asyncio.to_thread(fleet.successor.go_back)


async def journal_goes_back(fleet: RealFleet, chance: random.Random) -> None:
    """Have an old copy of its folder in the place of a server's: it is refused."""
    server = _any(fleet, chance)
    copy = await fleet.copy(server.name, f"{server.name}-{chance.getrandbits(40):x}")
    lines = len((copy.folder / "journal-000001.jsonl").read_bytes().splitlines())
    heard = f"SELECT FROM counters WHERE name = '{server.name}' AND seq > {lines}"
    async with asyncio.timeout(PATIENCE):
        while not await query(fleet.postgres.url, heard):  # noqa: ASYNC110 - by others
            await asyncio.sleep(0.05)
    await server.end()
    copy.begin(*chance.choice(((), ("--take-over",))))
    assert await copy.status() == REFUSED
    assert "has not the line" in copy.log, copy.log
