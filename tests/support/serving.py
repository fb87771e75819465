"""A table behind a real socket, and the few words that a client needs."""

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bj_server.bank.bank import Bank
from bj_server.host import set_table
from bj_server.net.app import App
from bj_server.net.limits import Limits
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.newcomers import Newcomers
from bj_server.options import read_options
from bj_server.table.clock import LoopClock
from support.nursery import PATIENCE

PATIENT = Limits(
    burst=100_000,
    new_handles=0,
    wrong_tries=0,
    hello_seconds=PATIENCE,
    pong_seconds=PATIENCE,
)
"""For tests that look at the table, or are refused, faster than a player would.

On a machine that is busy they are slower, too.
"""


@asynccontextmanager
async def serving(
    folder: Path, *options: str, limits: Limits = PATIENT
) -> AsyncIterator[str]:
    """Serve a table until the block ends; yield its address."""
    settings = read_options(["--bank", str(folder), "--port", "0", *options])
    bank = Bank.open(folder, keep=settings.table_names)
    clock = LoopClock()
    places = [
        HostedTable.of(set_table(settings, plan, bank, clock), plan.code)
        for plan in settings.tables
    ]
    lobby = Lobby(places, newcomers=Newcomers(limits))
    app = App(lobby, limits, encryption=settings.encryption)
    stop, port = asyncio.Event(), asyncio.get_running_loop().create_future()
    task = asyncio.create_task(app.run("127.0.0.1", 0, stop, port.set_result))
    try:
        scheme = "ws" if settings.encryption is None else "wss"
        yield f"{scheme}://127.0.0.1:{await port}"
    finally:
        stop.set()
        await task
        bank.audit()
        bank.close()


def key_of(player: str) -> str:
    """Return the key that a player has for each of their handles, always the same."""
    digest = hashlib.sha256(player.lower().encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def hello(handle: Any, **changes: Any) -> str:
    """Return the hello of the player who is named like the handle."""
    fields = {"type": "hello", "version": 2, "handle": handle, "key": key_of(handle)}
    return json.dumps(fields | changes)


async def join(
    uri: str, handle: str = "ned21", *, key: str | None = None, **options: Any
) -> ClientConnection:
    """Say hello, with the key of the handle's player unless another is given."""
    line = await connect(uri, compression=None, open_timeout=PATIENCE, **options)
    await line.send(hello(handle, key=key or key_of(handle)))
    return line


async def read(line: ClientConnection) -> dict[str, Any]:
    """Return the next message; what a server signs is for other tests."""
    message: dict[str, Any] = {"type": "signed"}
    while message["type"] == "signed":
        message = json.loads(await line.recv())
    return message
