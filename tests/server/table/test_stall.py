"""P6: a table whose bank cannot write pauses, says so, and goes on by itself."""

import asyncio
import errno
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Answered, Refused, Update
from bj_protocol.refusal import RefusalCode
from bj_server.bank.error import JournalStalledError, UnbalancedError
from bj_server.bank.store import Store
from bj_server.table.inbox import ConnectionLost, Drain, FromLine, Give, Halt, SendAway
from support.rig import Lay, Rig, hello, until


class Disk:
    """A disk that refuses every write while it is full, and a retry at a word."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        self.tries = asyncio.Semaphore(0)
        self.paused = 0
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)

    def write(self, descriptor: int, content: bytes) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._write(descriptor, content)

    async def pause(self, seconds: float) -> None:
        self.paused += 1
        await self.tries.acquire()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@asynccontextmanager
async def running(rig: Rig) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(rig.dealer.run())
    yield task
    if not task.done():
        rig.dealer.submit(Halt())
        await task


def bet(rig: Rig, handle: str = "ned21") -> FromLine:
    prompt = rig.ask(handle).prompt
    return FromLine(rig.line[handle], PlaceBet(prompt=prompt, amount=500))


def said(rig: Rig) -> list[str]:
    return [e.text for e in rig.events if isinstance(e, events.Announced)]


async def test_a_table_pauses_refuses_answers_and_goes_on(lay: Lay, disk: Disk) -> None:
    rig = lay(pause=disk.pause)
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    asked = {handle: bet(rig, handle) for handle in ("ned21", "lia9")}
    told = rig.outlet.updates[-1]
    async with running(rig):
        disk.is_full = True
        rig.dealer.submit(asked["ned21"])
        await until(lambda: said(rig))
        assert said(rig)[0].startswith("The bank cannot write to its disk just now")
        paused = rig.outlet.updates[-1]
        assert (paused.seq, paused.turn) == (told.seq + 1, told.turn)
        rig.dealer.submit(asked["lia9"])
        await until(lambda: isinstance(rig.outlet.heard[2][-1], Refused))
        refused = rig.outlet.heard[2][-1]
        assert isinstance(refused, Refused)
        assert refused.code == RefusalCode.BANK_STALLED
        assert refused.prompt == rig.ask("lia9").prompt
        assert not rig.seen(events.BetPlaced)
        rig.clock.time += 1000
        disk.tries.release()
        await until(lambda: disk.paused == 2)
        assert len(said(rig)) == 1
        disk.is_full = False
        disk.tries.release()
        await until(lambda: rig.seen(events.BetPlaced))
        again = next(u for u in rig.outlet.updates if u.seq == paused.seq + 1)
        assert [e.type for e in again.events][:2] == ["announced", "bet_placed"]
        assert again.turn is not None
        assert again.turn.milliseconds == 30_000
        assert len(said(rig)) == 2
        rig.dealer.submit(asked["ned21"])
        await until(lambda: isinstance(rig.outlet.heard[1][-1], Answered))
        answered = rig.outlet.heard[1][-1]
        assert isinstance(answered, Answered)
        assert answered.seq == again.seq
        rig.dealer.submit(asked["lia9"])
        await until(lambda: len(rig.seen(events.BetPlaced)) == 2)


async def test_who_comes_during_a_stall_is_told_to_come_again(
    lay: Lay, disk: Disk
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    async with running(rig):
        disk.is_full = True
        rig.dealer.submit(bet(rig))
        await until(lambda: said(rig))
        rig.dealer.submit(hello(9, "lia9"))
        assert rig.dealer.is_seated("lia9")
        await until(lambda: 9 in rig.outlet.dismissed)
        (refused,) = rig.outlet.heard[9]
        assert isinstance(refused, Refused)
        assert refused.code is RefusalCode.BANK_STALLED
        assert not rig.dealer.is_seated("lia9")
        disk.is_full = False
        disk.tries.release()
        await until(lambda: rig.seen(events.BetPlaced))
    assert [seat.handle for seat in rig.picture.seats] == ["ned21"]


async def test_a_stop_during_a_stall_ends_at_once_and_tells_nothing_unsafe(
    lay: Lay, disk: Disk
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    async with running(rig) as task:
        disk.is_full = True
        rig.dealer.submit(bet(rig))
        await until(lambda: said(rig))
        rig.dealer.submit(ConnectionLost(1))
        rig.dealer.submit(Halt())
        with pytest.raises(JournalStalledError, match="No space left on device"):
            await task
    assert not rig.seen(events.BetPlaced)
    assert said(rig)[-1].startswith("The server stops while its bank cannot write.")
    disk.is_full = False


async def test_a_disk_that_fails_with_the_stop_itself_holds_up_no_stop(
    lay: Lay, disk: Disk
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    async with running(rig) as task:
        disk.is_full = True
        rig.dealer.submit(bet(rig))
        rig.dealer.submit(Halt())  # taken together with the bet, which is not safe
        await until(task.done)
        with pytest.raises(JournalStalledError, match="No space left on device"):
            await task
    assert not rig.seen(events.BetPlaced)
    disk.is_full = False


async def test_a_folder_that_is_deleted_is_made_anew_with_all_balances(
    lay: Lay, disk: Disk, tmp_path: Path
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    async with running(rig):
        shutil.rmtree(tmp_path / "bank")
        rig.dealer.submit(bet(rig))
        await until(lambda: said(rig))
        assert not rig.seen(events.BetPlaced)
        for _ in range(3):
            disk.tries.release()
        await until(lambda: rig.seen(events.BetPlaced))
    rig.bank.close()
    names = sorted(os.listdir(tmp_path / "bank"))
    assert names == ["bank.json", "journal-000002.jsonl", "lock", "statement.json"]
    again = Rig(tmp_path / "bank")
    assert again.bank.balance("ned21") == 999_500
    assert again.table.context.till.held(1) == {"ned21": 500}
    again.bank.close()


async def test_CFR_547_8_books_that_contradict_themselves_end_the_play_with_a_word(
    lay: Lay,
) -> None:
    rig = lay()
    rig.join("ned21")
    async with running(rig) as task:
        rig.bank._settled = 1000
        rig.bank.books.ledger.balances["house"] = 1
        rig.dealer.submit(bet(rig))
        with pytest.raises(UnbalancedError):
            await task
    (sentence,) = said(rig)
    assert sentence.startswith("The books of the bank contradict themselves, so no bet")
    assert not rig.seen(events.BetPlaced)
    before = (rig.bank._folder / "bank.json").read_bytes()
    Store.close(rig.bank)
    assert (rig.bank._folder / "bank.json").read_bytes() == before
    del rig.bank.books.ledger.balances["house"]


async def test_the_last_turn_is_kept_when_nothing_was_announced_yet(
    lay: Lay, disk: Disk
) -> None:
    rig = lay(pause=disk.pause)
    async with running(rig):
        disk.is_full = True
        rig.dealer.submit(hello(1, "ned21"))
        await until(lambda: disk.paused)
        disk.is_full = False
        disk.tries.release()
        await until(lambda: rig.outlet.heard.get(1))
    assert isinstance(rig.outlet.updates[0], Update)
    assert rig.outlet.updates[0].turn is None


async def test_14_8_a_stall_is_logged_once_as_an_error_and_once_when_it_is_over(
    lay: Lay, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    with caplog.at_level("INFO"):
        async with running(rig):
            disk.is_full = True
            rig.dealer.submit(bet(rig))
            await until(lambda: said(rig))
            waiting = asyncio.create_task(rig.bank.till("other").mended())
            disk.tries.release()
            await until(lambda: disk.paused == 2)
            disk.is_full = False
            disk.tries.release()
            await until(lambda: rig.seen(events.BetPlaced))
            await waiting
    graves = [r for r in caplog.records if r.levelname in ("WARNING", "ERROR")]
    first, last = (record.getMessage() for record in graves)
    assert (graves[0].levelname, graves[1].levelname) == ("ERROR", "WARNING")
    assert first.startswith("the bank cannot write, so the tables pause: No space left")
    assert last == "the bank can write again, and the tables go on"
    assert "start the server again" not in caplog.text


async def test_14_9_a_gift_during_a_stall_is_not_given(lay: Lay, disk: Disk) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    async with running(rig):
        disk.is_full = True
        rig.dealer.submit(bet(rig))
        await until(lambda: said(rig))
        done = asyncio.get_running_loop().create_future()
        rig.dealer.submit(Give("ned21", 5000, done))
        await until(done.done)
        assert done.result() is False
        disk.is_full = False
        disk.tries.release()
        await until(lambda: rig.seen(events.BetPlaced))
        assert not rig.seen(events.GiftGiven)
        later = asyncio.get_running_loop().create_future()
        rig.dealer.submit(Give("ned21", 5000, later))
        assert await later
        assert rig.bank.balance("ned21") == 1_004_500


async def test_14_9_a_gift_for_which_nobody_waits_any_more_ends_no_stall(
    lay: Lay, disk: Disk
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    async with running(rig) as task:
        disk.is_full = True
        rig.dealer.submit(bet(rig))
        await until(lambda: said(rig))
        done = asyncio.get_running_loop().create_future()
        done.cancel()  # as the desk does after some seconds
        later = asyncio.get_running_loop().create_future()
        rig.dealer.submit(Give("ned21", 5000, done))
        rig.dealer.submit(Give("ned21", 5000, later))
        await until(lambda: later.done() or task.done())
        assert later.result() is False
        disk.is_full = False
        disk.tries.release()
        await until(lambda: rig.seen(events.BetPlaced))


async def test_14_9_a_drain_and_a_kick_during_a_stall_are_carried_out_after_it(
    lay: Lay, disk: Disk
) -> None:
    rig, rested = lay(pause=disk.pause), asyncio.Event()
    line = rig.join("ned21")
    async with running(rig):
        disk.is_full = True
        rig.dealer.submit(bet(rig))
        await until(lambda: said(rig))
        rig.dealer.submit(Drain("No new round begins.", rested.set))
        rig.dealer.submit(SendAway("ned21"))
        await until(lambda: not rig.dealer._inbox._commands)
        assert not rested.is_set()
        assert line not in rig.outlet.dismissed
        disk.is_full = False
        disk.tries.release()
        await until(rested.is_set)  # the round of the bet was played out
        assert line in rig.outlet.dismissed
        assert rig.seen(events.HandSettled)
    assert not rig.dealer.is_playing


async def test_a_bank_that_another_table_has_mended_is_left_as_it_is(
    lay: Lay, disk: Disk
) -> None:
    rig = lay(pause=disk.pause)
    rig.join("ned21")
    lines = rig.bank.journal.seq
    assert await rig.table.context.till.mend_once()
    assert rig.bank.journal.seq == lines
