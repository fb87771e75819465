import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from bj_server.bank.signer import Signer
from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.fleet import Member, Seconds, Serving, serving_in_fleet, sign
from support.postgres import Postgres, TimeMachine, new_database
from support.wire import Wire

Enrol = Callable[..., Member]

_HOUSE = ("--house", "vegas-strip", "--hold-seconds", "3600")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server, which each worker starts for its first test of a fleet."""
    # The servers that tests start would tell of a variable that they do not know.
    if url := os.environ.pop("BJ_TEST_POSTGRES", ""):
        yield url
        return
    server = Postgres()
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


async def _migrate(url: str) -> None:
    connection = await connect(url)
    await migrate(connection)
    await connection.close()


@pytest.fixture(scope="session")
def migrated(postgres: str) -> Iterator[str]:
    """The name of a database with the schema and nothing in it, to be copied."""
    with new_database(postgres) as url:
        asyncio.run(_migrate(url))
        yield str(conninfo_to_dict(url)["dbname"])


@pytest.fixture
def empty(postgres: str) -> Iterator[str]:
    """The URL of a database without anything."""
    with new_database(postgres) as url:
        yield url


@pytest.fixture
def database(postgres: str, migrated: str) -> Iterator[str]:
    """The URL of a fresh database of a fleet."""
    with new_database(postgres, migrated) as url:
        yield url


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
async def enrol(tmp_path: Path, database: str, clock: Seconds) -> AsyncIterator[Enrol]:
    """Make servers of one fleet, by their names."""
    key = Signer.after()

    def make(name: str, url: str = database) -> Member:
        sign(tmp_path / name, name, key)
        return Member(name, tmp_path / name, url, clock)

    yield make
    await Member.abandon_all()


@pytest.fixture
async def wire(tmp_path: Path, database: str) -> AsyncIterator[Wire]:
    """A wire to the database, which can be disturbed."""
    with tempfile.TemporaryDirectory(prefix="bj-") as folder:  # a short path
        async with Wire(database, Path(folder)) as wire:
            yield wire


@pytest.fixture
def machine(postgres: str, database: str) -> Iterator[TimeMachine]:
    """Has the database go back in time."""
    machine = TimeMachine(postgres, database)
    yield machine
    machine.forget()


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """The folders of two servers of one fleet."""
    key, found = Signer.after(), {}
    for name in ("east", "west"):
        found[name] = tmp_path / name
        sign(found[name], name, key)
    return found


@pytest.fixture
async def east(folders: dict[str, Path], wire: Wire) -> AsyncIterator[Serving]:
    options = (*_HOUSE, "--table", "main", "--table", "attic", "--seats", "1")
    async with serving_in_fleet(folders["east"], wire.url, *options) as serving:
        yield serving


@pytest.fixture
async def west(folders: dict[str, Path], database: str) -> AsyncIterator[Serving]:
    options = (*_HOUSE, "--table", "main", "--table", "cellar")
    async with serving_in_fleet(folders["west"], database, *options) as serving:
        yield serving
