import asyncio

import pytest

from bj_server.fleet.error import FleetError
from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import (
    check_schema,
    migrate,
    migrations,
    schema_of,
)

ALL = list(range(1, len(migrations()) + 1))


async def test_an_empty_database_gets_every_migration_once(empty: str) -> None:
    connection = await connect(empty)
    assert await schema_of(connection) == (0, 0)
    assert await migrate(connection) == ALL
    assert await migrate(connection) == []
    await check_schema(connection)
    await connection.close()


async def test_two_that_migrate_at_once_wait_for_each_other(empty: str) -> None:
    both = [await connect(empty) for _ in range(2)]
    done = await asyncio.gather(*map(migrate, both))
    assert sorted(done) == [[], ALL]
    for connection in both:
        await connection.close()


async def test_a_database_without_the_schema_is_refused(empty: str) -> None:
    connection = await connect(empty)
    with pytest.raises(FleetError, match="run bj-bank fleet migrate"):
        await check_schema(connection)
    await connection.close()


async def test_a_schema_that_needs_a_newer_program_is_refused(database: str) -> None:
    connection = await connect(database)
    await connection.execute("UPDATE fleet SET schema = 99, oldest = 1")
    await check_schema(connection)
    await connection.execute("UPDATE fleet SET oldest = 99")
    with pytest.raises(FleetError, match="update it"):
        await check_schema(connection)
    await connection.close()


async def test_every_account_of_a_new_fleet_is_at_zero(database: str) -> None:
    connection = await connect(database)
    found = await connection.execute("SELECT * FROM accounts")
    assert await found.fetchall() == [("donor", 0)]
    await connection.close()
