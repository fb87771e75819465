"""What basic strategy would do: the hint at a play, and the count at the end."""

from typing import Any

import pytest

from bj_client.bot.hint import hint, worths
from bj_client.model.seat import Hand
from bj_client.model.table import Table
from bj_protocol.action import Action
from bj_protocol.views import Ask
from support.a_round import PLAY, a_round
from support.fake_server import fake_server
from support.message import make_ask
from support.visit import run_command

FIRST = (*PLAY, Action.DOUBLE)
OFFER = (Action.SURRENDER, Action.DECLINE)


def dealt(table: Table, cards: str, total: int, dealer: str) -> Table:
    table.seats[2].hands = [Hand(cards.split(), total)]
    table.dealer = Hand(dealer.split())
    return table


def advice(ask: Ask, table: Table) -> Action | None:
    return next((action for action, _ in worths(ask, table)), None)


@pytest.mark.parametrize(
    ("cards", "total", "dealer", "actions", "best"),
    [
        ("Ts 6s", 16, "Td ??", PLAY, Action.HIT),
        ("Ts 6s", 16, "6d ??", PLAY, Action.STAND),
        ("As 6s", 17, "6d ??", FIRST, Action.DOUBLE),
        ("As 6s", 17, "6d ??", PLAY, Action.HIT),
        ("8s 8h", 16, "6d ??", (*FIRST, Action.SPLIT), Action.SPLIT),
        ("8s 8h", 16, "9d ??", (Action.SPLIT, Action.DECLINE), Action.SPLIT),
        ("8s 8h", 16, "Ad ??", (Action.SPLIT, Action.DECLINE), Action.DECLINE),
        ("Ts Th", 20, "6d ??", (Action.SPLIT, Action.DECLINE), Action.DECLINE),
        ("Ts 6s", 16, "Td ??", (*PLAY, Action.SURRENDER), Action.SURRENDER),
        ("Ts 6s", 16, "Ad ??", (Action.INSURE, Action.DECLINE), None),
        ("Ts 6s", 16, "", PLAY, None),
        ("As 6s", 7, "6d ??", PLAY, Action.HIT),
        ("", 0, "", (Action.PLACE_BET, Action.SIT_OUT), None),
    ],
)
def test_the_advice_is_that_of_basic_strategy(
    table: Table,
    cards: str,
    total: int,
    dealer: str,
    actions: tuple[Action, ...],
    best: Action | None,
) -> None:
    assert advice(make_ask(1, *actions), dealt(table, cards, total, dealer)) is best


def test_the_hint_is_a_sentence_where_there_is_advice(table: Table) -> None:
    dealt(table, "Ts Th", 20, "6d ??")
    assert hint(make_ask(1, *PLAY), table) == "Basic strategy: stand."
    assert hint(make_ask(1, Action.SPLIT, Action.DECLINE), table) == (
        "Basic strategy: keep the pair together."
    )
    assert hint(make_ask(1), table) == ""


async def test_a_person_who_wants_hints_gets_them_for_a_question_mark() -> None:
    async with fake_server(a_round()) as address:
        played = await run_command(
            *("--handle", "ned21", "--server", address.shown, "--hints"),
            typed="?\n50\n?\nh\n?\ns\nn\n",
        )
    lines = played.output.splitlines()
    assert [line for line in lines if line.startswith("Basic")] == [
        "Basic strategy: hit.",
        "Basic strategy: stand.",
    ]
    assert lines[-2] == (
        "ned21 won at most $50.00 with a hand, and made 2 of 2 plays as basic strategy "
        "does."
    )
    assert lines[-1].startswith("Good-bye, ned21: 1 round, 1 won")


async def test_who_wants_none_gets_none_and_the_plays_are_counted() -> None:
    async with fake_server(a_round()) as address:
        played = await run_command(
            *("--handle", "ned21", "--server", address.shown),
            typed="50\n?\nh\nh\nn\n",
        )
    assert "Basic strategy" not in played.output
    assert "made 1 of 2 plays as basic strategy does." in played.output


async def test_a_bot_is_told_nothing_of_its_plays() -> None:
    async with fake_server(a_round()) as address:
        played = await run_command(
            *("--handle", "ned21", "--server", address.shown),
            *("--bot", "basic", "--rounds", "1"),
        )
    assert "basic strategy" not in played.output
    assert played.output.splitlines()[-1].startswith("Good-bye, ned21: 1 round")


@pytest.mark.parametrize("terms", [{}, {"name": "new", "title": "", "rule": 1}])
def test_13_7_a_house_whose_rules_are_not_known_gets_no_hint_and_no_score(
    table: Table, terms: dict[str, Any]
) -> None:
    table.house = table.house.model_copy(update={"terms": terms})
    dealt(table, "Ts 6s", 16, "Td ??")
    assert advice(make_ask(1, *PLAY), table) is None
    assert hint(make_ask(1, *PLAY), table).startswith("No hints for this house: ")
    assert hint(make_ask(1), table) == ""


@pytest.mark.parametrize(
    ("rules", "dealer", "actions", "said"),
    [
        ({"deal": "dealer_last", "hole_card": "none"}, "", PLAY, "stand"),
        ({"hole_card": "none"}, "9d", (Action.SPLIT, Action.DECLINE), "split"),
        ({"surrender": "early"}, "Ad ??", OFFER, "surrender"),
        ({"surrender": "early"}, "Td ??", OFFER, "surrender"),
    ],
)
def test_13_7_the_hint_is_that_of_the_house(
    table: Table,
    rules: dict[str, Any],
    dealer: str,
    actions: tuple[Action, ...],
    said: str,
) -> None:
    terms = {"name": "own", "title": "", "insurance": "none"} | rules
    table.house = table.house.model_copy(update={"terms": terms})
    dealt(table, "8s 8h", 16, dealer)
    assert hint(make_ask(1, *actions), table) == f"Basic strategy: {said}."


def test_13_7_a_hand_that_is_not_worth_a_surrender_is_played_on(table: Table) -> None:
    terms = {"name": "own", "title": "", "insurance": "none", "surrender": "early"}
    table.house = table.house.model_copy(update={"terms": terms})
    dealt(table, "Ts Th", 20, "Ad ??")
    assert hint(make_ask(1, *OFFER), table) == "Basic strategy: play on."
