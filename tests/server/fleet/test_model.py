"""A fleet under anything: no cent is lost, doubled or in two places."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from support.fleet import Member, Seconds
from support.fleet_model import FleetModel
from support.wire import Wire

from .conftest import Enrol

# It takes long, and shows nothing of the bank that shorter tests do not.
pytestmark = pytest.mark.no_cover

Servers = list[tuple[Member, Wire]]


@pytest.fixture
async def servers(enrol: Enrol, database: str) -> AsyncIterator[Servers]:
    """Three servers, each with a line of its own to PostgreSQL."""
    async with AsyncExitStack() as stack:
        found = []
        for name in ("east", "north", "west"):
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="bj-"))
            wire = await stack.enter_async_context(Wire(database, Path(place)))
            found.append((enrol(name, wire.url), wire))
        yield found


async def _run(
    seed: int,
    steps: int,
    servers: Servers,
    database: str,
    clock: Seconds,
    handles: int = 4,
) -> FleetModel:
    model = FleetModel(seed, database, servers, clock, handles=handles)
    await model.start()
    for number in range(1, steps + 1):
        await model.step()
        if number % 20 == 0:
            await model.settle()
    await model.empty()
    return model


@pytest.mark.parametrize("seed", range(2))
async def test_nothing_is_lost_whatever_happens(
    servers: Servers, database: str, clock: Seconds, seed: int
) -> None:
    await _run(seed, 60, servers, database, clock)


async def test_one_handle_says_hello_everywhere_and_has_one_opening_balance(
    servers: Servers, database: str, clock: Seconds
) -> None:
    await _run(7, 40, servers, database, clock, handles=1)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(200, 206))
async def test_one_handle_says_hello_everywhere_in_many_storms(
    servers: Servers, database: str, clock: Seconds, seed: int
) -> None:
    model = await _run(seed, 200, servers, database, clock, handles=1)
    print(f"seed {seed}: {model.kills} kills, {model.cuts} cuts")


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(100, 110))
async def test_nothing_is_lost_in_200_kills_and_more_cuts(
    servers: Servers, database: str, clock: Seconds, seed: int
) -> None:
    model = await _run(seed, 320, servers, database, clock)
    print(f"seed {seed}: {model.kills} kills, {model.cuts} cuts")
    assert model.kills >= 15
    assert model.cuts >= 5
