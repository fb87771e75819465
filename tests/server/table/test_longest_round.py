"""T6: the longest round there is, by players who take all their time and every card."""

from pathlib import Path

import pytest
from make_houses import most_decisions

from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Insure, PlaceBet
from bj_protocol.events import RoundEnded
from bj_protocol.views import Ask
from bj_server.settings import HOUSES, load_house
from support.rig import PLAYS, Rig

pytestmark = pytest.mark.no_cover  # the same lines, over and over

NAMES = ("ned21", "lia9", "ibad", "tess", "kim", "eve", "bo")

SLOWEST = (
    Action.SPLIT,
    Action.INSURE,
    Action.ACE_LOW,
    Action.HIT,
    Action.DECLINE,
    Action.STAND,
)
"""What makes a round longest, where it is legal."""


def slow_answer(ask: Ask) -> AnyAnswer:
    if Action.PLACE_BET in ask.actions:
        assert ask.wager is not None
        amount = ask.wager.minimum
        return PlaceBet(prompt=ask.prompt, amount=amount, spots=ask.spots)
    action = next(action for action in SLOWEST if action in ask.actions)
    if action is Action.INSURE:
        assert ask.wager is not None
        return Insure(prompt=ask.prompt, amount=ask.wager.minimum)
    return PLAYS[action.value](ask.prompt)


def low_cards(copies: int) -> str:
    """Return all cards of so many decks, the lowest first."""
    ranks = "A23456789TJQK"
    return " ".join(" ".join(rank + suit for suit in "cdhs" * copies) for rank in ranks)


@pytest.mark.parametrize("name", HOUSES)
def test_T6_no_round_lasts_longer_than_its_decisions(tmp_path: Path, name: str) -> None:
    house = load_house(name)
    names = NAMES[: house.max_seats]
    stack = low_cards(house.decks)
    with Rig(tmp_path, house=house, seats=house.max_seats, stack=stack) as rig:
        for each in names:
            rig.join(each)
        start, decisions = rig.clock.time, 0
        while not rig.seen(RoundEnded):
            # Each of them answers alone, in the last moment that there is.
            wake_at = rig.table.wake_at
            assert wake_at is not None
            rig.wait(wake_at - rig.clock.time - 0.001)
            seat = next(seat for seat in rig.table.context.seats if seat.ask)
            assert seat.ask is not None
            is_bet = Action.PLACE_BET in seat.ask.actions
            assert rig.answer(seat.handle, slow_answer(seat.ask)) is None
            decisions += not is_bet
        seconds = rig.clock.time - start
    most = most_decisions(house) * len(names)
    assert decisions <= most
    assert seconds <= rig.plan.pace.bet_seconds + most * 30
    print(
        f"{name}: {decisions} decisions in {seconds:.0f} s, of at most {most} in "
        f"{30 + most * 30} s"
    )
