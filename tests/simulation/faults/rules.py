"""Faults of the rules, which server and client have in common: the reference sees them.

It knows nothing of the engine, and settles each round that was told once more.
"""

import pytest

from bj_game import settlement
from bj_game.hand import Outcome, SettleReason
from bj_game.round import Round


def pay_even_money_for_a_natural(patch: pytest.MonkeyPatch) -> None:
    """Pay a natural as any other hand that wins."""
    for odds in ("3:2", "6:5"):
        patch.setitem(settlement._ODDS, odds, (1, 1))


def pay_insurance_twice(patch: pytest.MonkeyPatch) -> None:
    """Pay double what an insurance brings."""
    patch.setitem(settlement._ODDS, "1:1", (2, 1))
    patch.setitem(settlement._ODDS, "2:1", (4, 1))


def let_the_house_take_ties(patch: pytest.MonkeyPatch) -> None:
    """Have a tie lose where it pushes."""
    patch.setitem(settlement._ENDS, SettleReason.SAME_TOTAL, (Outcome.LOSE, 0))


def return_the_stake_of_a_bust_hand(patch: pytest.MonkeyPatch) -> None:
    """Have a bust hand push."""
    patch.setitem(settlement._ENDS, SettleReason.BUSTED, (Outcome.PUSH, 2))


def stand_on_16(patch: pytest.MonkeyPatch) -> None:
    """Have the dealer stand too soon."""
    honest = Round._is_short
    patch.setattr(
        Round,
        "_is_short",
        lambda played: played.dealer.total.points < 16 and honest(played),
    )
