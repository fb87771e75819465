"""Solo: a private server for the players here, with bots for company.

The server is a process of its own, started and stopped here; it never sees the
terminal, so that Ctrl-C reaches the player's client alone.
"""

import asyncio
import contextlib
import json
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable
from pathlib import Path

from bj_client.error import NoPrivateServerError
from bj_client.net.address import Address, read_address
from bj_client.net.keyring import PRIVATE_SERVER, Keyring
from bj_client.play.hotseat import Hotseat
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Session, Visit
from bj_client.words.text import printable

_SEATS = 3
"""The fewest seats; bots take what the players leave of them."""
_START_SECONDS = 20.0
_STOP_SECONDS = 10.0
_NAMES = ("ada-bot", "bob-bot", "cyd-bot")
_COMPANY_BET = 1000
_address = re.compile(r"wss?://[^\s'\"<>]*[^\s'\"<>.,;)]")


@contextlib.asynccontextmanager
async def private_server(bank: Path, players: int) -> AsyncIterator[Address]:
    """Run a server for some players, with the folder ``bank``, and give its address.

    Raises:
        NoPrivateServerError: if it does not start, with its last words.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bj_server"),
        *("--host", "127.0.0.1", "--port", "0"),
        *("--bank", str(bank), "--seats", str(max(_SEATS, players))),
        *("--no-clock", "--stop-on-eof", "--log-level", "warning"),
        stdin=PIPE,  # which ends with us, however we end
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
        # The line stays on this machine, where a certificate for others is of no use,
        # and nobody is a newcomer who is not let in.
        env={
            name: text
            for name, text in os.environ.items()
            if not name.startswith(("BJ_TLS_", "BJ_CODE", "BJ_INVITE_ONLY"))
        },
    )
    errors: deque[str] = deque(maxlen=1)
    readers = [asyncio.create_task(_keep_last(process.stderr, errors))]
    try:
        address = await _announced(process)
        if address is None:
            # Until it has ended: to signal a process that has just done so takes its
            # status from under the loop, which says so on our standard error.
            ending = asyncio.create_task(process.wait())
            await asyncio.wait({*readers, ending}, timeout=1)
            ending.cancel()
            raise NoPrivateServerError(printable("".join(errors).strip()))
        draining = _keep_last(process.stdout, deque(maxlen=1))
        readers.append(asyncio.create_task(draining))
        yield address
    finally:
        await _stop(process)
        for reader in readers:
            reader.cancel()


async def forget_keys(bank: Path, handles: Iterable[str]) -> list[str]:
    """Have the bank forget the keys of handles, as its host; return whose it knew.

    No server may run on it. Without a bank there is nothing to forget.
    """
    forgotten = []
    for handle in handles if os.path.exists(bank) else ():  # noqa: ASYNC240 - quick
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bj_server.bank_cli", "--bank", str(bank)),
            *("reset-key", "--json", handle),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
        )
        said, _ = await process.communicate()
        if process.returncode == 0 and json.loads(said)["reset"]:
            forgotten.append(handle)
    return forgotten


def names_of_company(handles: Collection[str]) -> list[str]:
    """Return the names of the bots that sit beside ``handles``."""
    taken = {handle.lower() for handle in handles}
    free = max(0, _SEATS - len(handles))
    return [name for name in _NAMES if name not in taken][:free]


@contextlib.asynccontextmanager
async def company(address: Address, handles: Collection[str]) -> AsyncIterator[None]:
    """Let bots fill up the seats beside ``handles`` while the context lasts."""
    keys = Keyring(PRIVATE_SERVER, warn=lambda _: None)  # those of the player warn
    visits = [
        Visit((name,), Narrator.silent(), _auto, keys=keys, unproven=True)
        for name in names_of_company(handles)
    ]
    tasks = [asyncio.create_task(each.run(address)) for each in visits]
    seated = [asyncio.create_task(each.seated.wait()) for each in visits]
    try:
        for sits, visit in zip(seated, tasks, strict=True):  # or has failed to
            await asyncio.wait({sits, visit}, return_when=asyncio.FIRST_COMPLETED)
        yield
    finally:
        for task in (*tasks, *seated):
            task.cancel()
        await asyncio.gather(*tasks, *seated, return_exceptions=True)


def _auto(hotseat: Hotseat, narrator: Narrator) -> Session:
    from bj_client.bot.bot import read_bot  # bots know the game, and few runs have one
    from bj_client.play.bot_session import AutoSession

    bot = read_bot("basic").make(_COMPANY_BET)
    return AutoSession(hotseat.storyteller, narrator, bot)


async def _announced(process: Process) -> Address | None:
    """Return the address that the server prints, or None if it does not."""
    stream = process.stdout
    assert stream is not None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_START_SECONDS):
            async for line in stream:
                match = _address.search(line.decode("utf-8", "replace"))
                if match is not None:
                    with contextlib.suppress(ValueError):
                        return read_address(match[0])
    return None


async def _keep_last(stream: asyncio.StreamReader | None, lines: deque[str]) -> None:
    """Read a stream to its end, so that the server never waits for a reader."""
    assert stream is not None
    with contextlib.suppress(ValueError):
        async for line in stream:
            if line.strip():
                lines.append(line.decode("utf-8", "replace"))


async def _stop(process: Process) -> None:
    """Ask the server to stop, and wait; only a server that hangs is killed."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _STOP_SECONDS)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
