"""What each house lets a player bet: the smallest, the largest, and the step."""

from dataclasses import replace

import pytest

from bj_game.house import House
from bj_protocol.commands import PlaceBet
from bj_protocol.refusal import RefusalCode
from bj_server.settings import load_house
from support.rig import Lay

STRIP = load_house("vegas-strip")
FREE = load_house("cpsc386")


def refused(lay: Lay, house: House, amount: int) -> RefusalCode | None:
    """Return why a bet of so many cents is refused at a table of ``house``."""
    rig = lay(house=house, seats=1)
    rig.join("ned21")
    bet = PlaceBet(prompt=rig.ask("ned21").prompt, amount=amount)
    refusal = rig.answer("ned21", bet)
    return None if refusal is None else refusal.code


@pytest.mark.parametrize(
    ("house", "amount", "code"),
    [
        (STRIP, 400, RefusalCode.BELOW_MINIMUM),
        (STRIP, 500, None),
        (STRIP, 500_000, None),
        (STRIP, 500_100, RefusalCode.ABOVE_MAXIMUM),
        (STRIP, 550, RefusalCode.NOT_A_WHOLE_STEP),
        (replace(STRIP, bet_step=50), 550, None),
        (replace(STRIP, bet_step=500), 700, RefusalCode.NOT_A_WHOLE_STEP),
        (replace(STRIP, bet_step=500), 1_500, None),
        (replace(STRIP, maximum_bet=0), 1_000_000, None),
        (replace(STRIP, maximum_bet=0), 1_000_100, RefusalCode.ABOVE_MAXIMUM),
        (replace(STRIP, minimum_bet=100), 400, None),
        (FREE, 1_000_000, None),
        (replace(FREE, maximum_wager=20_000), 20_000, None),
        (replace(FREE, maximum_wager=20_000), 20_100, RefusalCode.ABOVE_MAXIMUM),
        (replace(FREE, bet="ladder"), 100, None),
        (replace(FREE, bet="ladder"), 200, RefusalCode.ABOVE_MAXIMUM),
    ],
)
def test_a_bet_is_taken_within_the_limits_of_the_house_only(
    lay: Lay, house: House, amount: int, code: RefusalCode | None
) -> None:
    assert refused(lay, house, amount) is code


@pytest.mark.parametrize(("opening", "balance"), [(10_000, 100), (1_000_000, 10_000)])
def test_a_player_starts_with_the_opening_balance(
    lay: Lay, opening: int, balance: int
) -> None:
    rig = lay(house=replace(FREE, opening_balance=opening))
    rig.join("ned21")
    assert rig.balance("ned21") == balance


def test_the_donor_lets_a_newcomer_in_who_starts_below_the_minimum(lay: Lay) -> None:
    rig = lay(house=replace(STRIP, opening_balance=400))
    rig.join("ned21")
    rig.play("ned21", "accept_gift")
    assert rig.ask("ned21").wager is not None
