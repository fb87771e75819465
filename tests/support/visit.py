"""Whole visits: in this process by typed lines, or by the real command."""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bj_client.model.seat import Faces
from bj_client.net.address import Address
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.net.server_key import ServerKey
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import PipedInput
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from support.nursery import PATIENCE, Child, run_quickly


@dataclass(frozen=True)
class Played:
    """How a command ended."""

    code: int
    output: str
    errors: str


async def run_command(*arguments: str, typed: str = "", **environment: str) -> Played:
    """Run the real command with ``typed`` as its piped input."""
    child = Child(
        "bj_client",
        *arguments,
        environment=os.environ | environment,
        anew="LC_ALL" in environment,
    )
    output, errors = await asyncio.to_thread(child.communicate, typed)
    assert child.returncode is not None
    return Played(child.returncode, output, errors)


class WatchedOutput(StringIO):
    """An output that knows when a text has been written to it."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.awaited = awaited
        self.seen = asyncio.Event()

    def write(self, text: str) -> int:
        if self.awaited in text:
            self.seen.set()
        return super().write(text)


async def run_lines(
    address: Address,
    typed: str,
    *,
    rounds: int | None = None,
    when: str = "",
    handles: tuple[str, ...] = ("ned21",),
    policy: ReconnectPolicy | None = None,
    is_live: bool = False,
    server_key: ServerKey | None = None,
) -> str:
    """Play a whole visit in this process by typed lines; return what was shown.

    Nothing is typed before the text ``when`` was shown.
    """
    ours, theirs = os.pipe()
    output = WatchedOutput(when)
    paper = PlainOutput(output)

    def session(hotseat: Hotseat, narrator: Narrator) -> LineSession:
        source = PipedInput(ours, paper, is_live=is_live, inline=False)
        return LineSession(hotseat, narrator, source, rounds)

    keys = Keyring(address.name, warn=pytest.fail)
    narrator = Narrator(paper, Faces(symbols=True))
    more: Any = {"keys": keys, "policy": policy, "server_key": server_key}
    visit = Visit(handles, narrator, session, **more)
    playing = asyncio.create_task(visit.run(address))
    seen = asyncio.create_task(output.seen.wait())
    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait({seen, playing}, return_when=asyncio.FIRST_COMPLETED)
            os.write(theirs, typed.encode())
            os.close(theirs)
            await playing
    finally:
        seen.cancel()
        playing.cancel()
        os.close(ours)
    return output.getvalue()


class OneRound:
    """Plays one round by the real client, and leaves; a folder is its computer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self, server: str, *options: str, handle: str = "ned21", home: str = "ned"
    ) -> subprocess.CompletedProcess[str]:
        """Play at a server, with the keys that ``home`` has kept."""
        who = ("--server", server, "--handle", handle, "--bot", "basic")
        return run_quickly(
            [sys.executable, "-m", "bj_client", *who, "--rounds", "1", *options],
            env={**os.environ, "XDG_STATE_HOME": str(self._folder / home)},
        )
