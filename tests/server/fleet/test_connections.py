import asyncio
from contextlib import AsyncExitStack

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from bj_server.fleet.error import FleetAwayError, FleetError
from bj_server.fleet.sql.connections import (
    MOST,
    Connection,
    Connections,
    Times,
    answering,
    connect,
    rows,
)


async def _greet(connection: Connection) -> None:
    pass


async def test_a_line_is_used_again_and_no_more_than_a_few_are_open(
    database: str,
) -> None:
    greeted = []

    async def greet(connection: Connection) -> None:
        greeted.append(connection)

    connections = Connections(database, greet)
    async with AsyncExitStack() as stack:
        for _ in range(MOST):
            await stack.enter_async_context(connections.use())
        waiting = asyncio.create_task(_select_one(connections))
    assert await waiting == 1
    assert len(greeted) == MOST
    await connections.close()


async def _select_one(connections: Connections) -> object:
    async with connections.use() as connection:
        found = await connection.execute("SELECT 1")
        return (await found.fetchone() or ())[0]


async def test_cents_are_whole_numbers_however_many_they_are(database: str) -> None:
    connection = await connect(database)
    found = await rows(
        connection,
        "SELECT cents FROM (VALUES (1e30 + 1), (-7), (12.5 * 100), (NULL)) AS v(cents)",
    )
    read = [repr(row.cents) for row in found]
    assert read == [str(10**30 + 1), "-7", "1250", "None"]
    await connection.close()


async def test_a_line_that_was_cut_is_made_again_at_its_next_use(database: str) -> None:
    connections, other = Connections(database, _greet), await connect(database)
    async with connections.use() as connection:
        number = connection.info.backend_pid
    await other.execute("SELECT pg_terminate_backend(%s, 5000)", (number,))
    with pytest.raises(FleetAwayError):
        await _select_one(connections)
    assert await _select_one(connections) == 1
    await connections.close()
    await other.close()


async def test_a_reply_that_does_not_come_is_given_up(database: str) -> None:
    connections = Connections(database, _greet, times=Times(reply=0.2))
    with pytest.raises(FleetAwayError, match="does not answer"):
        await _sleep(connections)
    await connections.close()


async def _sleep(connections: Connections) -> None:
    async with connections.use() as connection:
        await connection.execute("SELECT pg_sleep(3600)")


async def test_a_greeting_has_the_time_that_it_takes(database: str) -> None:
    async def greet(connection: Connection) -> None:
        async with answering(connection, 60):
            await connection.execute("SELECT pg_sleep(1.2)")

    connections = Connections(database, greet, times=Times(reply=1.0))
    assert await _select_one(connections) == 1
    await connections.close()


async def test_a_fault_within_a_transaction_undoes_it_and_ends_the_line(
    database: str,
) -> None:
    connections = Connections(database, _greet)
    with pytest.raises(psycopg.errors.UniqueViolation):
        await _ban_twice(connections)
    async with connections.use() as connection:
        found = await connection.execute("SELECT * FROM bans")
        assert await found.fetchall() == []
    await connections.close()


async def _ban_twice(connections: Connections) -> None:
    async with connections.use() as connection, connection.transaction():
        for _ in range(2):
            await connection.execute("INSERT INTO bans VALUES ('eve')")


async def test_no_postgres_is_told_with_a_remedy() -> None:
    with pytest.raises(FleetAwayError, match="See that it runs"):
        await connect("postgresql://nobody@/none?host=/nowhere")


async def test_a_postgres_that_may_forget_is_refused(database: str) -> None:
    with pytest.raises(FleetError, match="set synchronous_commit = on"):
        await connect(make_conninfo(database, options="-c synchronous_commit=off"))


async def test_whoever_cannot_be_greeted_is_not_used(database: str) -> None:
    async def refuse(connection: Connection) -> None:
        raise FleetError("No.")

    connections = Connections(database, refuse)
    for _ in range(MOST + 1):
        with pytest.raises(FleetError, match="No"):
            await _select_one(connections)
