"""Errors that nobody takes are logged, and not left for the garbage."""

import asyncio
import gc

import pytest

from bj_server.gauges import Gauges
from bj_server.log import TextForm, catch_strays


class Counted(Gauges):
    """Keeps where something failed."""

    def __init__(self) -> None:
        self.places: list[str] = []

    def failed(self, where: str) -> None:
        self.places.append(where)


async def fail() -> None:
    raise ValueError("lost\nfor ever")


async def test_N10_an_error_that_nobody_takes_is_told_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gauges = Counted()
    loop = asyncio.get_running_loop()
    catch_strays(loop, gauges)
    try:
        forgotten = asyncio.create_task(fail())
        await asyncio.wait([forgotten])
        del forgotten
        gc.collect()
        loop.call_exception_handler({"message": "a callback is unhappy"})
    finally:
        loop.set_exception_handler(None)
    first, second = (TextForm().format(record) for record in caplog.records)
    what, *trace = first.splitlines()
    assert what.endswith("never retrieved")
    assert all(line.startswith("  | ") for line in trace)
    assert any("test_stray.py" in line for line in trace)
    assert trace[-2:] == ["  | ValueError: lost", "  | for ever"]
    assert second.endswith("error a callback is unhappy")
    assert gauges.places == ["loop", "loop"]
