"""A server is dead, or has a wrong clock: players sit elsewhere, and lose nothing."""

import asyncio
import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from support.fleet import query
from support.fleet_servers import FleetServer, RealFleet
from support.nursery import PATIENCE
from support.serving import hello, read

from .evening import Evening
from .incident import REFUSED, kill_at_a_step

# What is measured here would not be the servers, which are other processes.
pytestmark = pytest.mark.no_cover

OPENING = 1_000_000
_OPEN = "SELECT FROM visits WHERE cents_out IS NULL"
_WRONG_CLOCK = """
import time
for name, wrong in (("time", {0}), ("time_ns", {0} * 10**9)):
    right = getattr(time, name)
    setattr(time, name, lambda right=right, wrong=wrong: right() + wrong)
"""


async def _sit(server: FleetServer) -> tuple[ClientConnection, dict[str, Any]]:
    """Say hello, and return the line and what is said to it first."""
    line = await connect(server.uri, compression=None, open_timeout=PATIENCE)
    await line.send(hello("ned21"))
    return line, await read(line)


async def _seated(
    server: FleetServer,
) -> tuple[ClientConnection, dict[str, Any], set[str]]:
    """Say hello until there is a seat; return also what was said before."""
    said = set[str]()
    async with asyncio.timeout(PATIENCE):
        while True:
            line, first = await _sit(server)
            if first["type"] == "snapshot":
                return line, first, said
            said.add(first.get("code", first["type"]))
            await line.close()
            await asyncio.sleep(0.05)


async def _play_up_to_a_question(
    line: ClientConnection, message: dict[str, Any]
) -> None:
    """Bet the minimum until there is a round with something to decide."""
    while True:
        for ask in (message.get("turn") or {}).get("asks", []):
            if ask["wager"] is None:
                return
            bet = {"prompt": ask["prompt"], "amount": ask["wager"]["minimum"]}
            await line.send(json.dumps({"type": "place_bet", **bet}))
        message = await read(line)


@pytest.mark.parametrize("is_in_a_round", [False, True])
async def test_players_of_a_dead_server_sit_elsewhere_and_have_its_money_later(
    tmp_path: Path, is_in_a_round: bool
) -> None:
    async with RealFleet(tmp_path, ("east", "west")) as fleet:
        east, west = fleet.servers.values()
        # Neither the end of a clock nor that of a hold brings the money home.
        slow = ("--take-over", "--hold-seconds", "3600", "--turn-seconds", "3600")
        await east.end()
        await east.start(*slow)
        line, picture = await _sit(east)
        if is_in_a_round:
            await _play_up_to_a_question(line, picture)
        await east.end()
        dead = time.monotonic()
        line, picture, said = await _seated(west)
        elsewhere = time.monotonic() - dead
        assert said <= {"moved", "seated_elsewhere"}
        (notice,) = picture["notices"]
        there = "yours" if is_in_a_round else "$10,000 of yours"
        assert f"{there} is at server east, which has been unheard" in notice
        (seat,) = picture["seats"]
        assert seat["balance"] == OPENING  # the stake of the outage
        await east.start(*slow)
        back = time.monotonic()
        at_east = f"{_OPEN} AND server = 'east'"
        async with asyncio.timeout(PATIENCE):
            while await query(fleet.postgres.url, at_east):  # noqa: ASYNC110 - by others
                await asyncio.sleep(0.05)
        home = time.monotonic() - back
        await line.send('{"type":"leave"}')
        await line.wait_closed()
        async with asyncio.timeout(PATIENCE):
            while await query(fleet.postgres.url, _OPEN):  # noqa: ASYNC110 - by others
                await asyncio.sleep(0.05)
        visits = await query(fleet.postgres.url, "SELECT cents_out FROM visits")
        cents = sum(visit.cents_out for visit in visits)
        assert is_in_a_round or cents == 2 * OPENING
        line, picture = await _sit(east)
        assert picture["seats"][0]["balance"] == cents
        await line.close()
        print(f"elsewhere after {elsewhere:.1f} s, money back after {home:.1f} s")


async def test_no_wall_clock_decides_anything(tmp_path: Path) -> None:
    for name, wrong in (("fast", 3600), ("slow", -3600)):
        (tmp_path / name).mkdir()
        text = _WRONG_CLOCK.format(wrong)
        (tmp_path / name / "sitecustomize.py").write_text(text)
    async with RealFleet(tmp_path) as fleet:
        east, west, _ = fleet.servers.values()
        await asyncio.gather(east.end(), west.end())
        await asyncio.gather(
            east.start("--take-over", wrapper=tmp_path / "fast"),
            west.start("--take-over", wrapper=tmp_path / "slow"),
        )
        evening = Evening(fleet, 1, 8)
        await evening.run(kill_at_a_step)
        now = "SELECT FROM visits WHERE stranded IS NOT NULL"
        assert await query(fleet.postgres.url, now) == []


async def test_a_server_stops_without_postgres_and_does_not_start_without_it(
    tmp_path: Path,
) -> None:
    async with RealFleet(tmp_path, ("east",)) as fleet:
        (east,) = fleet
        async with connect(east.uri, compression=None) as line:
            await line.send(hello("ned21"))
            assert (await read(line))["type"] == "snapshot"
            await asyncio.to_thread(fleet.postgres.stop)
            await line.send('{"type":"leave"}')
            await line.wait_closed()
        assert await east.end(signal.SIGTERM) == 0
        assert "the fleet was not told that this server stops" in east.log
        east.begin()
        assert await east.status() == REFUSED
        assert "PostgreSQL, which keeps the fleet's bank, does not answer" in east.log
        await asyncio.to_thread(fleet.postgres.start)
        await east.start()  # once nobody else has served by its name for a lease
        async with asyncio.timeout(PATIENCE):
            while await query(fleet.postgres.url, _OPEN):  # noqa: ASYNC110 - by others
                await asyncio.sleep(0.05)
        (rest,) = await query(fleet.postgres.url, "SELECT cents FROM players")
        assert rest.cents == OPENING
        assert "Traceback" not in east.log
