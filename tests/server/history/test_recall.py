"""Asking for one's last rounds: who is answered, who is refused, and what it costs."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bj_protocol.codec import decode_message
from bj_protocol.messages import Recalled
from bj_protocol.refusal import RefusalCode
from bj_server.bank.error import JournalStalledError
from bj_server.history import recall
from bj_server.history.recall import Recalls, Slot
from bj_server.net.session import Session
from support.door import Door, FakeTransport, refused
from support.rig import Rig
from support.serving import hello, join, read, serving

if TYPE_CHECKING:
    from bj_server.table.refusal import RefusalError


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Rig(tmp_path / "bank", stack="Ts 9h 9s Td") as rig:
        yield Door(rig)


def ask(rounds: int = 20) -> str:
    return json.dumps({"type": "recall", "rounds": rounds})


async def sit(door: Door, handle: str = "ned21") -> tuple[Session, FakeTransport]:
    session, transport = door.connect()
    session.received(hello(handle))
    await door.work()
    return session, transport


async def say(door: Door, session: Session, **fields: Any) -> None:
    session.received(json.dumps(fields))
    await door.work()
    await door.rig.bank.till("main").commit()


async def test_a_player_is_told_the_last_rounds(door: Door) -> None:
    session, transport = await sit(door)
    await say(door, session, type="place_bet", prompt=1, amount=500)
    await say(door, session, type="stand", prompt=2)
    session.received(ask())
    await session.settled()
    told = decode_message(transport.sent[-1])
    assert isinstance(told, Recalled)
    assert [past.hands[0].cards for past in told.rounds] == [("Ts", "9s")]


@pytest.mark.parametrize("rounds", [-1, 0, 21, 10**30])
async def test_no_other_number_of_rounds_is_told(door: Door, rounds: int) -> None:
    session, transport = await sit(door)
    session.received(ask(rounds))
    assert refused(transport).code is RefusalCode.NOT_SO_MANY_ROUNDS


async def test_only_who_plays_is_told(door: Door) -> None:
    session, transport = door.connect()
    session.received(ask())
    assert refused(transport).code is RefusalCode.NOT_JOINED
    session.received(hello("ned21"))
    session.received(ask())  # before the table has looked at the key
    assert refused(transport).code is RefusalCode.NOT_SEATED
    await door.work()
    watcher, transport = door.connect(line=2)
    watcher.received('{"type":"watch","version":2}')
    await door.work()
    watcher.received(ask())
    assert refused(transport).code is RefusalCode.NOT_SEATED


async def test_one_thing_at_a_time_is_looked_up_for_a_line(door: Door) -> None:
    session, transport = await sit(door)
    session.received(ask())
    session.received(ask())
    assert refused(transport).code is RefusalCode.RECALLING
    await session.settled()
    assert isinstance(decode_message(transport.sent[-1]), Recalled)
    session.received(ask())
    await session.settled()
    assert isinstance(decode_message(transport.sent[-1]), Recalled)


async def test_it_is_counted_as_something_that_brings_nothing(door: Door) -> None:
    session, transport = await sit(door)
    for _ in range(19):  # the hello was the first of twenty
        session.received(ask())
        await session.settled()
        assert isinstance(decode_message(transport.sent[-1]), Recalled)
    session.received(ask())
    assert refused(transport).code is RefusalCode.TOO_FAST


async def test_a_bank_that_cannot_write_says_so(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, transport = await sit(door)

    def stalled(handle: str) -> None:
        raise JournalStalledError(Path("journal"), "the disk is full")

    monkeypatch.setattr(door.rig.table.context.till, "bookmark", stalled)
    session.received(ask())
    assert refused(transport).code is RefusalCode.BANK_STALLED


async def test_a_journal_that_cannot_be_read_is_logged_and_said(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    session, transport = await sit(door)
    path = door.rig.bank.journal.path
    door.rig.bank.journal.write()
    aside = path.rename(path.with_name("aside"))
    path.mkdir()
    try:
        session.received(ask())
        await session.settled()
    finally:
        path.rmdir()
        aside.rename(path)
    assert refused(transport).code is RefusalCode.RECALL_FAILED
    assert "cannot be looked up" in caplog.text


class Held:
    """A recall that takes as long as a test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on, self.begun = threading.Event(), threading.Event()
        self.threads: set[str] = set()
        monkeypatch.setattr(recall, "recall", self._recall)

    def _recall(self, bookmark: Any, rounds: int, is_wanted: Any) -> Recalled:
        self.threads.add(threading.current_thread().name)
        self.begun.set()
        while not self.go_on.wait(0.01) and is_wanted():
            pass
        return Recalled(rounds=())


async def test_other_lines_wait_and_the_table_does_not(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, shared = Held(monkeypatch), Recalls()
    told: list[Recalled | RefusalError] = []
    slots = [Slot(shared) for _ in range(3)]
    for slot in slots:
        slot.ask(1, lambda: Any, told.append)  # type: ignore[arg-type, return-value]
    session, _ = await sit(door)  # while all of them wait
    await say(door, session, type="place_bet", prompt=1, amount=500)
    assert not told
    held.go_on.set()
    for slot in slots:
        await slot.settled()
    assert len(told) == 3
    assert len(held.threads) == 1
    await shared.aclose()


async def test_a_line_that_is_gone_and_a_server_that_stops_wait_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held, shared = Held(monkeypatch), Recalls()
    told: list[Recalled | RefusalError] = []
    slots = [Slot(shared) for _ in range(2)]
    for slot in slots:
        slot.ask(1, lambda: Any, told.append)  # type: ignore[arg-type, return-value]
    await asyncio.to_thread(held.begun.wait)
    slots[0].give_up()
    await slots[0].settled()
    shared.stop()
    await slots[1].settled()
    slots[1].ask(1, lambda: Any, told.append)  # type: ignore[arg-type, return-value]
    await slots[1].settled()
    await shared.aclose()


async def test_it_is_told_over_a_real_line_to_that_line_alone(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", "--stack", "Ts 9h 9s Td") as uri:
        line = await join(uri)
        await read(line)
        other = await join(uri, "lia9")
        await read(other)
        await line.send(ask(3))
        heard = [await read(line), await read(line)]
        assert [each["type"] for each in heard] == ["update", "recalled"]
        await line.close()
        assert (await read(other))["events"][0]["type"] == "presence_changed"
        await other.close()
