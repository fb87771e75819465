from typing import Any

import pytest

from bj_game.house import House
from bj_game.legality import bet_limits
from bj_game.play import Reason, WagerRange

LIMITS = WagerRange.within(minimum=500, funds=10_050, step=100)


@pytest.mark.parametrize(
    ("amount", "reason"),
    [
        (499, Reason.BELOW_MINIMUM),
        (0, Reason.BELOW_MINIMUM),
        (-(10**12), Reason.BELOW_MINIMUM),
        (500, None),
        (550, Reason.NOT_A_WHOLE_STEP),
        (10_000, None),
        (10_001, Reason.ABOVE_MAXIMUM),
        (10**4000, Reason.ABOVE_MAXIMUM),
    ],
)
def test_a_wager_is_a_whole_step_within_the_range(
    amount: int, reason: Reason | None
) -> None:
    assert LIMITS.why_not(amount) is reason


def test_nothing_can_be_wagered_with_less_than_the_minimum() -> None:
    assert LIMITS.is_possible
    assert not WagerRange.within(minimum=500, funds=499, step=100).is_possible


@pytest.mark.parametrize(
    ("rules", "given", "limits"),
    [
        ({}, {}, (100, 5_000, 100)),
        ({"maximum_bet": 300}, {}, (100, 300, 100)),
        ({"maximum_wager": 400}, {}, (100, 400, 100)),
        ({"minimum_bet": 500, "bet_step": 500}, {}, (500, 5_000, 500)),
        ({}, {"room": 250}, (100, 200, 100)),
        ({}, {"room": 20}, (100, 100, 100)),
        ({}, {"rung": 300}, (100, 5_000, 100)),
        ({"bet": "ladder"}, {"rung": 300}, (400, 400, 100)),
        ({"bet": "ladder"}, {}, (100, 100, 100)),
    ],
)
def test_a_bet_lies_between_the_minimum_and_all_that_limits_it(
    rules: dict[str, Any], given: dict[str, int], limits: tuple[int, int, int]
) -> None:
    house = House(name="x", title="", **rules)
    found = bet_limits(house, 5_050, **given)
    assert (found.minimum, found.maximum, found.step) == limits
