"""Bets of a server that makes things up: they are findings, and stop nothing."""

import pytest

from bj_client.fair.deal import Deal
from bj_client.fair.finding import RefutedError
from bj_protocol.events import BetPlaced, RoundBegan


@pytest.mark.parametrize(("amount", "balance"), [(-5, 100), (0, 100), (100, -1)])
def test_13_7_a_bet_that_cannot_be_is_a_finding(amount: int, balance: int) -> None:
    bets = {1: BetPlaced(seat=1, amount=amount, balance=balance)}
    with pytest.raises(RefutedError, match="a bet is none that can be"):
        Deal.of(RoundBegan(round=3, seats=(1,)), bets, None)


def test_13_7_a_round_of_nobody_is_a_finding() -> None:
    with pytest.raises(RefutedError, match="not those that have bet"):
        Deal.of(RoundBegan(round=3, seats=()), {}, None)
