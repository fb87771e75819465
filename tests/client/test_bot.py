import asyncio
from io import StringIO
from typing import Any

import pytest

from bj_client.bot.bot import Bot
from bj_client.model.seat import Faces, Hand
from bj_client.model.table import Table
from bj_client.net.keyring import Keyring
from bj_client.play.bot_session import AutoSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from bj_game.strategies import BasicPlayer
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    Decline,
    Double,
    Hit,
    Leave,
    PlaceBet,
    SitOut,
    Split,
    Stand,
)
from bj_protocol.events import BetPlaced, BettingOpened, RoundEnded
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import WagerRange
from support.fake_server import fake_server
from support.message import make_ask
from support.told import told


def basic(bet: int) -> Bot:
    return Bot(BasicPlayer(bet=bet))


@pytest.mark.parametrize(
    ("minimum", "maximum", "step", "amount"),
    [
        (100, 1_000_000, 100, 2500),
        (100, 1200, 100, 1200),
        (100, 1250, 100, 1200),
        (5000, 9000, 100, 5000),
        (500, 1_000_000, 1000, 2000),
    ],
)
def test_a_bot_bets_as_near_as_it_may(
    table: Table, minimum: int, maximum: int, step: int, amount: int
) -> None:
    limits = WagerRange(minimum=minimum, maximum=maximum, step=step)
    bet = make_ask(1, Action.PLACE_BET, Action.SIT_OUT, wager=limits)
    assert basic(25).answer(bet, table) == PlaceBet(prompt=1, amount=amount)


def test_a_bot_that_cannot_bet_sits_out(table: Table) -> None:
    limits = WagerRange(minimum=500, maximum=400, step=100)
    bet = make_ask(1, Action.PLACE_BET, Action.SIT_OUT, wager=limits)
    assert basic(25).answer(bet, table) == SitOut(prompt=1)
    assert basic(1).answer(make_ask(2, Action.SIT_OUT), table) == SitOut(prompt=2)


def test_a_bot_takes_gifts_and_no_insurance(table: Table) -> None:
    table.seats[2].hands = [Hand(["8s", "8h"], 16)]
    table.dealer = Hand(["Ad", "??"], 11, soft=True)
    gift = make_ask(1, Action.ACCEPT_GIFT, Action.SIT_OUT)
    assert basic(1).answer(gift, table) == AcceptGift(prompt=1)
    insurance = make_ask(2, Action.INSURE, Action.DECLINE)
    assert basic(1).answer(insurance, table) == Decline(prompt=2)


def test_a_bot_plays_no_hand_of_which_a_card_is_hidden(table: Table) -> None:
    bot = basic(1)
    table.seats[2].hands = [Hand(["5s", "??"], 5)]
    table.dealer = Hand(["Ad", "??"], 11, soft=True)
    assert bot.answer(make_ask(1, *FIRST), table) == Stand(prompt=1)
    hidden = "The server hides a card of the hand: it is not played."
    assert bot.adviser.remarks() == (hidden,)


FIRST = (Action.HIT, Action.STAND, Action.DOUBLE)


@pytest.mark.parametrize(
    ("cards", "upcard", "actions", "answer"),
    [
        (["Ts", "6h"], "7d", FIRST, Hit(prompt=1)),
        (["Ts", "6h"], "6d", FIRST, Stand(prompt=1)),
        (["6s", "5h"], "6d", FIRST, Double(prompt=1)),
        (["6s", "5h"], "6d", FIRST[:2], Hit(prompt=1)),
        (["8s", "8h"], "9d", (Action.SPLIT, Action.DECLINE), Split(prompt=1)),
        (["Ts", "Th"], "6d", (Action.SPLIT, Action.DECLINE), Decline(prompt=1)),
    ],
)
def test_a_bot_plays_by_basic_strategy(
    table: Table,
    cards: list[str],
    upcard: str,
    actions: tuple[Action, ...],
    answer: object,
) -> None:
    table.seats[2].hands = [Hand(cards)]
    table.dealer = Hand([upcard, "??"])
    assert basic(1).answer(make_ask(1, *actions), table) == answer


def test_a_bot_that_knows_no_cards_stands(table: Table) -> None:
    assert basic(1).answer(make_ask(1, *FIRST), table) == Stand(prompt=1)


async def test_a_bot_leaves_after_its_rounds_and_prints_what_it_sees() -> None:
    (lost,) = told("2a lose 10 -> 0 = 9990: lower_total")

    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=1000)
        refused = Refused(code=RefusalCode.NOT_ASKED, text="No.", prompt=1)
        await server.say(refused)
        lia9 = BetPlaced(seat=1, amount=100, balance=1)
        await server.update(11, lia9, asks=(make_ask(1),))
        over = RoundEnded(round=3, cards_left=1, until_cut=0)
        await server.update(12, lost, over, BettingOpened(round=4), asks=(make_ask(2),))
        assert await server.hear() == Leave()

    output = StringIO()
    visit = Visit(
        ("ned21",),
        Narrator(PlainOutput(output), Faces(symbols=True)),
        lambda hotseat, narrator: AutoSession(
            hotseat.storyteller, narrator, basic(10), 1
        ),
        keys=Keyring("bot", warn=pytest.fail),
    )
    async with fake_server(script) as address, asyncio.timeout(60):
        await visit.run(address)
    assert "lia9 bets $1.00.\nned21 loses $10.00" in output.getvalue()
