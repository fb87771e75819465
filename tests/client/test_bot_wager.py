"""What a bot's strategy wants to wager, and what is wagered."""

import itertools
from typing import Any

import pytest

from bj_client.bot.bot import Bot
from bj_client.model.table import Table
from bj_protocol.action import Action
from bj_protocol.commands import Decline, Insure, PlaceBet, SitOut
from bj_protocol.views import WagerRange
from support.answering import Awkward, Mute, Says, SaysMore, deal
from support.message import make_ask

LIMITS = WagerRange(minimum=500, maximum=100_050, step=200)


@pytest.mark.parametrize(
    ("answer", "cents", "remark"),
    [
        (11, 1000, "returned 11, not a whole multiple of $2: it bets $10.00"),
        (10, 1000, ""),
        (0, None, ""),
        (2000, 100_000, "returned 2000, more than the most that is legal, $1,000.50"),
        (10**30, 100_000, "more than the most that is legal"),
        (3, 500, "returned 3, less than the least that is legal, $5: it bets $5.00"),
        (-1, 500, "returned -1, less than nothing: it bets $5.00"),
        (10.0, 1000, "returned 10.0, not a whole number of dollars, an int"),
        (0.5, 500, "returned 0.5, less than the least that is legal, $5"),
        (float("nan"), 500, "returned nan, not a number of dollars"),
        (float("inf"), 500, "returned inf, not a number of dollars"),
        ("all", 500, "returned 'all', not a number of dollars: it bets $5.00"),
        (None, 500, "returned None, not a number of dollars"),
        (True, 500, "returned True, not a number of dollars"),
        (Awkward(11), 1000, "returned <Awkward instance at 0x"),
        (10**5000, 100_000, "returned a value of type int, more than the most"),
        (KeyError, 500, "raised KeyError (answering.py, line "),
        (SystemExit, 500, "raised SystemExit (answering.py, line "),
        (Mute, 500, "raised Mute (answering.py, line "),
    ],
    ids=itertools.count(),
)
def test_a_bet_that_is_not_legal_is_told_and_the_nearest_is_placed(
    table: Table, answer: Any, cents: int | None, remark: str
) -> None:
    bot = Bot(Says(answer))
    bet = make_ask(1, Action.PLACE_BET, Action.SIT_OUT, wager=LIMITS)
    placed = SitOut(prompt=1) if cents is None else PlaceBet(prompt=1, amount=cents)
    assert bot.answer(bet, table) == placed
    remarks = bot.adviser.remarks()
    assert len(remarks) == bool(remark)
    for said in remarks:
        assert said.startswith("Says.place_bet ")
        assert remark in said
    assert bot.adviser.remarks() == ()


def test_without_a_legal_bet_the_bot_sits_out(table: Table) -> None:
    none = WagerRange(minimum=500, maximum=400, step=100)
    bet = make_ask(1, Action.PLACE_BET, Action.SIT_OUT, wager=none)
    for answer in (3, "all"):
        assert Bot(Says(answer)).answer(bet, table) == SitOut(prompt=1)
    unlimited = make_ask(1, Action.PLACE_BET, Action.SIT_OUT, wager=None)
    assert Bot(Says(3)).answer(unlimited, table) == SitOut(prompt=1)


def test_the_balance_is_told_in_whole_dollars(table: Table) -> None:
    table.seats[2].balance = 12_399
    strategy = Says(10)
    Bot(strategy).answer(make_ask(1), table)
    assert strategy.given["place_bet"] == (123,)


@pytest.mark.parametrize(
    ("answer", "cents", "remark"),
    [
        (7, 700, ""),
        (0, 0, ""),
        (10**6, 1_000_000, "more than the most that is legal, $10,000: it insures for"),
        (-1, 0, "returned -1, less than nothing: it does not wager"),
        ("all", 0, "returned 'all', not a number of dollars: it does not wager"),
        (ValueError, 0, "raised ValueError"),
    ],
)
def test_insurance_is_taken_for_a_sum(
    table: Table, answer: Any, cents: int, remark: str
) -> None:
    bot = Bot(SaysMore(answer))
    insured = Insure(prompt=1, amount=cents) if cents else Decline(prompt=1)
    assert (
        bot.answer(make_ask(1, Action.INSURE, Action.DECLINE), deal(table)) == insured
    )
    assert remark in "".join(bot.adviser.remarks())
