"""Q3: each call of the disk fails in turn, and nothing is lost by it."""

import asyncio
import errno
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_protocol import events
from bj_server.bank import store
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError
from bj_server.table.inbox import FromLine, Halt
from support.banks import no_pause
from support.gambler import meek_answer
from support.rig import Rig, hello

pytestmark = pytest.mark.no_cover  # the same lines, over and over

CALLS = ("open", "write", "fsync", "fdatasync", "ftruncate", "replace", "rename")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
ROUNDS = 20


class Faults:
    """Counts the calls to the disk, and fails one of them and some that follow."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.first = self.last = -1
        self.error = 0
        self._folder = str(folder)
        for name in CALLS:
            patch.setattr(os, name, self._failing(name, getattr(os, name)))

    def fail(self, first: int, times: int, error: int) -> None:
        self.count, self.first, self.last = 0, first, first + times - 1
        self.error = error

    def _failing(self, name: str, really: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if isinstance(args[0], (str, Path)) and self._folder not in str(args[0]):
                return really(*args, **options)
            self.count += 1
            if self.first <= self.count <= self.last:
                raise OSError(self.error, os.strerror(self.error))
            return None if "sync" in name else really(*args, **options)

        return call


async def play(folder: Path, rounds: int) -> dict[str, int]:
    """Play rounds at a table whatever the disk does; return all accounts."""
    rig = Rig(folder, seed=11, pause=no_pause, segment_bytes=5000)
    task = asyncio.create_task(rig.dealer.run())
    rig.dealer.submit(hello(1, "ned21"))
    heard = 0
    while True:
        while len(rig.outlet.updates) == heard or not rig.outlet.audience:
            assert not task.done()
            await asyncio.sleep(0)
        heard = len(rig.outlet.updates)
        if len(rig.seen(events.RoundEnded)) >= rounds:
            break  # with nothing staked on the next one
        turn = rig.outlet.updates[-1].turn
        for ask in turn.asks if turn else ():
            rig.dealer.submit(FromLine(1, meek_answer(ask)))
    rig.dealer.submit(Halt())
    try:
        await task
        rig.bank.audit()
        return rig.bank.books.ledger.accounts
    finally:
        rig.bank.close()


def start_and_play(folder: Path, rounds: int) -> dict[str, int]:
    """Play; where the very start or the stop is refused, do it again once."""
    try:
        return asyncio.run(play(folder, rounds))
    except BankError:
        return {}


def on_disk(folder: Path) -> dict[str, int]:
    """Return all accounts as the next start finds them."""
    bank = Bank.open(folder)
    assert bank.repaired is None
    bank.audit()
    accounts = bank.books.ledger.accounts
    bank.close()
    return accounts


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(store, "ROUNDS_PER_SNAPSHOT", 5)
    logging.getLogger("bj_server.bank").setLevel(logging.CRITICAL)
    yield
    logging.getLogger("bj_server.bank").setLevel(logging.NOTSET)


def run_faults(tmp_path: Path, patch: pytest.MonkeyPatch, step: int) -> str:
    faults = Faults(tmp_path, patch)
    expected = start_and_play(tmp_path / "whole", ROUNDS)
    calls = faults.count
    assert expected["player:ned21"] != 0
    runs = refused = 0
    for error in ERRORS:
        for first in range(1 + runs % step, calls + 1, step):
            runs += 1
            folder = tmp_path / f"{error}-{first}"
            faults.fail(first, 1 + runs % 3, error)
            accounts = start_and_play(folder, ROUNDS)
            faults.fail(-1, 0, 0)
            if not accounts:
                # The start or the last save said no with a sentence; nothing is lost.
                refused += 1
                bank = Rig(folder).bank
                bank.audit()
                held = bank.books.ledger.accounts
                assert held in ({}, expected), (error, first)
                bank.close()
            else:
                assert accounts == expected, (error, first)
                # What is in memory proves little: the disk must say the same, with
                # bank.json and, read from the first line on, without it.
                assert on_disk(folder) == expected, (error, first)
                (folder / "bank.json").unlink()
                assert on_disk(folder) == expected, (error, first)
    return (
        f"{runs} faults in {calls} calls: {runs - refused} played on with equal books, "
        f"{refused} refused at the start or stop; 0 cents lost"
    )


def test_Q3_every_so_many_calls_of_a_game_fail_and_the_books_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    print(run_faults(tmp_path, monkeypatch, 80))


@pytest.mark.torture
def test_Q3_every_call_of_a_game_fails_and_the_books_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    print(run_faults(tmp_path, monkeypatch, 1))
