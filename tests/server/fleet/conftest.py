import asyncio
import os
from collections.abc import Iterator

import pytest
from psycopg.conninfo import conninfo_to_dict

from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.postgres import Postgres, new_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server, which each worker starts for its first test of a fleet."""
    if url := os.environ.get("BJ_TEST_POSTGRES"):
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
