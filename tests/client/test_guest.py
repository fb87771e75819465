"""Bots are guests: they leave when they have had enough, or have nothing to bet."""

import asyncio
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bj_client.bot.bot import Bot, read_bot
from bj_client.bot.loader import BotError
from bj_client.model.seat import Faces
from bj_client.net.keyring import Keyring
from bj_client.play.bot_session import AutoSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from bj_game.house import House
from bj_game.strategies import DealerPlayer, ScriptPlayer
from bj_protocol.action import Action
from bj_protocol.commands import AcceptGift, Leave, PlaceBet, SitOut
from bj_protocol.events import RoundEnded
from bj_protocol.views import HouseView
from support.answering import Says
from support.fake_server import fake_server
from support.message import make_ask, make_seat
from support.told import told


def house_view(**terms: Any) -> HouseView:
    house = House(name="poor", title="No donor", **terms)
    rules = {key: getattr(house, key) for key in House.__slots__}
    return HouseView(
        name=house.name, title=house.title, rules=(), minimum_bet=100, terms=rules
    )


async def visit(script: Any, bot: Bot) -> str:
    output = StringIO()
    visit = Visit(
        ("ned21",),
        Narrator(PlainOutput(output), Faces(symbols=True)),
        lambda hotseat, narrator: AutoSession(hotseat.storyteller, narrator, bot),
        keys=Keyring("bot", warn=pytest.fail),
        unproven=True,
    )
    async with fake_server(script) as address, asyncio.timeout(60):
        await visit.run(address)
    return output.getvalue()


async def test_a_script_plays_its_rounds_and_leaves() -> None:
    async def serve(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=700)
        await server.update(11, asks=(make_ask(2),))
        assert await server.hear() == SitOut(prompt=2)
        assert await server.hear() == Leave()

    said = await visit(serve, Bot(ScriptPlayer("7 stand\nleave\n")))
    assert "is broke" not in said


async def test_a_bot_without_money_leaves_where_nobody_gives_any() -> None:
    (lost,) = told("2a lose 10 -> 0 = 0.50: lower_total")

    async def serve(server: Any) -> None:
        house = house_view(donor_gift=0)
        await server.hello(
            make_ask(1), house=house, seats=(make_seat(2, "ned21", balance=1050),)
        )
        assert await server.hear() == PlaceBet(prompt=1, amount=1000)
        over = RoundEnded(round=3, cards_left=1, until_cut=0)
        await server.update(11, lost, over)
        assert await server.hear() == Leave()

    said = await visit(serve, Bot(DealerPlayer(bet=10)))
    assert "ned21 is broke, and leaves." in said


async def test_a_bot_without_money_waits_for_a_donor() -> None:
    async def serve(server: Any) -> None:
        house = house_view(donor_wait_rounds=3)
        seats = (make_seat(2, "ned21", balance=50),)
        await server.hello(house=house, seats=seats)
        await server.update(11, asks=(make_ask(1, Action.ACCEPT_GIFT, Action.SIT_OUT),))
        assert await server.hear() == AcceptGift(prompt=1)
        await server.update(12, asks=(make_ask(2),))
        assert await server.hear() == SitOut(prompt=2)

    await visit(serve, Bot(ScriptPlayer("leave")))


def test_a_wrong_wish_to_leave_is_told_and_the_bot_stays(table: Any) -> None:
    class Torn(Says):
        def want_to_leave(self, balance: int) -> Any:
            return None

    bot = Bot(Torn(10))
    assert bot.answer(make_ask(1), table) == PlaceBet(prompt=1, amount=1000)
    assert bot.adviser.remarks() == (
        "Torn.want_to_leave returned None, not True or False: it stays.",
    )


def test_a_script_comes_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "script.txt"
    file.write_text("\ufeff5 hit\n", "utf-8")
    choice = read_bot(f"script:{file}")
    assert (choice.takes_bet, choice.is_loaded) == (False, False)
    assert choice.make(1000).adviser.strategy.place_bet(9) == 5


def test_a_script_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    bad, odd = tmp_path / "bad.txt", tmp_path / "odd.txt"
    bad.write_bytes(b"\xff")
    odd.write_text("5 jump")
    for name, sentence in {
        "script": "The script is missing: name its file, as in script:FILE.",
        "script:": "The script is missing: name its file, as in script:FILE.",
        f"script:{bad}": f"The script {bad} cannot be read as a text.",
        f"script:{tmp_path}/none": f"The script {tmp_path}/none cannot be read (No",
        f"script:{tmp_path}": f"The script {tmp_path} cannot be read (Is a directory)",
        f"script:{odd}": f"{odd}: Line 1 of the script has 'jump': after the bet come",
    }.items():
        with pytest.raises(BotError) as error:
            read_bot(name)
        assert str(error.value).startswith(sentence)
