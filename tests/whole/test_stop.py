"""Stopping a server with four seats in the middle of a round, one of them frozen."""

import json
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from bj_server.bank.bank import Bank
from support.nursery import PATIENCE, Child
from support.serving import hello

HANDLES = ("ned21", "lia9", "eve", "tess")
STAKE = 5000

# Nobody has a natural, and the dealer shows a 9, so the four are asked to play.
STACK = "Ts 9s Th 8s 9h 8d 9c 8h 7d 7c"


@dataclass
class Stopped:
    """How one stop went."""

    status: int
    errors: str
    codes: list[int | None]


@dataclass
class Guest:
    """A player of this process, who bets and then lets the others wait."""

    line: ClientConnection
    seat: int = 0
    heard: list[dict[str, Any]] = field(default_factory=list)

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.line.recv(timeout=PATIENCE))
        self.heard.append(message)
        return message

    def sit_down(self, handle: str) -> None:
        self.line.send(hello(handle))
        while (message := self.hear())["type"] != "snapshot":
            pass
        self.seat = message["you"]["seat"]

    def bet(self) -> None:
        asks = [
            ask
            for message in self.heard
            for ask in (message.get("turn") or {}).get("asks", ())
            if ask["seat"] == self.seat
        ]
        bet = {"type": "place_bet", "prompt": asks[-1]["prompt"], "amount": STAKE}
        self.line.send(json.dumps(bet))

    def wait_for(self, words: str) -> None:
        while words not in json.dumps(self.hear()):
            pass

    def close_code(self) -> int | None:
        """Return the code with which the server closes the line."""
        try:
            while True:
                self.line.recv(timeout=PATIENCE)
        except ConnectionClosed:
            return self.line.protocol.close_code


@contextmanager
def freezable(uri: str, handle: str) -> Iterator[Child]:
    """Have a program sit down and bet, in a process that SIGSTOP can freeze later."""
    where = ("--server", uri.removeprefix("ws://"), "--handle", handle, "--json")
    with Child("bj_client", *where) as player:
        asked = json.loads(player.stdout.readline())
        while not (asked.get("turn") or {}).get("asks"):
            asked = json.loads(player.stdout.readline())
        ask = asked["turn"]["asks"][-1]
        assert ask["seat"] == len(HANDLES)
        bet = {"type": "place_bet", "prompt": ask["prompt"], "amount": STAKE}
        player.stdin.write(f"{json.dumps(bet)}\n")
        yield player


@contextmanager
def serving(bank: Path) -> Iterator[tuple[Child, str]]:
    clocks = ("--bet-seconds", "600", "--turn-seconds", "600")
    place = ("--port", "0", "--bank", str(bank))
    with Child("bj_server", *place, "--stack", STACK, *clocks) as server:
        found = re.search(r"ws://[\d.]+:\d+", server.stdout.readline())
        assert found
        yield server, found[0]


def stop(bank: Path, number: int) -> Stopped:
    """Play into a round with four seats, freeze one, and stop the server."""
    with ExitStack() as stack:
        server, uri = stack.enter_context(serving(bank))
        guests = []
        for handle in HANDLES[:3]:
            guest = Guest(stack.enter_context(connect(uri, compression=None)))
            guest.sit_down(handle)
            guests.append(guest)
        frozen = stack.enter_context(freezable(uri, HANDLES[3]))
        guests[0].wait_for(f'"bet_placed", "seat": {len(HANDLES)}')
        for guest in guests:
            guest.bet()
        guests[0].wait_for("card_dealt")
        frozen.send_signal(signal.SIGSTOP)
        server.send_signal(number)
        codes = [guest.close_code() for guest in guests]
        _, errors = server.communicate()
        status = server.wait()
        assert frozen.poll() is None  # it is frozen still, and the server is gone
        return Stopped(status, errors, codes)


def check(stopped: Stopped, folder: Path) -> None:
    """See that it was in order, and that no stake is lost."""
    assert (stopped.status, stopped.errors) == (0, "")
    assert stopped.codes == [1001] * 3
    bank = Bank.open(folder, keep=None)
    try:
        bank.audit()
        assert bank.till("main").held(1) == dict.fromkeys(HANDLES, STAKE)
        for handle in HANDLES:
            assert bank.balance(handle) == 1_000_000 - STAKE
    finally:
        bank.close()


def run(tmp_path: Path, times: int) -> None:
    numbers = [(signal.SIGTERM, signal.SIGINT)[i % 2] for i in range(times)]
    folders = [tmp_path / str(i) for i in range(times)]
    with ThreadPoolExecutor(3) as pool:  # most of a stop is waiting
        stops = list(pool.map(stop, folders, numbers))
    for stopped, folder in zip(stops, folders, strict=True):
        check(stopped, folder)
    print(f"stops: {times}, one of four players frozen")


def test_N14_Q19_a_frozen_player_holds_up_no_stop(tmp_path: Path) -> None:
    run(tmp_path, 2)  # one by each signal


@pytest.mark.torture
def test_Q19_a_hundred_stops_are_all_in_order(tmp_path: Path) -> None:
    run(tmp_path, 100)
