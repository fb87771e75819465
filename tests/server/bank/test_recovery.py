"""Q3: play goes on within five seconds of the end of a disk fault.

A call of the system fails, whatever file it is about, from some moment on and for some
time. That time passes only in the pauses between two tries to mend the journal, since
nothing else waits; so they are the whole of what a table loses after the fault.
"""

import asyncio
import errno
import logging
import os
from pathlib import Path
from typing import Any

import pytest

from bj_protocol import events
from bj_server.bank import store
from bj_server.table.inbox import FromLine, Halt
from support.gambler import meek_answer
from support.rig import FakeClock, Rig, hello

pytestmark = pytest.mark.no_cover  # the same lines, over and over

CALLS = ("open", "write", "fsync", "fdatasync", "replace")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
OUTAGES = (0.0, 0.3, 120.5)
MOST_SECONDS = 5


class Fault:
    """Fails one call of the system until its time is over."""

    def __init__(self, name: str, error: int, patch: pytest.MonkeyPatch) -> None:
        self.clock = FakeClock()
        self.pauses: list[float] = []
        self._ends: float | None = None
        for sync in ("fsync", "fdatasync"):  # which take long, and prove nothing here
            patch.setattr(os, sync, lambda descriptor: None)
        really: Any = getattr(os, name)

        def call(*args: Any, **options: Any) -> Any:
            if self._ends is not None:
                raise OSError(error, os.strerror(error))
            return really(*args, **options)

        patch.setattr(os, name, call)

    def begin(self, seconds: float) -> None:
        self._ends = self.clock.time + seconds

    def end(self) -> None:
        self._ends = None

    async def pause(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self.pauses.append(seconds)
        self.clock.time += seconds
        if self._ends is not None and self._ends <= self.clock.time:
            self.end()


async def play_through(folder: Path, fault: Fault, seconds: float) -> float:
    """Play six rounds, from the third on with a fault; return how long that took."""
    rig = Rig(folder, seed=11, pause=fault.pause, segment_bytes=5000)
    rig.clock = fault.clock
    rig.table.context.clock = fault.clock
    task = asyncio.create_task(rig.dealer.run())
    rig.dealer.submit(hello(1, "ned21"))
    heard, start = 0, fault.clock.time
    while (rounds := len(rig.seen(events.RoundEnded))) < 6:
        while len(rig.outlet.updates) == heard or not rig.outlet.audience:
            assert not task.done()
            await asyncio.sleep(0)
        heard = len(rig.outlet.updates)
        if rounds == 2 and fault.clock.time == start:
            fault.begin(seconds)
        turn = rig.outlet.updates[-1].turn
        for ask in turn.asks if turn else ():
            rig.dealer.submit(FromLine(1, meek_answer(ask)))
    fault.end()
    rig.dealer.submit(Halt())
    await task
    rig.bank.audit()
    rig.bank.close()
    return fault.clock.time - start


@pytest.mark.parametrize(
    "errors", [ERRORS[:2], pytest.param(ERRORS, marks=pytest.mark.torture)]
)
@pytest.mark.parametrize("name", CALLS)
def test_Q3_play_goes_on_within_five_seconds_of_the_end_of_a_fault(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    errors: tuple[int, ...],
) -> None:
    monkeypatch.setattr(store, "ROUNDS_PER_SNAPSHOT", 2)
    monkeypatch.setattr(logging.getLogger("bj_server.bank"), "disabled", True)
    longest, pauses = 0.0, 0
    for error in errors:
        for seconds in OUTAGES:
            with monkeypatch.context() as patch:
                fault = Fault(name, error, patch)
                folder = tmp_path / f"{error}-{seconds}"
                lost = asyncio.run(play_through(folder, fault, seconds))
            assert lost <= seconds + MOST_SECONDS
            assert 0 < max(fault.pauses) < MOST_SECONDS
            longest = max(longest, lost - seconds)
            pauses += len(fault.pauses)
    print(
        f"{name} failed in {len(errors) * len(OUTAGES)} games, with {pauses} pauses: "
        f"play went on at most {longest:.1f} s after the end of the fault"
    )
