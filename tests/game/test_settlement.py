from typing import Any

import pytest

from bj_game.card import parse_cards
from bj_game.hand import Hand, HandState, Outcome, SettleReason
from bj_game.house import House
from bj_game.settlement import settle_hand, settle_insurance

CASINO: dict[str, Any] = {"natural": "3:2", "insurance_pays": "2:1"}


def house(**rules: Any) -> House:
    return House(name="x", title="", **(CASINO | rules))


def hand(cards: str, stake: int = 0) -> Hand:
    return Hand(cards=list(parse_cards(cards)), stake=stake)


@pytest.mark.parametrize(
    ("natural", "stake", "payout"),
    [("3:2", 5, 12), ("3:2", 1, 2), ("6:5", 4, 8), ("6:5", 9, 19), ("1:1", 7, 14)],
)
def test_an_odd_payout_is_rounded_down_to_the_cent(
    natural: str, stake: int, payout: int
) -> None:
    result = settle_hand(house(natural=natural), hand("As Ks", stake), hand("Ts 7s"))
    assert result == (Outcome.WIN, SettleReason.NATURAL, payout)


def test_half_of_an_odd_stake_is_rounded_down_to_the_cent() -> None:
    given_up = hand("Ts 6s", 7)
    given_up.state = HandState.SURRENDERED
    result = settle_hand(house(), given_up, hand("Ts 7s"))
    assert result == (Outcome.LOSE, SettleReason.SURRENDERED, 3)


def test_an_insurance_pays_its_odds_on_its_own_stake_alone() -> None:
    blackjack, other = hand("As Ks"), hand("As 9s")
    assert settle_insurance(house(), 30, blackjack) == (Outcome.WIN, 90)
    even = house(insurance_pays="1:1")
    assert settle_insurance(even, 30, blackjack) == (Outcome.WIN, 60)
    assert settle_insurance(house(), 30, other) == (Outcome.LOSE, 0)


@pytest.mark.parametrize(
    ("rules", "cards", "dealer", "reason"),
    [
        ({}, "Ts 2s", "Td 6s 6h", SettleReason.DEALER_BUSTED),
        ({}, "Ts 9s 3s", "Td 6s 6h", SettleReason.BUSTED),
        ({"both_bust": "push"}, "Ts 9s 3s", "Td 6s 6h", SettleReason.BOTH_BUSTED),
        ({"both_bust": "push"}, "Ts 9s 3s", "Td 6s 5h", SettleReason.BUSTED),
        ({}, "7s 7h 7d", "As Ks", SettleReason.TWENTY_ONE_TIES_BLACKJACK),
        ({"natural": "plain"}, "7s 7h 7d", "As Ks", SettleReason.SAME_TOTAL),
        ({"natural": "plain"}, "Ts 9d", "As Ks", SettleReason.LOWER_TOTAL),
    ],
)
def test_a_point_over_21_decides(
    rules: dict[str, Any], cards: str, dealer: str, reason: SettleReason
) -> None:
    played = house(insurance="none", dealer_draws="always", **rules)
    assert settle_hand(played, hand(cards), hand(dealer))[1] is reason
