"""Missed updates that do not come when they are asked for the first time."""

from typing import Any

import pytest

from bj_protocol.commands import PlaceBet, Resync
from bj_protocol.events import Announced, PlayerJoined
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from support.fake_server import fake_server
from support.message import make_ask
from support.returning import AT_ONCE, cut, in_turn
from support.visit import run_lines

TESS = PlayerJoined(seat=3, handle="tess", balance=100)


async def test_missed_updates_that_were_asked_for_too_fast_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bj_client.net.follow.AGAIN_SECONDS", 0)

    async def before(server: Any) -> None:
        await server.hello()
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(6), seq=11)
        for _ in range(2):
            assert await server.hear() == Resync(seq=10)
            text = "Wait a little."
            await server.say(Refused(code=RefusalCode.TOO_FAST, text=text, prompt=None))
        assert await server.hear() == Resync(seq=10)
        await server.update(11, TESS, asks=(make_ask(6),))
        assert await server.hear() == PlaceBet(prompt=6, amount=500)
        await server.ask_and_part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE, when="tess sits down")
    assert shown.count("tess sits down") == 1


async def test_what_comes_while_the_missed_ones_do_not_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bj_client.net.follow.CATCH_UP_SECONDS", 0.1)
    kim = PlayerJoined(seat=5, handle="kim", balance=100)

    async def before(server: Any) -> None:
        await server.hello()
        await server.update(11, TESS, asks=(make_ask(4),))
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(6), seq=13)
        assert await server.hear() == Resync(seq=11)
        await server.update(13, Announced(text="Dinner."), asks=(make_ask(6),))
        await server.update(14, kim, asks=(make_ask(7),))
        assert await server.hear() == Resync(seq=13)
        await server.update(14, kim, asks=(make_ask(7),))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        await server.ask_and_part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE, when="kim sits down")
    assert shown.count("kim sits down") == 1
    assert shown.count("Some news was missed; this is the table now.") == 1
