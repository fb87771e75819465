"""The office of a fleet: what a host does with its database, one thing at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bj_server.fleet.sql.connections import Connection, Times, answering, connect
from bj_server.fleet.sql.migration import check_schema

_HOUR = 3600.0
_TIMES = Times(connect=5, statement=_HOUR, lock=30.0, idle=_HOUR, reply=_HOUR)
"""A host waits for as long as a large bank takes."""

_T = TypeVar("_T")

Work = Callable[[Connection], Awaitable[_T]]


def do(url: str, work: Work[_T], *, is_new: bool = False) -> _T:
    """Do something in the database of a fleet; of one that ``is_new`` maybe.

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


def wait(seconds: float) -> Callable[[], Awaitable[None]]:
    """Return a pause of so many seconds, for work that has to wait."""
    return lambda: asyncio.sleep(seconds)
