"""Q2: after a power cut at any moment, all that was promised is there."""

import asyncio
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bj_server.bank import store
from bj_server.bank.bank import Bank
from bj_server.bank.history import read_history
from bj_server.bank.line import Line
from bj_server.bank.move import PLAYER, Payment, Reason
from support.banks import finish_packing
from support.powercut import Cut, PowerCut, crash

pytestmark = pytest.mark.no_cover  # the same lines, over and over

Promise = tuple[int, str]
"""A line that was durable, and its hash."""


def open_bank(folder: Path) -> Bank:
    return Bank.open(folder, segment_bytes=4000)


async def commit(bank: Bank, table: str, promise: Callable[[Promise], None]) -> None:
    till = bank.till(table)
    till.seal({"rounds": till.last_round})
    place = bank.journal.place
    await till.commit()
    if bank.journal.synced >= place.seq:
        promise((place.seq, place.digest))
    finish_packing(bank)


async def play(
    bank: Bank, rounds: int, promise: Callable[[Promise], None], chance: random.Random
) -> None:
    """Play rounds at two tables, and promise what is durable."""
    for number in range(rounds):
        table = ("main", "other")[number % 2]
        till = bank.till(table)
        till.open("ned21", 1000_00)
        till.open("lia9", 1000_00)
        round = till.last_round + 1
        till.stake(round, "ned21", 5_00)
        till.stake(round, "lia9", 7_00)
        till.record("deal", round, {"dealt": number})
        await commit(bank, table, promise)
        for _ in range(chance.randrange(4)):
            till.record("answer", round, {"play": "hit"})
            await commit(bank, table, promise)
        if chance.random() < 0.2:
            till.refund(round)
        else:
            won = chance.choice([0, 5_00, 10_00])
            till.settle(
                round,
                [
                    Payment(handle="ned21", reason=Reason.PUSH, stake=5_00, payout=won),
                    Payment(handle="lia9", reason=Reason.PUSH, stake=7_00, payout=7_00),
                ],
                {},
            )
        await commit(bank, table, promise)


def session(
    folder: Path, rounds: int, seed: int, patch: pytest.MonkeyPatch
) -> list[Cut]:
    """Play, and return a cut for every moment of it, the start and stop included."""
    folder.mkdir()
    patch.setattr(store, "ROUNDS_PER_SNAPSHOT", 7)
    disk = PowerCut(folder, patch)
    disk.promised = (0, "")

    def promise(promised: Promise) -> None:
        disk.promised = promised

    for _ in range(2):
        bank = open_bank(folder)
        asyncio.run(play(bank, rounds, promise, random.Random(seed)))
        bank.close()
    patch.undo()
    return disk.cuts


def lines(folder: Path) -> dict[int, str]:
    """Return the hash of each line that the journal holds, by its number."""
    found: dict[int, str] = {}

    def note(line: Line) -> None:
        found[line.seq - 1] = line.prev

    history = read_history(folder, None, note)
    return found | {history.place.seq: history.place.digest}


def survive(cut: Cut, folder: Path, seed: int) -> bool:
    """Cut the power, start, and check; return whether something was torn."""
    crash(cut, folder, random.Random(seed))
    bank = open_bank(folder)
    was_torn = bank.repaired is not None
    bank.audit()
    seq, digest = cut.promised
    finish_packing(bank)
    assert seq == 0 or lines(folder)[seq] == digest
    for handle in ("ned21", "lia9"):
        if PLAYER + handle in bank.books.ledger:
            assert bank.balance(handle) % 1_00 == 0
    asyncio.run(play(bank, 1, lambda promised: None, random.Random(seed)))
    bank.close()
    again = open_bank(folder)
    again.audit()
    assert again.repaired is None
    again.close()
    shutil.rmtree(folder)
    return was_torn


def run_cuts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cuts: int, seeds: range
) -> str:
    torn = moments = 0
    for seed in seeds:
        with monkeypatch.context() as patch:
            found = session(tmp_path / f"played-{seed}", 12, seed, patch)
        moments += len(found)
        chance = random.Random(seed)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", lambda descriptor: None)
            patch.setattr(os, "fdatasync", lambda descriptor: None)
            for number in range(cuts // len(seeds)):
                cut = chance.choice(found)
                torn += survive(cut, tmp_path / "cut", seed * 10**6 + number)
    return f"{cuts} power cuts at {moments} moments: {torn} torn, 0 promises broken"


def test_Q2_after_60_power_cuts_all_that_was_promised_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    print(run_cuts(tmp_path, monkeypatch, 60, range(2)))


@pytest.mark.torture
def test_Q2_after_2000_power_cuts_all_that_was_promised_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    print(run_cuts(tmp_path, monkeypatch, 2000, range(10, 20)))
