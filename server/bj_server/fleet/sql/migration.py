"""Migrations: numbered SQL files, carried out one after another, each once.

Each file says in its first line which programs may still use the schema after it, by
the number of the last migration that they know. So a migration adds first, and a later
release takes away. A host does nothing else in a database whose schema does not fit.
"""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import TypeVar

from bj_server.fleet.error import FleetError
from bj_server.fleet.sql.connections import Connection, Times, answering, connect, rows

_LOCK = 0x626A666C
"""The advisory lock under which one migrates at a time."""

_OLDEST = re.compile(r"-- Oldest schema whose programs may use this one: ([0-9]+)\n")

_HOUR = 3600.0
_TIMES = Times(connect=5, statement=_HOUR, lock=30.0, idle=_HOUR, reply=_HOUR)
"""A host waits for as long as a large bank takes."""

_T = TypeVar("_T")


@cache
def migrations() -> tuple[str, ...]:
    """Return the texts of all migrations, in their order."""
    folder = files(__package__) / "schema"
    paths = sorted(path.name for path in folder.iterdir() if path.name[:4].isdigit())
    return tuple((folder / name).read_text(encoding="utf-8") for name in paths)


async def schema_of(connection: Connection) -> tuple[int, int]:
    """Return the last migration, and the oldest program that may still use it."""
    (found,) = await rows(connection, "SELECT to_regclass('fleet')::text AS name")
    if found.name is None:
        return 0, 0
    (fleet,) = await rows(connection, "SELECT schema, oldest FROM fleet")
    return fleet.schema, fleet.oldest


async def migrate(connection: Connection) -> list[int]:
    """Bring the schema up to this program; return the migrations that were missing."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        last, _ = await schema_of(connection)
        done = []
        for number, text in enumerate(migrations()[last:], last + 1):
            await connection.execute(text.encode())
            oldest = _OLDEST.match(text)
            assert oldest is not None
            await connection.execute(
                "INSERT INTO fleet (id, schema, oldest) VALUES (%s, %s, %s) "
                "ON CONFLICT (is_only) DO UPDATE "
                "SET schema = excluded.schema, oldest = excluded.oldest",
                (secrets.token_hex(8), number, int(oldest[1])),
            )
            done.append(number)
    return done


async def check_schema(connection: Connection) -> None:
    """See that this program and the schema fit.

    Raises:
        FleetError: if they do not.
    """
    last, oldest = await schema_of(connection)
    known = len(migrations())
    if last < known:
        raise FleetError(
            f"The fleet's database has schema {last}, and this program needs {known}: "
            "run bj-bank fleet migrate."
        )
    if oldest > known:
        raise FleetError(
            f"The fleet's database has schema {last}, and this program knows {known} "
            "alone: update it."
        )


def in_database(
    url: str, work: Callable[[Connection], Awaitable[_T]], *, is_new: bool = False
) -> _T:
    """Do a host's work in the database of a fleet; in one that ``is_new`` maybe.

    Raises:
        FleetError: if it cannot be done.
    """

    async def whole() -> _T:
        connection = await connect(url, _TIMES)
        try:
            async with answering(connection, _TIMES.reply):
                if not is_new:
                    await check_schema(connection)
                return await work(connection)
        finally:
            await connection.close()

    return asyncio.run(whole())
