"""The dealer's ends, against figures from outside."""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, count
from random import Random

import pytest

from bj_game import odds
from bj_game.card import CARDS
from bj_game.odds.dealer import ONE, Mean, Shoe, distribution, draws_of
from bj_game.odds.position import worth_of
from bj_game.odds.ranks import RANKS, whole_shoe, without
from game.simulation import TRUTH
from game.transcript import HOUSES, load

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


@pytest.mark.parametrize("upcard", [*RANKS, None])
def test_20_1_a_shoe_that_lacks_cards_is_a_smaller_shoe(upcard: int | None) -> None:
    house = load("downtown")
    draws, counts = draws_of(house, upcard), whole_shoe(house)
    shoe = Shoe(counts, is_endless=False)
    means = {end: Mean(draws.steps(((end, 1.0),)), shoe) for end in draws.ends}
    chance = Random(upcard or 0)
    for _ in range(30):
        cards = chance.choices(RANKS, k=chance.randrange(9))
        left = without(counts, cards)
        known = distribution(house, upcard, left, is_endless=False)
        out = sum(ONE[rank] for rank in cards)
        found = {end: mean.of(out) for end, mean in means.items()}
        assert found == pytest.approx(known, abs=1e-14)


def products(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Count the products that are taken for the means of the dealer."""
    taken = count()

    def product(one: float, other: float) -> float:
        next(taken)
        return one * other

    monkeypatch.setattr(sys.modules[Mean.__module__], "mul", product)
    return taken


@pytest.mark.parametrize(
    "name",
    [
        "dsc20",
        pytest.param("cpsc386", marks=pytest.mark.torture),
        pytest.param("downtown", marks=pytest.mark.torture),
        pytest.param("vegas-strip", marks=pytest.mark.torture),
    ],
)
def test_20_1_a_house_that_was_reckoned_ahead_answers_at_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = load(name)
    worth_of.cache_clear()
    known = odds.values(house, ["2s", "2h"], "Ad")
    worth_of.cache_clear()
    assert list(odds.ahead(house))
    taken = products(monkeypatch)
    assert odds.values(house, ["2s", "2h"], "Ad") == known
    for upcard in "A23456789T":
        for first, second in combinations_with_replacement("A23456789T", 2):
            odds.values(house, [first + "s", second + "h"], upcard + "d")
    assert next(taken) == 0


@pytest.mark.parametrize("name", [path.stem for path in HOUSES.glob("*.toml")])
@pytest.mark.parametrize(("cards", "upcard"), [("22", "A"), ("22", "2"), ("AA", "2")])
def test_20_1_the_dearest_hands_take_less_than_a_million_products(
    name: str, cards: str, upcard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = products(monkeypatch)
    worth_of.cache_clear()
    house = load(name)
    shown = None if house.deal == "dealer_last" else upcard + "d"
    odds.values(house, [cards[0] + "s", cards[1] + "h"], shown)
    assert next(taken) < 1_000_000
