"""Q1: a real server is killed in the middle of play, again and again."""

import asyncio
import contextlib
import json
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from support.nursery import Child
from support.serving import hello
from whole.witness import Witness

# What is measured here would not be the server, which is another process.
pytestmark = pytest.mark.no_cover

HANDLES = ("ned21", "lia9", "eve", "kim")


class Life:
    """A server from its first moment to its last, which comes by SIGKILL."""

    def __init__(self, folder: Path) -> None:
        self._server = Child("bj_server", "--port", "0", "--bank", str(folder))

    def port(self) -> int:
        """Return where it can be reached, once it can be."""
        first = self._server.stdout.readline()
        assert first.startswith("Blackjack is open at ws://"), first
        return int(first.rpartition(":")[2].strip(" .\n"))

    def kill(self) -> None:
        """Kill it, unless that was done."""
        self._server.kill()

    def see_the_end(self) -> None:
        """Wait until it is gone, and see that nothing else has ended it."""
        assert self._server.wait() == -signal.SIGKILL
        assert "Traceback" not in self._server.stderr.read()
        self._server.close()


class Fuse:
    """Burns with every message that is heard, and kills the server at its end."""

    def __init__(self, messages: int, delay: float, kill: Callable[[], None]) -> None:
        """Kill after so many messages, and a few moments, in seconds."""
        self._left = messages
        self._delay = delay
        self._kill = kill

    def burn(self) -> None:
        self._left -= 1
        if self._left == 0:
            asyncio.get_running_loop().call_later(self._delay, self._kill)


class Player:
    """One seat that bets and stands as fast as it is asked, and notes what it hears."""

    def __init__(self, handle: str, witness: Witness, fuse: Fuse) -> None:
        self.handle = handle
        self._witness = witness
        self._fuse = fuse
        self._seat = self._round = 0
        self._answered = 0

    async def play(self, port: int) -> None:
        with contextlib.suppress(WebSocketException, OSError):
            async with connect(f"ws://127.0.0.1:{port}", compression=None) as line:
                await line.send(hello(self.handle))
                async for text in line:
                    self._fuse.burn()
                    for answer in self._hear(json.loads(text)):
                        await line.send(json.dumps(answer))

    def _hear(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        assert message["type"] != "refused", message
        if message["type"] == "snapshot":
            self._seat, self._round = message["you"]["seat"], message["round"]
        for event in message.get("events", ()):
            self._note(event)
        turn = message.get("turn") or {"asks": []}
        asks = [ask for ask in turn["asks"] if ask["seat"] == self._seat]
        fresh = [ask for ask in asks if ask["prompt"] > self._answered]
        self._answered = max([self._answered, *(ask["prompt"] for ask in fresh)])
        return [self._answer(ask) for ask in fresh]

    def _note(self, event: dict[str, Any]) -> None:
        self._round = event.get("round", self._round)
        if event.get("seat") != self._seat:
            return
        if event["type"] == "bet_placed":
            self._witness.bets.add((self._round, self.handle, event["amount"]))
        elif event["type"] == "hand_settled" and event["payout"]:
            self._witness.payouts.add((self._round, self.handle, event["payout"]))

    def _answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        answer = {"prompt": ask["prompt"], "type": ask["actions"][-1]}
        if "place_bet" in ask["actions"]:
            return answer | {"type": "place_bet", "amount": ask["wager"]["minimum"]}
        for action in ("accept_gift", "stand"):
            if action in ask["actions"]:
                answer["type"] = action
        return answer


async def play_until_killed(port: int, witness: Witness, fuse: Fuse) -> None:
    """Have four players play on until the fuse has killed their server."""
    async with asyncio.timeout(60):
        await asyncio.gather(*(Player(h, witness, fuse).play(port) for h in HANDLES))


def live(life: Life, witness: Witness, chance: random.Random) -> None:
    """Kill a server: mostly in the middle of play, at times while it starts."""
    fuse = Fuse(chance.randint(1, 400), chance.uniform(0, 0.003), life.kill)
    early = threading.Timer(chance.uniform(0, 0.06), life.kill)
    try:
        if chance.random() < 0.9:
            asyncio.run(play_until_killed(life.port(), witness, fuse))
        else:
            early.run()
    finally:
        life.kill()
        life.see_the_end()


def run_kills(tmp_path: Path, kills: int) -> str:
    chance = random.Random(5)
    witness = Witness(tmp_path / "bank")
    for _ in range(kills):
        live(Life(witness.folder), witness, chance)
        witness.compare()
    assert witness.bets_told > kills
    return (
        f"{kills} kills, {witness.lines} lines: {witness.bets_told} bets and "
        f"{witness.payouts_told} payouts were told, all of them are there"
    )


def test_Q1_after_some_kills_all_that_was_told_is_there(tmp_path: Path) -> None:
    print(run_kills(tmp_path, 12))


@pytest.mark.torture
def test_Q1_after_1000_kills_all_that_was_told_is_there(tmp_path: Path) -> None:
    print(run_kills(tmp_path, 1000))


def test_Q1_the_command_itself_is_killed_and_all_that_was_told_is_there(
    tmp_path: Path,
) -> None:
    witness = Witness(tmp_path / "bank")
    command = [sys.executable, "-m", "bj_server", "--port", "0", "--bank"]
    with subprocess.Popen(
        [*command, str(witness.folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"ws://[\d.]+:(\d+)", server.stdout.readline())
            assert found
            fuse = Fuse(300, 0, server.kill)
            asyncio.run(play_until_killed(int(found[1]), witness, fuse))
        finally:
            server.kill()
            _, errors = server.communicate()
    assert errors == ""
    witness.compare()
    assert witness.bets_told
