"""The dealer's task: commands in, money safe, then words; and time."""

import asyncio

import pytest

from bj_protocol.commands import PlaceBet
from bj_server.table.inbox import FromLine, Halt, Inbox, TimeUp
from support.rig import Lay, hello, until


async def test_a_dealer_speaks_until_it_is_halted(lay: Lay) -> None:
    rig = lay()
    task = asyncio.create_task(rig.dealer.run())
    rig.dealer.submit(hello(1, "ned21"))
    await until(lambda: rig.outlet.heard.get(1))
    rig.dealer.submit(Halt())
    await task


async def test_a_deadline_is_a_command_like_any_other(lay: Lay) -> None:
    rig = lay()
    task = asyncio.create_task(rig.dealer.run())
    rig.dealer.submit(hello(1, "ned21"))
    await until(lambda: rig.outlet.updates)
    first = rig.ask("ned21").prompt
    rig.clock.pass_by(29)
    rig.clock.pass_by(1)
    await until(lambda: len(rig.outlet.updates) > 1)
    assert rig.ask("ned21").prompt > first
    rig.dealer.submit(Halt())
    await task


async def test_nothing_is_told_before_the_money_is_safe(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = lay()
    rig.join("ned21")
    heard = len(rig.outlet.updates)
    gate = asyncio.Event()
    commit = rig.table.context.till.commit

    async def slow() -> None:
        await gate.wait()
        await commit()

    monkeypatch.setattr(rig.table.context.till, "commit", slow)
    task = asyncio.create_task(rig.dealer.run())
    rig.dealer.submit(FromLine(1, PlaceBet(prompt=rig.ask("ned21").prompt, amount=500)))
    await until(lambda: rig.balance("ned21") == 9_995)
    assert len(rig.outlet.updates) == heard
    gate.set()
    await until(lambda: len(rig.outlet.updates) > heard)
    rig.dealer.submit(Halt())
    await task


async def test_bets_that_come_together_share_one_update(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    seq = rig.outlet.updates[-1].seq
    for line, handle in ((1, "ned21"), (2, "lia9")):
        bet = PlaceBet(prompt=rig.ask(handle).prompt, amount=500)
        rig.dealer.submit(FromLine(line, bet))
    task = asyncio.create_task(rig.dealer.run())
    await until(lambda: rig.outlet.updates[-1].seq > seq)
    last = rig.outlet.updates[-1]
    assert [event.type for event in last.events][:3] == [
        "bet_placed",
        "bet_placed",
        "round_began",
    ]
    rig.dealer.submit(Halt())
    await task


async def test_a_handle_counts_as_seated_from_its_hello_on(lay: Lay) -> None:
    rig = lay()
    assert not rig.dealer.is_seated("ned21")
    rig.dealer.submit(hello(1, "ned21"))
    assert rig.dealer.is_seated("ned21")
    rig.send(hello(1, "ned21"))
    assert rig.dealer.is_seated("ned21")


async def test_a_crowded_inbox_slows_readers_down() -> None:
    inbox = Inbox()
    for _ in range(64):
        inbox.submit(TimeUp())
    waiting = asyncio.create_task(inbox.room(1))
    await asyncio.sleep(0)
    assert not waiting.done()
    assert len(await inbox.take()) == 64
    await waiting
