"""PostgreSQL crashes, is restored and is followed by a standby; folders are copied."""

import random
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from bj_server.bank.error import BankError
from bj_server.bank.signer import Signer
from bj_server.fleet.error import FencedError, FleetError
from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.fleet import OPENING, Member, Seconds, at_rest, check_money, query, sign
from support.fleet_model import FleetModel
from support.postgres import Successor
from support.wire import Wire

from .conftest import Enrol

# It takes long, and shows nothing of the bank that shorter tests do not.
pytestmark = pytest.mark.no_cover

_FAIR = {"_be_refused", "_reset_key", "_give"}
"""What PostgreSQL may lose for good, since no journal has it."""


@pytest.fixture
def successor() -> Iterator[Successor]:
    successor = Successor()
    yield successor
    successor.remove()


@pytest.fixture
async def model(
    tmp_path: Path, successor: Successor, clock: Seconds
) -> AsyncIterator[FleetModel]:
    """Three servers on a PostgreSQL of their own."""
    connection = await connect(successor.url)
    await migrate(connection)
    await connection.close()
    key = Signer.after()
    async with AsyncExitStack() as stack:
        found = []
        for name in ("east", "north", "west"):
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="bj-"))
            wire = await stack.enter_async_context(Wire(successor.url, Path(place)))
            sign(tmp_path / name, name, key)
            found.append((Member(name, tmp_path / name, wire.url, clock), wire))
        model = FleetModel(0, successor.url, found, clock, without=_FAIR)
        await model.start()
        yield model
        await Member.abandon_all()


async def _go_back(
    model: FleetModel, successor: Successor, seed: int, *, is_standby: bool
) -> None:
    model.chance.seed(seed)
    for _ in range(12):
        await model.step()
    await model.settle()
    successor.keep(is_standby=is_standby)
    for _ in range(12):
        await model.step()
    successor.go_back()
    for member in model.alive:
        with suppress(BankError):
            await member.cage.beat()
    await model.settle()


async def test_a_crash_of_postgres_loses_nothing(
    model: FleetModel, successor: Successor
) -> None:
    await model.hello("p0", model.members[0])
    successor.crash()
    await model.hello("p1", model.members[1])
    await model.settle()
    await model.empty()
    assert await at_rest(model.url, "p0") == OPENING


@pytest.mark.parametrize("is_standby", [False, True])
async def test_a_postgres_that_knows_less_is_told_the_rest(
    model: FleetModel, successor: Successor, is_standby: bool
) -> None:
    await _go_back(model, successor, 1, is_standby=is_standby)
    await model.empty()


@pytest.mark.torture
async def test_postgres_goes_back_20_times_and_crashes_as_often(
    model: FleetModel, successor: Successor
) -> None:
    for number in range(20):
        await _go_back(model, successor, number, is_standby=bool(number % 2))
        successor.crash()
        await model.settle()
    await model.empty()


async def _copy_and_start_twice(
    enrol: Enrol, database: str, tmp_path: Path, number: int
) -> None:
    """Copy a folder, go on or not, start the copy: one of both serves and pays."""
    chance, name = random.Random(number), f"n{number}"
    handles = [f"{name}p{each}" for each in range(3)]
    first = enrol(name)
    await first.start()
    for handle in handles[:2]:
        await first.sit(handle)
    first.bank.journal.sync()
    await first.cage.beat()
    copied = tmp_path / f"{name}-copy"
    first.bank.journal.write()
    shutil.copytree(first.folder, copied)
    copy = Member(name, copied, database, first.clock)
    goes_on = chance.random() < 0.5
    if goes_on:
        first.win(handles[0], 50)
        await first.leave(handles[0])
        first.bank.journal.sync()
        await first.cage.beat()
    else:
        first.win(handles[0], 90)  # which no checkpoint has told of
    is_killed = chance.random() < 0.5
    if is_killed:
        await first.kill()
    try:
        await copy.start(takes_over=chance.random() < 0.5)
    except FleetError:
        assert goes_on
        if is_killed:
            await first.start()
        serving = first
    else:
        assert not goes_on
        serving = copy
        if is_killed:
            with pytest.raises(FleetError, match="has not the line"):
                await first.start()
        else:
            with pytest.raises(FencedError):
                await first.cage.beat()
    serving.seats.clear()
    serving.cage.left(handles[0])
    serving.cage.left(handles[1])
    await serving.cage.settle()
    assert await at_rest(database, handles[0]) == OPENING + 50 * goes_on
    assert await at_rest(database, handles[1]) == OPENING
    await check_money(database, serving)
    rows = await query(database, "SELECT FROM visits WHERE cents_out IS NULL")
    assert rows == []
    await serving.stop()


@pytest.mark.parametrize("number", range(3))
async def test_of_a_folder_and_its_copy_one_serves_and_pays_once(
    enrol: Enrol, database: str, tmp_path: Path, number: int
) -> None:
    await _copy_and_start_twice(enrol, database, tmp_path, number)


@pytest.mark.torture
@pytest.mark.parametrize("number", range(100, 120))
async def test_of_20_folders_and_their_copies_one_each_serves(
    enrol: Enrol, database: str, tmp_path: Path, number: int
) -> None:
    await _copy_and_start_twice(enrol, database, tmp_path, number)
