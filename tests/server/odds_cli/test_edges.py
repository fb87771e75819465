"""A server tells the edge of each table that it opens, and waits for no figure."""

import asyncio
import signal
import sys
from asyncio.subprocess import Process, create_subprocess_exec
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bj_server.greeting import EdgeTeller
from bj_server.odds_cli.sheet import compute, find
from bj_server.settings import TablePlan, load_house
from bj_server.table.clock import Pace

# Of two decks, so that it is none of the shipped ones; an endless shoe has no end.
BABY = replace(load_house("cs1114-baby"), decks=2)


def plan(name: str) -> TablePlan:
    return TablePlan(name=name, house=BABY, seats=1, pace=Pace())


async def test_the_edge_is_computed_beside_once_and_kept() -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    teller, serving = EdgeTeller(said.put_nowait), asyncio.Event()
    teller.note(plan("main"))
    running = asyncio.create_task(teller.run(serving))
    await asyncio.sleep(0)
    assert said.empty()
    serving.set()
    edge = "the house has an edge of 6.64 % of the first bet"
    async with asyncio.timeout(60):
        assert await said.get() == f"Table main: {edge}."
    assert find(BABY) is not None
    teller.note(plan("later"))
    async with asyncio.timeout(60):
        assert await said.get() == f"Table later: {edge}."
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_of_many_tables_the_first_ones_are_told() -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    teller, serving = EdgeTeller(said.put_nowait), asyncio.Event()
    for number in range(101):
        teller.note(replace(plan(f"t{number}"), house=load_house("cpsc386")))
    assert teller._opened.qsize() == 100
    serving.set()
    running = asyncio.create_task(teller.run(serving))
    async with asyncio.timeout(60):
        told = [await said.get() for _ in range(100)]
    assert told[-1].startswith("Table t99: ")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_what_is_computed_beside_ends_with_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless, begun = tmp_path / "endless", asyncio.Queue[Process]()
    endless.write_text("#!/bin/sh\nexec tail -f /dev/null\n")
    endless.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(endless))

    async def begin(*words: str, **more: Any) -> Process:
        process = await create_subprocess_exec(*words, **more)
        begun.put_nowait(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begin)
    said: list[str] = []
    teller, serving = EdgeTeller(said.append), asyncio.Event()
    teller.note(plan("main"))
    running = asyncio.create_task(teller.run(serving))
    serving.set()
    async with asyncio.timeout(60):
        process = await begun.get()
        assert process.returncode is None
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert process.returncode == -signal.SIGKILL
    assert said == []


def test_what_a_server_computes_is_what_the_command_tells() -> None:
    assert compute(BABY).edge == compute(replace(BABY, name="own")).edge
