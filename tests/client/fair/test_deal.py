"""Bets of a server that makes things up: they are findings, and stop nothing."""

import pytest

from bj_client.fair.deal import Bet, Deal
from bj_protocol.events import RoundBegan


@pytest.mark.parametrize(("amount", "balance"), [(-5, 100), (0, 100), (100, -1)])
def test_13_7_a_bet_that_cannot_be_is_a_finding(amount: int, balance: int) -> None:
    bets = {1: Bet(amount=amount, balance=balance, spots=1)}
    deal, findings = Deal.of(RoundBegan(round=3, seats=(1,)), bets, None)
    assert [finding.what.split(":")[0] for finding in findings] == [
        "a bet is none that can be"
    ]
    assert not deal.is_whole


def test_13_7_a_round_of_nobody_is_a_finding() -> None:
    deal, findings = Deal.of(RoundBegan(round=3, seats=()), {}, None)
    assert len(findings) == 1
    assert not deal.is_whole
