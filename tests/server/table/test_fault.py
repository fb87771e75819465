"""N10: a fault of the dealer's own, once, and the table goes on."""

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bj_protocol.commands import Stand
from bj_protocol.messages import Snapshot
from bj_server.net.outbox import Audience
from bj_server.settings import load_house
from bj_server.table.inbox import Command, FromLine, Halt
from support.rig import KeptOutlet, Lay, Rig, until
from support.serving import join, read, serving

STACK = "Ts 9s 9h 8d Ts 9s 9h 8d"  # ned21 has 19, the dealer 17, twice


class Failing:
    """Fails the next few times that it is called, and then does what it should."""

    def __init__(self, does: Callable[..., Any], times: int = 1) -> None:
        self._does = does
        self.times = times

    def __call__(self, *arguments: Any) -> Any:
        if self.times:
            self.times -= 1
            raise ZeroDivisionError("on purpose")
        return self._does(*arguments)


@pytest.fixture
def rig(lay: Lay) -> Rig:
    """A table at which ned21 has bet and must decide."""
    rig = lay(stack=STACK)
    rig.join("ned21")
    rig.bet("ned21")
    return rig


def stand(rig: Rig) -> FromLine:
    return FromLine(rig.line["ned21"], Stand(prompt=rig.ask("ned21").prompt))


def test_a_fault_between_rounds_leaves_the_shoe_as_the_last_round_did(
    lay: Lay,
) -> None:
    rig = lay(stack=STACK, house=load_house("vegas-strip"))
    rig.join("ned21")
    rig.bet("ned21")
    full = rig.table.context.source.contents
    rig.drop("ned21")
    rig.wait(31)
    assert rig.table.phase is None
    left = rig.table.context.shoe.contents
    assert left != full
    rig.table.void("Something went wrong at this table.")
    assert rig.table.context.shoe.contents == left


@asynccontextmanager
async def dealing(rig: Rig) -> AsyncIterator[Callable[..., None]]:
    """Run the dealer's task; give what submits a command to it."""
    task = asyncio.create_task(rig.dealer.run())

    def submit(command: Command) -> None:
        rig.dealer.submit(command)

    yield submit
    submit(Halt())
    await task


def last_heard(rig: Rig) -> object:
    return rig.outlet.heard[rig.line["ned21"]][-1]


def is_shown_betting(rig: Rig) -> bool:
    last = last_heard(rig)
    return isinstance(last, Snapshot) and last.phase == "betting"


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.exc_info]


async def test_N10_a_fault_in_a_command_voids_the_round(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rig.table, "handle", Failing(rig.table.handle))
    async with dealing(rig) as submit:
        submit(stand(rig))
        await until(lambda: rig.balance("ned21") == 10_000)
        await until(lambda: rig.is_asked("ned21"))
    assert logged(caplog) == ["a fault of ours voids the round"]
    rig.restart()
    rig.join("ned21")
    rig.bet("ned21")


async def test_N10_a_fault_before_the_seal_voids_the_round(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with dealing(rig) as submit:
        monkeypatch.setattr(rig.table, "changes", Failing(rig.table.changes))
        submit(stand(rig))
        await until(lambda: is_shown_betting(rig))
    assert logged(caplog) == ["a fault of ours interrupts the table"]
    assert rig.table.context.till.is_sealed
    rig.act("ned21", "bet 100, stand")


async def test_N10_a_fault_in_speaking_costs_nobody_the_round(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rig.outlet, "announce", Failing(rig.outlet.announce))
    async with dealing(rig) as submit:
        submit(stand(rig))
        await until(lambda: is_shown_betting(rig))
    assert logged(caplog) == ["a fault of ours interrupts the table"]
    assert rig.balance("ned21") == 10_100
    rig.bet("ned21")


async def test_N10_a_word_that_cannot_be_said_keeps_the_others(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = KeptOutlet.tell.__get__(rig.outlet)
    monkeypatch.setattr(rig.outlet, "tell", Failing(tell))
    async with dealing(rig) as submit:
        for prompt in (998, 999):
            submit(FromLine(rig.line["ned21"], Stand(prompt=prompt)))
        await until(lambda: "prompt=999" in repr(rig.outlet.heard))
    assert "prompt=998" not in repr(rig.outlet.heard)


async def test_N10_a_fault_that_comes_again_ends_the_dealer(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rig.table, "changes", Failing(rig.table.changes, times=2))
    task = asyncio.create_task(rig.dealer.run())
    rig.dealer.submit(stand(rig))
    with pytest.raises(ZeroDivisionError):
        await task
    assert rig.dealer.is_gone
    rig.dealer.carry_out([Halt()])  # so that the books can be closed


@contextmanager
def collecting(errors: list[dict[str, Any]]) -> Iterator[None]:
    """Collect garbage all the time, and keep every error that nobody takes."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: errors.append(context))
    is_on = True

    def collect() -> None:
        gc.collect()
        if is_on:
            loop.call_later(0.02, collect)

    collect()
    yield
    is_on = False
    gc.collect()


async def test_N10_a_game_under_constant_collection_loses_no_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[dict[str, Any]] = []
    with collecting(errors):
        async with serving(tmp_path / "bank", "--stack", STACK) as uri:
            line = await join(uri)
            message = await read(line)
            announce = Failing(Audience.announce)
            rounds = 0
            while rounds < 6:
                asks = (message.get("turn") or {}).get("asks")
                if asks:
                    await line.send(answer(asks[0]))
                if rounds == 3 and announce.times:
                    monkeypatch.setattr(
                        Audience, "announce", lambda room, *said: announce(room, *said)
                    )
                message = await read(line)
                rounds += "round_ended" in json.dumps(message)
            await line.close()
            assert announce.times == 0
    assert errors == []


def answer(ask: dict[str, Any]) -> str:
    prompt, actions = ask["prompt"], ask["actions"]
    if "place_bet" in actions:
        return json.dumps({"type": "place_bet", "prompt": prompt, "amount": 1000})
    kind = "stand" if "stand" in actions else "decline"
    return json.dumps({"type": kind, "prompt": prompt})
