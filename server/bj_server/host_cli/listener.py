"""The listener: a socket in the bank folder, at which the host alone can speak.

Everyone who may write in the folder of the bank is a host. The socket is its owner's
alone, takes one order a connection, and is gone with the server.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path

from pydantic import ValidationError

from bj_server.bank.disk import why
from bj_server.host_cli.desk import Desk
from bj_server.host_cli.order import SOCKET_NAME, Reply, orders

_log = logging.getLogger(__name__)

_LONGEST = 4096
_SECONDS = 9.0
_NOT_READ = "The order could not be read: use the bj-host of this server's release."


@contextlib.asynccontextmanager
async def listening(folder: Path, desk: Desk) -> AsyncIterator[None]:
    """Listen to the host of the bank in ``folder`` for as long as the block lasts.

    A folder that can hold no socket is no reason not to play: it is logged, and there
    is no ``bj-host`` then.
    """
    path = folder / SOCKET_NAME
    try:
        server = await _serve(path, desk)
    except OSError as error:
        _log.warning("bj-host cannot reach this server: %s: %s", path, why(error))
        yield
        return
    try:
        yield
    finally:
        server.close()
        await server.wait_closed()
        # Others may have put something else there.
        with contextlib.suppress(OSError):
            _clear(path)


async def _serve(path: Path, desk: Desk) -> asyncio.Server:
    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, ValueError):
            async with asyncio.timeout(_SECONDS):
                line = await reader.readline()
                reply = await _answer(line, desk)
                writer.write(reply.model_dump_json().encode() + b"\n")
                await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    _clear(path)
    old_mask = os.umask(0o177)
    try:
        return await asyncio.start_unix_server(hear, path, limit=_LONGEST)
    finally:
        os.umask(old_mask)


def _clear(path: Path) -> None:
    """Remove the socket of a server that was killed; the bank's lock is ours."""
    path.unlink(missing_ok=True)


async def _answer(line: bytes, desk: Desk) -> Reply:
    try:
        order = orders.validate_json(line)
    except ValidationError:
        return Reply(is_done=False, lines=(_NOT_READ,))
    return await desk.obey(order)
