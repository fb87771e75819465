"""Lines of a party that are lost: each comes back by itself, and is told of once."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from bj_protocol.action import Action
from bj_protocol.commands import Hello, Stand
from bj_protocol.views import You
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.returning import AT_ONCE, cut
from support.visit import run_lines

SEATS = {"lia9": 1, "ned21": 2}


class Table:
    """Cuts some lines once both sit, and asks ned21 all the while."""

    def __init__(self, lost: frozenset[str]) -> None:
        self._snapshot = make_snapshot
        self._ask = make_ask
        self._lost = lost
        self._visits: Counter[str] = Counter()
        self._all_sit = asyncio.Event()
        self._has_stood = asyncio.Event()

    async def serve(self, server: Any) -> None:
        hello = await server.hear()
        assert isinstance(hello, Hello)
        handle = hello.handle
        self._visits[handle] += 1
        notices = (f"Hello, {handle}.",) if self._visits[handle] == 2 else ()
        await server.say(
            self._snapshot(
                self._ask(1, Action.HIT, Action.STAND),
                you=You(handle=handle, seat=SEATS[handle]),
                notices=notices,
            )
        )
        if len(self._visits) == len(SEATS):
            self._all_sit.set()
        await self._all_sit.wait()
        if handle in self._lost and self._visits[handle] == 1:
            cut(server)
            return
        if handle == "ned21":
            assert await server.hear() == Stand(prompt=1)
            self._has_stood.set()
        await self._has_stood.wait()
        await server.ask_and_part()


@pytest.mark.parametrize("lost", [{"lia9"}, {"ned21"}, {"lia9", "ned21"}])
async def test_the_lines_of_a_party_come_back_each_by_itself(lost: set[str]) -> None:
    table = Table(frozenset(lost))
    async with fake_server(table.serve) as address:
        shown = await run_lines(
            address,
            "stand\n",
            when="is back.",
            handles=tuple(SEATS),
            policy=AT_ONCE,
        )
    greeted = {
        handle
        for handle in SEATS
        if f"{handle}: The table says: Hello, {handle}." in shown
    }
    assert greeted == lost
    # Two lines that are lost one after the other may be two losses.
    losses = shown.count("trying again...")
    assert 1 <= losses <= len(lost)
    assert shown.count("is back.") == losses
