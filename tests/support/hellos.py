"""Hellos at a server of a fleet, and what comes of them."""

import asyncio
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from support.fleet import Serving
from support.nursery import PATIENCE
from support.serving import hello, read


async def say(serving: Serving, handle: str = "ned21", **said: Any) -> ClientConnection:
    """Say hello on a new line."""
    line = await connect(serving.uri, compression=None, open_timeout=PATIENCE)
    await line.send(hello(handle, **said))
    return line


async def sit(
    serving: Serving, handle: str = "ned21", **said: Any
) -> tuple[ClientConnection, int]:
    """Sit down; return the line and the bank."""
    line = await say(serving, handle, **said)
    picture = await read(line)
    assert picture["type"] == "snapshot", picture
    (seat,) = [seat for seat in picture["seats"] if seat["handle"] == handle]
    return line, int(seat["balance"])


async def refused(line: ClientConnection) -> str:
    """Return the code of a refusal that ends a line."""
    message = await read(line)
    assert message["type"] == "refused", message
    await line.wait_closed()
    return str(message["code"])


async def leave(line: ClientConnection, serving: Serving) -> None:
    await line.send('{"type":"leave"}')
    await line.wait_closed()
    await settled(serving)


async def settled(serving: Serving) -> None:
    """Wait until nobody is here who has no seat, and all are paid out."""
    async with asyncio.timeout(PATIENCE):
        while any(
            not serving.lobby.is_coming(handle)
            for handle in tuple(serving.bank.books.visits)
        ):
            await serving.cage.settle()
        await serving.cage.settle()
