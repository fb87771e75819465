"""A stranger in a process of its own: tries codes or new handles as fast as it can.

    python tests/whole/stranger.py URI code|handle NUMBER

Prints what the server said, as JSON: how often each answer came, and the seconds.
"""

import asyncio
import json
import secrets
import sys
import time
from collections import Counter

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

_AT_ONCE = 8


async def attack(uri: str, kind: str, number: int) -> None:
    """Try ``number`` times, some at once, and print what came of it."""
    said: Counter[str] = Counter()
    numbers, start = iter(range(number)), time.monotonic()

    async def knock() -> None:
        for n in numbers:
            said[await _try(uri, kind, n)] += 1

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(knock())
    print(json.dumps({"said": said, "seconds": time.monotonic() - start}))


async def _try(uri: str, kind: str, number: int) -> str:
    """Say hello once, as nobody who was here before, and return what came back."""
    hello = {
        "type": "hello",
        "version": 2,
        "handle": f"{kind}{number}",
        "key": secrets.token_urlsafe(32),
        **({"table": "club", "code": f"guess {number}"} if kind == "code" else {}),
    }
    try:
        async with connect(uri, compression=None, ping_interval=None) as line:
            await line.send(json.dumps(hello))
            answer = json.loads(await line.recv())
            if answer["type"] == "snapshot":
                await line.send('{"type":"leave"}')
                await line.wait_closed()
            return str(answer.get("code", answer["type"]))
    except (ConnectionClosed, InvalidHandshake, OSError) as error:
        return type(error).__name__


if __name__ == "__main__":
    asyncio.run(attack(sys.argv[1], sys.argv[2], int(sys.argv[3])))
