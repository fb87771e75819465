"""The database of a world with a fleet: fresh, on a PostgreSQL that is started once."""

import asyncio
import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import psycopg
from psycopg.conninfo import make_conninfo

from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.postgres import Postgres, new_database

_EMPTY = "bj_world"


@cache
def _server() -> str:
    """Return the URL of a PostgreSQL that has the schema of a fleet."""
    if (url := os.environ.get("BJ_TEST_POSTGRES")) is None:
        server = Postgres()
        atexit.register(server.remove)
        server.start()
        url = server.url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {_EMPTY}".encode())
        connection.execute(f"CREATE DATABASE {_EMPTY}".encode())
    asyncio.run(_migrate(make_conninfo(url, dbname=_EMPTY)))
    return url


async def _migrate(url: str) -> None:
    connection = await connect(url)
    await migrate(connection)
    await connection.execute("UPDATE fleet SET id = 'world'")
    await connection.close()


@contextmanager
def fresh_database() -> Iterator[str]:
    """Give the URL of a database of a fleet in which nothing is."""
    with new_database(_server(), _EMPTY) as url:
        yield url
