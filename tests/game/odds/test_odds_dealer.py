"""The dealer's ends, against figures from outside."""

import tomllib
from dataclasses import replace

import pytest

from bj_game import odds
from bj_game.card import CARDS
from game.simulation import TRUTH
from game.transcript import load

FIGURES = tomllib.loads((TRUTH / "dealer.toml").read_text())
ENDS = (17, 18, 19, 20, 21, odds.BUST, odds.BLACKJACK)
SHOES = {
    "endless": {"shoe": "endless"},
    "1 deck": {"decks": 1, "cut_card_min": 0, "cut_card_max": 26, "max_spots": 1},
    "6 decks": {"decks": 6},
    "8 decks": {"decks": 8},
}
EXACT = [
    (shoe, upcard)
    for shoe, rows in FIGURES["exact"].items()
    for upcard in rows
    if upcard != "All" and shoe in SHOES
]


def ends_of(shoe: str, upcard: str) -> list[float]:
    house = replace(load("vegas-strip"), **SHOES[shoe])  # type: ignore[arg-type]
    found = odds.dealer(house, upcard.replace("10", "T") + "h")
    return [found.get(end, 0.0) for end in ENDS]


@pytest.mark.parametrize(("shoe", "upcard"), EXACT)
def test_20_1_the_dealer_ends_as_often_as_reckoned_outside(
    shoe: str, upcard: str
) -> None:
    known = FIGURES["exact"][shoe][upcard]
    assert ends_of(shoe, upcard) == pytest.approx(known, abs=1e-12)


def test_20_1_a_dealer_who_has_looked_has_no_blackjack() -> None:
    house = load("vegas-strip")
    before = odds.dealer(house, "Ah")
    after = odds.dealer(house, "Ah", no_blackjack=True)
    assert odds.BLACKJACK not in after
    assert sum(after.values()) == pytest.approx(1)
    clear = 1 - before[odds.BLACKJACK]
    assert after[20] == pytest.approx(before[20] / clear)


def test_20_1_the_dealer_draws_from_what_is_left() -> None:
    house = load("vegas-strip")
    found = odds.dealer(house, "6h", [0] * 9 + [30])
    assert found[odds.BUST] == 1
    assert sum(found.values()) == 1


def test_20_1_a_dealer_may_come_last_and_draw_nothing() -> None:
    found = odds.dealer(load("cs1114-baby"), None)
    assert found[20] == pytest.approx((4 / 13) ** 2)
    assert found[2] == pytest.approx((1 / 13) ** 2)
    assert set(found) == set(range(2, 21))


def test_20_1_the_shares_of_the_ends_do_not_hang_on_the_suit() -> None:
    house = load("downtown")
    columns = {tuple(odds.dealer(house, card).values()) for card in CARDS}
    assert len(columns) == 10
