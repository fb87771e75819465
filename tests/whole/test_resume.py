"""P10: a real server ends in the middle of a round, and the next one goes on."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from support.nursery import PATIENCE, Child
from support.serving import hello

STACK = "Ts 9s 9h 9d 8d 8h"  # ned21 has 19 and lia9 17, the dealer 17

ENDS = pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])


@contextmanager
def server(folder: Path, number: int, *options: str) -> Iterator[str]:
    """Run a server, and end it by a signal."""
    process = Child("bj_server", "--port", "0", "--bank", str(folder), *options)
    try:
        found = re.search(r"ws://([\d.]+:\d+)", process.stdout.readline())
        assert found
        yield found[1]
    finally:
        process.send_signal(number)
        _, errors = process.communicate()
    assert errors == ""


class Guest:
    """A player on the wire."""

    def __init__(self, address: str, handle: str) -> None:
        # Its server ends before it does, and the line with it.
        opening = connect(f"ws://{address}", compression=None)
        self.line: ClientConnection = opening.__enter__()
        self.line.send(hello(handle))
        self.snapshot = self.hear()
        while self.snapshot["type"] != "snapshot":
            self.snapshot = self.hear()
        self.seat = self.snapshot["you"]["seat"]

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.line.recv(timeout=PATIENCE))
        return message

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = next(
            ask for ask in message["turn"]["asks"] if ask["seat"] == self.seat
        )
        return found

    def answer(self, ask: dict[str, Any], kind: str, **fields: Any) -> dict[str, Any]:
        """Answer, and return the update that follows."""
        answer = {"type": kind, "prompt": ask["prompt"], **fields}
        self.line.send(json.dumps(answer))
        return self.hear()


def table(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Return what everyone sees of the table, without the clock."""
    seen = {
        name: snapshot[name] for name in ("seats", "dealer", "shoe", "seq", "phase")
    }
    return seen | {"asks": (snapshot["turn"] or {}).get("asks")}


def sit_down(address: str) -> tuple[Guest, Guest]:
    ned, lia = Guest(address, "ned21"), Guest(address, "lia9")
    ned.hear()  # lia9 has joined
    return ned, lia


@ENDS
def test_P10_a_server_that_ends_before_the_cards_gives_the_bets_back(
    tmp_path: Path, number: int
) -> None:
    with server(tmp_path / "bank", number, "--stack", STACK) as address:
        ned, lia = sit_down(address)
        ned.answer(ned.ask(ned.snapshot), "place_bet", amount=5000)
    with server(tmp_path / "bank", signal.SIGTERM, "--stack", STACK) as address:
        ned, lia = Guest(address, "ned21"), Guest(address, "lia9")
        (said,) = ned.snapshot["notices"][1:]
        assert said.startswith("The server was restarted before the cards of round 1")
        assert [seat["balance"] for seat in lia.snapshot["seats"]] == [1_000_000] * 2
        ned.answer(ned.ask(lia.snapshot), "place_bet", amount=5000)
        told = lia.answer(lia.ask(lia.snapshot), "place_bet", amount=7000)
        cards: list[str] = []
        while not cards:
            events = told.get("events", [])
            cards = [e["card"] for e in events if e["type"] == "card_dealt"]
            told = told if cards else lia.hear()
        assert cards == ["Ts", "9s", "9h", "9d", "8d", "??"]


@ENDS
def test_P10_a_server_that_ends_in_a_round_goes_on_with_it(
    tmp_path: Path, number: int
) -> None:
    with server(tmp_path / "bank", number, "--stack", STACK) as address:
        ned, lia = sit_down(address)
        ned.answer(ned.ask(ned.snapshot), "place_bet", amount=5000)
        lia.hear()
        lia.answer(lia.ask(lia.snapshot), "place_bet", amount=7000)
        turn = ned.hear()
        ned.answer(ned.ask(turn), "stand")
        before = Guest(address, "lia9").snapshot
    with server(tmp_path / "bank", signal.SIGTERM, "--stack", STACK) as address:
        ned, lia = Guest(address, "ned21"), Guest(address, "lia9")
        assert table(lia.snapshot) == table(before)
        for guest in (ned, lia):
            said = guest.snapshot["notices"][-1]
            assert said.startswith("The server was restarted in round 1: your seat")
        # An answer that is sent again is told what it did, and does nothing.
        again = ned.answer(ned.ask(turn), "stand")
        assert (again["type"], again["answer"]) == ("answered", "stand")
        told = lia.answer(lia.ask(lia.snapshot), "stand")["events"]
        paid = [(e["seat"], e["payout"]) for e in told if e["type"] == "hand_settled"]
        assert paid == [(1, 10_000), (2, 7000)]


def test_P10_rules_that_have_changed_return_every_stake(tmp_path: Path) -> None:
    with server(tmp_path / "bank", signal.SIGKILL, "--stack", STACK) as address:
        ned, lia = sit_down(address)
        ned.answer(ned.ask(ned.snapshot), "place_bet", amount=5000)
        lia.hear()
        lia.answer(lia.ask(lia.snapshot), "place_bet", amount=7000)
    place = ("--port", "0", "--bank", str(tmp_path / "bank"))
    process = Child("bj_server", *place, "--house", "cs220")
    found = re.search(r"ws://([\d.]+:\d+)", process.stdout.readline())
    assert found
    for handle, stake in (("ned21", "$50"), ("lia9", "$70")):
        snapshot = Guest(found[1], handle).snapshot
        mine = snapshot["seats"][snapshot["you"]["seat"] - 1]
        assert mine["balance"] == 1_000_000
        assert snapshot["notices"] == [
            f"The server stopped during round 1 at table main: your {stake} came back."
        ]
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    assert "the table cannot go on where it was: the rules of its house" in errors
