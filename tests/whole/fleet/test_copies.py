"""A folder is copied and started twice: one of both serves, and none pays twice."""

import signal
from copy import deepcopy
from pathlib import Path

import pytest

from support.fleet_servers import FleetServer, RealFleet, until

from .evening import Evening
from .incident import REFUSED

# What is measured here would not be the servers, which are other processes.
pytestmark = pytest.mark.no_cover

WAYS = ("alive", "hurried", "killed", "stopped", "cut off")
"""What becomes of the original while the copy starts."""


async def _settled_start(server: FleetServer) -> bool:
    """Return whether it serves, once that is decided."""
    await until(lambda: server.is_open or not server.is_running, "a start")
    if server.is_running:
        return True
    assert await server.status() == REFUSED
    assert (
        "is served already" in server.log
        or "has not the line" in server.log
        or "was quicker" in server.log
    ), server.log
    return False


async def _start_twice(evening: Evening, name: str, way: str, copy: str) -> bool:
    """Copy a folder under play, and start it; whether the copy has followed."""
    fleet, auditor = evening.fleet, evening.auditor
    first = fleet.servers[name]
    if way == "stopped":
        first.send_signal(signal.SIGSTOP)
    if way == "cut off":
        first.wire.cut()
    told = deepcopy(auditor.told(first.uri))
    twin = await fleet.copy(name, copy)
    if way == "killed":
        await first.end()
    twin.begin(*(["--take-over"] if way in ("hurried", "killed") else []))
    follows = await _settled_start(twin)
    if way in ("stopped", "cut off"):
        assert follows
    if way == "alive":
        assert not follows
    if not follows:
        return False
    auditor.follow(twin, told)
    first.send_signal(signal.SIGCONT)
    await first.wire.mend()
    if way != "killed":
        assert await first.status() == REFUSED
        assert "was taken over by another start" in first.log, first.log
    return True


async def _run(folder: Path, seed: int, ways: list[str]) -> str:
    followed = 0
    async with RealFleet(folder) as fleet:
        evening = Evening(fleet, seed, 8)
        for number, way in enumerate(ways):
            name = evening.chance.choice([*fleet.servers])
            async with evening.playing():
                followed += await _start_twice(evening, name, way, f"{name}-{number}")
        await evening.auditor.audit_folders()
        return f"{len(ways)} copies, of which {followed} followed; {evening.report()}"


async def test_of_a_folder_and_its_copy_one_serves(tmp_path: Path) -> None:
    print(await _run(tmp_path, 1, ["hurried", "cut off"]))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(4))
async def test_of_20_folders_and_their_copies_one_each_serves(
    tmp_path: Path, seed: int
) -> None:
    print(await _run(tmp_path, seed, [*WAYS]))


async def test_a_second_start_on_one_folder_is_refused(tmp_path: Path) -> None:
    async with RealFleet(tmp_path, ("east",)) as fleet:
        evening = Evening(fleet, 1, 2)
        async with evening.playing():
            east = fleet.servers["east"]
            second = FleetServer("east", east.folder, 0, east.wire)
            second.begin("--take-over")
            assert await second.status() == REFUSED
            assert "is in use by process" in second.log, second.log
