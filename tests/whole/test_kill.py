"""Q1: a real server is killed in the middle of play, again and again."""

import asyncio
import contextlib
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bj_server.bank.bank import Bank
from bj_server.bank.history import read_history
from bj_server.bank.line import Line

HANDLES = ("ned21", "lia9", "eve", "kim")
OPENING = 10_000_00

Told = set[tuple[int, str, int]]
"""Rounds, handles and cents: bets that were acknowledged."""
from serving import hello


class Player:
    """One seat that bets and stands as fast as it is asked, and notes what it hears."""

    def __init__(self, handle: str, bets: Told, payouts: Told) -> None:
        self.handle = handle
        self.bets = bets
        self.payouts = payouts
        self._seat = self._round = 0
        self._answered = 0

    async def play(self, port: int) -> None:
        with contextlib.suppress(ConnectionClosed, OSError, EOFError):
            async with connect(f"ws://127.0.0.1:{port}", compression=None) as line:
                await line.send(hello(self.handle))
                async for text in line:
                    for answer in self._hear(json.loads(text)):
                        await line.send(json.dumps(answer))

    def _hear(self, message: dict[str, Any]) -> list[dict[str, Any]]:
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
            self.bets.add((self._round, self.handle, event["amount"]))
        elif event["type"] == "hand_settled" and event["payout"]:
            self.payouts.add((self._round, self.handle, event["payout"]))

    def _answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        answer = {"prompt": ask["prompt"], "type": ask["actions"][-1]}
        if "place_bet" in ask["actions"]:
            return answer | {"type": "place_bet", "amount": ask["wager"]["minimum"]}
        for action in ("accept_gift", "stand"):
            if action in ask["actions"]:
                answer["type"] = action
        return answer


async def play_and_kill(folder: Path, seconds: float, bets: Told, paid: Told) -> None:
    """Start a server, let four play, and kill it after some time."""
    command = [sys.executable, "-m", "bj_server", "--port", "0", "--bank", str(folder)]
    server = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        first = (await server.stdout.readline()).decode()
        assert "ws://" in first, (await server.stderr.read()).decode()
        port = int(first.rpartition(":")[2].strip(" .\n"))
        players = [Player(handle, bets, paid).play(port) for handle in HANDLES]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*players)
    finally:
        server.kill()
        await server.communicate()


def check(folder: Path, bets: Told, payouts: Told) -> int:
    """Verify the bank after a kill; return how many lines it has."""
    bank = Bank.open(folder)
    bank.audit()
    accounts = bank._cage.books.ledger.accounts
    assert sum(accounts.values()) == 0
    assert accounts.get("donor", 0) % OPENING == 0
    bank.close()
    staked: Told = set()
    paid: Told = set()

    def note(line: Line) -> None:
        for move in line.moves:
            if line.kind == "stake" and line.round is not None:
                staked.add((line.round, move.source.split(":")[1], move.amount))
        if line.kind == "settle" and line.round is not None:
            results: Any = line.data["results"]
            for each in results:
                paid.add((line.round, each["handle"], each["payout"]))

    place = read_history(folder, None, note).place
    assert bets <= staked
    assert payouts <= paid
    return place.seq


def run_kills(folder: Path, kills: int) -> str:
    chance = random.Random(5)
    bets: Told = set()
    payouts: Told = set()
    lines = 0
    for number in range(kills):
        seconds = chance.uniform(0.02, 0.4)
        asyncio.run(play_and_kill(folder, seconds, bets, payouts))
        if number % 10 == 9 or number == kills - 1:
            lines = check(folder, bets, payouts)
    return (
        f"{kills} kills, {lines} lines: {len(bets)} bets and {len(payouts)} payouts "
        "were told, all of them are there"
    )


def test_Q1_after_some_kills_all_that_was_told_is_there(tmp_path: Path) -> None:
    print(run_kills(tmp_path / "bank", 10))


@pytest.mark.torture
def test_Q1_after_1000_kills_all_that_was_told_is_there(tmp_path: Path) -> None:
    print(run_kills(tmp_path / "bank", 1000))
