"""What a bank of many accounts costs: its start, and what the event loop feels of it.

    python bench/run.py accounts

Each account is opened and its handle claimed, in a command of its own, as when a player
joins for the first time. Only the syncs are left out while the bank is made. Then the
bank is opened without ``bank.json`` and with it, and a table plays until the books are
checked and written down, while a ticker measures how long the event loop is away.
"""

import asyncio
import contextlib
import hashlib
import os
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from bj_server.bank import store
from bj_server.bank.bank import Bank
from bj_server.bank.move import Payment, Reason
from bj_server.bank.till import Till

_TICK_SECONDS = 0.001


async def fill(bank: Bank, accounts: int) -> None:
    """Open so many accounts, each with its key."""
    till = bank.till("main")
    for number in range(accounts):
        handle = f"player-{number:06}"
        till.open(handle, 10_000_00)
        till.claim(handle, hashlib.sha256(handle.encode()).hexdigest())
        till.seal({"seats": [{"seat": 1, "handle": handle}]})
        await till.commit()


async def play(till: Till, rounds: int, accounts: int) -> None:
    """Play rounds, each of a bet and a push."""
    for round in range(1, rounds + 1):
        handle = f"player-{round % accounts:06}"
        till.stake(round, handle, 5_00)
        till.seal({})
        push = Payment(handle=handle, reason=Reason.PUSH, stake=5_00, payout=5_00)
        till.settle(round, [push], {"results": []})
        till.seal({})
        await till.commit()
        await asyncio.sleep(0)


async def stall(bank: Bank, rounds: int, accounts: int) -> tuple[float, float]:
    """Play until the books were written down; return median and longest absence."""
    gaps: list[float] = []

    async def tick() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = time.perf_counter()
            gaps.append(now - last - _TICK_SECONDS)
            last = now

    ticking = asyncio.create_task(tick())
    await play(bank.till("main"), rounds + 1, accounts)
    await asyncio.sleep(2)
    ticking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticking
    gaps.sort()
    return gaps[len(gaps) // 2], gaps[-1]


def timed_open(folder: Path) -> float:
    """Return the seconds of a start."""
    began = time.perf_counter()
    bank = Bank.open(folder)
    opened = time.perf_counter() - began
    bank.close()
    return opened


def cost_of(accounts: int) -> tuple[float, float, float, float, float]:
    """Return what a bank of so many accounts costs.

    These are its MiB, the seconds of a start without and with ``bank.json``, and the
    milliseconds for which the loop is away: the median, and the longest.
    """
    with (
        tempfile.TemporaryDirectory() as name,
        patch.object(os, "fdatasync", lambda descriptor: None),
    ):
        folder = Path(name) / "bank"
        bank = Bank.open(folder)
        asyncio.run(fill(bank, accounts))
        bank.close()
        size = sum(path.stat().st_size for path in folder.iterdir()) / 2**20
        (folder / "bank.json").unlink()
        starts = timed_open(folder), timed_open(folder)
        bank = Bank.open(folder)
        median, longest = asyncio.run(stall(bank, store.ROUNDS_PER_SNAPSHOT, accounts))
        bank.close()
    return size, *starts, 1000 * median, 1000 * longest
