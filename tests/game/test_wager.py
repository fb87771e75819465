import pytest

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
