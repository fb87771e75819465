"""What a line that brings nothing is told, and when it is closed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_protocol.codec import decode_message
from bj_protocol.messages import Snapshot, Update
from bj_protocol.refusal import RefusalCode
from bj_server.net.session import Session
from support.door import Door, FakeTransport, refused
from support.rig import Rig
from support.serving import hello

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")
RESYNC = '{"type":"resync"}'
_CALM = {"place_bet", "stand", "decline", "accept_gift"}


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Rig(tmp_path / "bank") as rig:
        yield Door(rig)


async def join(door: Door, handle: str = "ned21") -> tuple[Session, FakeTransport]:
    session, transport = door.connect()
    session.received(hello(handle))
    await door.work()
    return session, transport


async def ask(door: Door, session: Session, text: str) -> None:
    """Say something, and have the dealer answer if it got that far."""
    session.received(text)
    if door.dealer._inbox._commands:
        await door.work()


async def test_who_asks_for_the_table_too_often_is_refused_then_closed(
    door: Door,
) -> None:
    session, transport = await join(door)
    for _ in range(19):  # the hello was the first of twenty
        await ask(door, session, RESYNC)
        assert isinstance(decode_message(transport.sent[-1]), Snapshot)
    for _ in range(10):
        await ask(door, session, RESYNC)
        assert refused(transport).code is RefusalCode.TOO_FAST
        assert transport.closed is None
    await ask(door, session, RESYNC)
    assert transport.closed == (4006, refused(transport).text)
    said = len(transport.sent)
    await ask(door, session, RESYNC)
    assert len(transport.sent) == said


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"chat","text":"hello"}',
        '{"type":"list_tables","version":2}',
        '{"type":"watch","version":2}',
        '{"type":"recall","rounds":1}',
        "nonsense",
    ],
)
async def test_14_14_what_the_page_says_brings_nothing_is_paid_for(
    door: Door, text: str
) -> None:
    kind = f"`{json.loads(text)['type']}`" if text != "nonsense" else "cannot be read"
    told = " ".join(PAGE.partition("**What brings nothing** is")[2][:500].split())
    assert kind in told.partition(". An answer")[0]
    session, transport = await join(door)
    for _ in range(19):  # the hello was the first of twenty
        session._meter.charge(door.time)
    await ask(door, session, text)
    if text != "nonsense":
        assert refused(transport).code is RefusalCode.TOO_FAST
    door.time += 0.5  # which brings one back
    await ask(door, session, RESYNC)
    assert refused(transport).code is RefusalCode.TOO_FAST


async def test_who_waits_is_heard_again(door: Door) -> None:
    session, transport = await join(door)
    for _ in range(25):
        await ask(door, session, RESYNC)
    assert refused(transport).code is RefusalCode.TOO_FAST
    door.time += 5
    await ask(door, session, RESYNC)
    assert isinstance(decode_message(transport.sent[-1]), Snapshot)


@pytest.mark.parametrize(
    "text", ['{"type":"hit","prompt":99}', '{"type":"place_bet","prompt":1,"amount":1}']
)
async def test_refused_answers_are_paid_for_and_then_not_looked_at(
    door: Door, text: str
) -> None:
    session, transport = await join(door)
    codes = []
    while transport.closed is None:
        await ask(door, session, text)
        codes.append(refused(transport).code)
    assert transport.closed[0] == 4006
    assert RefusalCode.TOO_FAST not in codes[:19]
    assert codes[19:] == [RefusalCode.TOO_FAST] * 11
    assert refused(transport).prompt == json.loads(text)["prompt"]


async def test_a_repeated_answer_is_paid_for(door: Door) -> None:
    session, transport = await join(door)
    sit_out = '{"type":"sit_out","prompt":1}'
    await ask(door, session, sit_out)
    for _ in range(19):
        await ask(door, session, sit_out)
        assert decode_message(transport.sent[-1]).type == "answered"
    await ask(door, session, sit_out)
    assert refused(transport).code is RefusalCode.TOO_FAST


async def test_answers_that_are_carried_out_cost_nothing_at_any_speed(
    door: Door,
) -> None:
    session, transport = await join(door)
    for _ in range(200):
        ask_of_ned = door.rig.asks[1]
        kind = next(kind for kind in ask_of_ned.actions if kind in _CALM)
        amount = {"amount": 100} if kind == "place_bet" else {}
        answer = {"type": kind, "prompt": ask_of_ned.prompt, **amount}
        await ask(door, session, json.dumps(answer))
        assert isinstance(decode_message(transport.sent[-1]), Update)
    for _ in range(19):
        await ask(door, session, RESYNC)
    assert isinstance(decode_message(transport.sent[-1]), Snapshot)


async def test_joining_again_does_not_fill_the_bucket_of_the_handle(door: Door) -> None:
    session, _ = await join(door)
    for _ in range(19):
        await ask(door, session, RESYNC)
    again, transport = door.connect(2)
    again.received(hello("ned21"))
    assert refused(transport).code is RefusalCode.TOO_FAST
    assert transport.closed is not None
    assert transport.closed[0] == 4000
    other, theirs = door.connect(3)
    other.received(hello("lia9"))
    await door.work()
    assert isinstance(decode_message(theirs.sent[-1]), Snapshot)
    door.time += 3
    again, transport = door.connect(4)
    again.received(hello("ned21"))
    await door.work()
    assert isinstance(decode_message(transport.sent[-1]), Snapshot)


async def test_nobody_else_can_empty_the_bucket_of_a_handle(door: Door) -> None:
    await join(door)
    for line in range(2, 60):
        stranger, _ = door.connect(line)
        stranger.received(hello("ned21", key="x" * 43))
    again, transport = door.connect(99)
    again.received(hello("ned21"))
    await door.work()
    assert isinstance(decode_message(transport.sent[-1]), Snapshot)


async def test_leaving_is_free_and_always_heard(door: Door) -> None:
    session, transport = await join(door)
    for _ in range(25):
        await ask(door, session, RESYNC)
    await ask(door, session, '{"type":"leave"}')
    assert transport.closed == (1000, "You have left the table.")
