"""How long a bank of a million lines takes to open, and a save of 10,000 accounts.

    python bench/bank.py                 # a million lines, 10,000 accounts
    python bench/bank.py --lines 50000   # a smaller one

The bank is played, not faked: each line goes through the till. Only the syncs are left
out while it is made.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from bj_server.bank.bank import Bank
from bj_server.bank.move import Payment, Reason


async def fill(bank: Bank, lines: int, accounts: int) -> None:
    """Open accounts, then play rounds until the journal has so many lines."""
    till = bank.till("main")
    for number in range(accounts):
        till.open(f"player-{number:05}", 10_000_00)
    till.seal({})
    await till.commit()
    round = 0
    while bank.journal.seq < lines:
        round += 1
        handle = f"player-{round % accounts:05}"
        till.stake(round, handle, 5_00)
        till.seal({})
        push = Payment(handle=handle, reason=Reason.PUSH, stake=5_00, payout=5_00)
        till.settle(round, [push], {"results": []})
        till.seal({})
        await till.commit()


def make(folder: Path, lines: int, accounts: int) -> None:
    """Make a bank, without waiting for the disk."""
    with patch.object(os, "fdatasync", lambda descriptor: None):
        bank = Bank.open(folder)
        asyncio.run(fill(bank, lines, accounts))
        bank.close()


def timed_open(folder: Path) -> tuple[float, list[float]]:
    """Return the seconds of a start, and those of some saves, sorted."""
    began = time.perf_counter()
    bank = Bank.open(folder)
    opened = time.perf_counter() - began
    saves = []
    for _ in range(100):
        began = time.perf_counter()
        bank.snapshot()
        saves.append(time.perf_counter() - began)
    bank.close()
    return opened, sorted(saves)


def main() -> None:
    """Make a bank and print the figures."""
    parser = argparse.ArgumentParser(description="How long a bank takes to open.")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--accounts", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bank"
        make(folder, options.lines, options.accounts)
        size = sum(path.stat().st_size for path in folder.iterdir())
        opened, saves = timed_open(folder)
        print(f"{options.lines} lines, {options.accounts} accounts, {size >> 20} MiB")
        print(f"open {opened:.2f} s; save p50 {saves[50] * 1000:.0f} ms, ", end="")
        print(f"p99 {saves[98] * 1000:.0f} ms")
        (folder / "bank.json").unlink()
        began = time.perf_counter()
        Bank.open(folder).close()
        print(f"open without bank.json {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
