"""Orders: the orders of the host to a server, its replies, and the socket between.

Everyone who may write in the folder of the bank is a host. The socket there is its
owner's alone, takes one order a connection, and is gone with the server.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from bj_protocol.chat import MAX_CHAT
from bj_protocol.model import Model
from bj_server.bank.disk import why

SOCKET_NAME = "host.sock"
"""The socket in the bank folder at which a server listens to its host."""


class Proclaim(Model):
    """Say something to everyone at a table, or at all of them."""

    do: Literal["say"] = "say"
    text: str = Field(max_length=MAX_CHAT)
    table: str | None = None


class About(Model):
    """Do something about a player, or have the key of a handle forgotten."""

    do: Literal[
        "kick", "ban", "unban", "mute", "unmute", "invite", "uninvite", "reset-key"
    ]
    handle: str = Field(max_length=64)


class Shuffle(Model):
    """Put new cards on a table, or on all of them, as soon as no round is on."""

    do: Literal["shuffle"] = "shuffle"
    table: str | None = None


class Gift(Model):
    """Give a player money, in cents."""

    do: Literal["gift"] = "gift"
    handle: str = Field(max_length=64)
    amount: int = Field(ge=1, le=10**15)


class Whole(Model):
    """Tell who sits at the tables, is banned or invited; or end the whole server.

    A server that is drained begins no round any more, and stops once none is on.
    """

    do: Literal["tables", "bans", "invites", "drain"]


class Open(Model):
    """Open a table."""

    do: Literal["open"] = "open"
    name: str = Field(max_length=64)
    house: str | None = None
    code: str | None = Field(default=None, min_length=6, max_length=64, repr=False)
    """The code of a private table; None for one that is open to all."""


class Close(Model):
    """Close a table once its round is over."""

    do: Literal["close"] = "close"
    name: str = Field(max_length=64)


class Notice(Model):
    """Tell everybody something, also those who come later; empty takes it back."""

    do: Literal["notice"] = "notice"
    text: str = Field(max_length=MAX_CHAT)


Order = Annotated[
    Proclaim | Notice | About | Gift | Shuffle | Open | Close | Whole,
    Field(discriminator="do"),
]

orders: TypeAdapter[Order] = TypeAdapter(Order)


class Reply(Model):
    """The result of an order."""

    is_done: bool
    lines: tuple[str, ...]
    """The lines for the host; one sentence that says why, if it is not done."""


Obey = Callable[[Order], Awaitable[Reply]]
"""Carries out an order."""

_log = logging.getLogger(__name__)

_LONGEST = 4096
_SECONDS = 9.0
_NOT_READ = "The order could not be read: use the bj-host of this server's release."


@contextlib.asynccontextmanager
async def listening(folder: Path, obey: Obey) -> AsyncIterator[None]:
    """Listen to the host of the bank in ``folder`` for as long as the block lasts.

    A folder that can hold no socket is no reason not to play: it is logged, and there
    is no ``bj-host`` then.
    """
    path = folder / SOCKET_NAME
    try:
        path.unlink(missing_ok=True)  # of a server that was killed; the bank is ours
        server = await _serve(path, obey)
    except OSError as error:
        _log.warning("bj-host cannot reach this server: %s: %s", path, why(error))
        yield
        return
    try:
        yield
    finally:
        server.close()
        await server.wait_closed()
        with contextlib.suppress(OSError):  # others may have put something else there
            path.unlink(missing_ok=True)


async def _serve(path: Path, obey: Obey) -> asyncio.Server:
    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, ValueError):
            async with asyncio.timeout(_SECONDS):
                reply = await _answer(await reader.readline(), obey)
                writer.write(reply.model_dump_json().encode() + b"\n")
                await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    old_mask = os.umask(0o177)
    try:
        return await asyncio.start_unix_server(hear, path, limit=_LONGEST)
    finally:
        os.umask(old_mask)


async def _answer(line: bytes, obey: Obey) -> Reply:
    try:
        order = orders.validate_json(line)
    except ValidationError:
        return Reply(is_done=False, lines=(_NOT_READ,))
    return await obey(order)
