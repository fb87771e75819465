"""The rounds of ``specs/iipp6.txt``: which buttons there are, and what is said."""

from typing import Any

import pytest

from bj_client.play.output import Tone
from bj_client.screen.teller import words
from bj_client.style.iipp6 import hit_or_stand, new_deal
from bj_protocol import events
from bj_protocol.action import Action, SettleReason
from bj_protocol.views import (
    DealerView,
    Outcome,
    Phase,
)
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.stage import make_stage

PLAYS = (Action.HIT, Action.STAND, Action.GIVE_UP)
HAND = make_hand("Ts 6h", 16, stake=100)


@pytest.fixture
def deals() -> Any:
    """Return a stage in the middle of a round."""
    mine = make_seat(2, "ned21", hands=(HAND,))
    dealer = DealerView(name="Dealer", cards=("9h", "??"), total=9, soft=False)
    shown = {"phase": Phase.PLAYING, "seats": (mine,), "dealer": dealer}
    made = make_stage(make_snapshot(make_ask(3, *PLAYS), **shown))
    made.scene.deals = True
    made.scene.pose(hit_or_stand(make_ask(3, *PLAYS)))
    made.settle()
    return made


def settled(reason: str, outcome: Outcome) -> events.HandSettled:
    return events.HandSettled(
        seat=2,
        hand=0,
        outcome=outcome,
        reason=SettleReason(reason),
        stake=100,
        payout=0,
        balance=100,
    )


def test_there_are_three_buttons_and_no_money(deals: Any) -> None:
    text = deals.look()
    assert "Hit or stand?" in text
    buttons = "d Deal   h Hit   s Stand   r Rules   m My rounds   ? Help   : Chat"
    assert f"{buttons}   q Leave" in text
    assert "score 0" in text
    assert "bank" not in text


def test_the_hole_card_lies_first(deals: Any) -> None:
    assert deals.scene.dealer.cards == ["??", "9h"]
    assert deals.scene.table.dealer.cards == ["9h", "??"]


@pytest.mark.parametrize(
    ("words_on_it", "done"),
    [("d Deal", "give_up"), ("h Hit", "hit"), ("s Stand", "stand")],
)
def test_each_button_counts_in_a_round(deals: Any, words_on_it: str, done: str) -> None:
    deals.click(words_on_it)
    assert deals.done == [done]


def test_enter_gives_no_round_up(deals: Any) -> None:
    deals.press("enter", "y", "1", "p")
    assert deals.done == []


@pytest.mark.parametrize("key", ["d", "y", "enter"])
def test_only_deal_counts_between_rounds(deals: Any, key: str) -> None:
    deals.scene.outcome = "You have busted."
    deals.scene.pose(new_deal(has_busted=True))
    deals.settle()
    assert "You have busted. New deal? d deals, q leaves" in deals.look()
    assert "You have busted. New deal?" in deals.look(40, 16)
    deals.press("h", "s", key)
    assert deals.done == ["go on"]


def test_a_long_outcome_gives_way_in_a_small_window(deals: Any) -> None:
    deals.scene.outcome = "The dealer has busted. You win."
    deals.scene.pose(new_deal())
    assert "New deal?" in deals.look(40, 16)


def test_nothing_is_chosen_ahead(deals: Any) -> None:
    deals.scene.pose(None)
    deals.press("d")
    assert deals.scene.preset is None


def test_the_help_is_that_of_the_text(deals: Any) -> None:
    deals.press("?")
    text = deals.look()
    assert "Deal in the middle of a round gives it up as a loss" in text
    assert "insurance" not in text


def test_money_and_calls_for_bets_go_in_silence(deals: Any) -> None:
    scene = deals.scene
    bet = events.BetPlaced(seat=2, amount=100, balance=100)
    for event in (bet, events.BettingOpened(round=4)):
        assert words(event, scene.table, scene) == []
    ended = events.RoundEnded(round=3, cards_left=48, until_cut=None)
    assert words(ended, scene.table, scene) is None


def test_a_bust_is_the_outcome_until_the_next_round(deals: Any) -> None:
    scene = deals.scene
    bust = events.HandBusted(seat=2, hand=0, total=26)
    assert words(bust, scene.table, scene) == [("You have busted", Tone.LOSE)]
    said = words(settled("busted", Outcome.LOSE), scene.table, scene)
    assert said == [("You lose.", Tone.LOSE), ("Score: 0", Tone.MINE)]
    assert scene.outcome == "You have busted."
    began = events.RoundBegan(round=4, seats=(2,))
    assert words(began, scene.table, scene) == []
    assert scene.outcome == ""
    words(settled("given_up", Outcome.LOSE), scene.table, scene)
    assert scene.outcome == "You lost the round."
