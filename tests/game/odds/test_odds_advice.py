"""The best play in every house, against ``exact``, which follows every card."""

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from bj_game.house import House
from bj_game.strategy import basic_play
from game.exact import Exact
from game.transcript import load

PACK = [4] * 9 + [16]
RANKS = "A23456789T"

Pair = tuple[int, int]
PAIRS: list[Pair] = list(combinations_with_replacement(range(1, 11), 2))


def chosen(house: House, hand: Pair, upcard: int, legal: list[str]) -> str | None:
    """Return what the chart says to two cards."""
    cards = [RANKS[card - 1] + suit for card, suit in zip(hand, "sd", strict=True)]
    return basic_play(house, cards, RANKS[upcard - 1] + "h", legal)


@pytest.mark.parametrize("points", range(4, 21))
def test_13_7_cs1114_has_a_chart_of_its_own(points: int) -> None:
    cards = ["As"] * (points - 10) + ["Ts"] if points > 10 else ["2s", f"{points - 2}s"]
    play = basic_play(load("cs1114"), cards, None, ["hit", "stand"])
    assert play == ("hit" if points < 13 else "stand")


STIFF = [(7, 9), (6, 10), (7, 10)]
HIGH = [hand for hand in PAIRS if min(hand) > 4]
HOUSES = "iipp6 cs220 dsc20 cpsc386 vegas-strip downtown european atlantic-city"
TORTURE = pytest.mark.torture


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("name", "upcard", "hands"),
    [
        ("dsc20", 10, STIFF),
        ("iipp6", 9, STIFF),
        ("european", 10, STIFF),
        *(
            pytest.param(name, upcard, HIGH, marks=TORTURE)
            for name in HOUSES.split()
            for upcard in (7, 8, 9, 10)
        ),
        pytest.param("downtown", 4, [(1, 3)], marks=TORTURE),
        pytest.param("cpsc386", 5, [(1, 2)], marks=TORTURE),
        pytest.param("atlantic-city", 5, [(1, 2)], marks=TORTURE),
        pytest.param("european", 1, [(8, 8)], marks=TORTURE),
    ],
)
def test_13_7_the_chart_of_a_house_is_the_best_there(
    name: str, upcard: int, hands: list[Pair]
) -> None:
    house = load(name)
    exact = Exact(house, upcard)
    for hand in hands:
        worth = exact.values(*hand)
        told = chosen(house, hand, upcard, list(worth))
        loss = max(worth.values()) - worth[str(told)]
        assert loss <= 1e-12, (hand, told)


@pytest.mark.torture
def test_13_7_the_exact_figures_are_those_from_outside() -> None:
    house, worth, pack = load("iipp6"), 0.0, PACK
    for upcard in range(1, 11):
        exact = Exact(house, upcard)
        for first, second in PAIRS:
            left = list(pack)
            chance = left[upcard - 1] / 52
            left[upcard - 1] -= 1
            chance *= left[first - 1] / 51
            left[first - 1] -= 1
            chance *= left[second - 1] / 50 * (2 - (first == second))
            worth += chance * max(exact.values(first, second).values())
    assert worth == pytest.approx(-0.13077848787105165, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "hand", "upcard", "legal", "best"),
    [
        ("european", (8, 8), 1, "hit stand split", "hit"),
        ("vegas-strip", (8, 8), 1, "hit stand split", "split"),
        ("european", (5, 6), 10, "hit stand double", "hit"),
        ("european", (5, 6), 1, "hit stand double", "hit"),
        ("vegas-strip", (5, 6), 10, "hit stand double", "double"),
        ("downtown", (5, 6), 1, "hit stand double", "double"),
        ("cpsc386", (8, 8), 1, "split decline", "decline"),
        ("cpsc386", (8, 8), 6, "split decline", "split"),
        ("atlantic-city", (6, 10), 10, "hit stand double surrender", "surrender"),
        ("atlantic-city", (5, 10), 10, "hit stand double surrender", "surrender"),
        ("atlantic-city", (6, 10), 8, "hit stand double surrender", "hit"),
        ("atlantic-city", (8, 8), 10, "hit stand split surrender", "split"),
        ("dsc20", (7, 9), 10, "hit stand", "hit"),
        ("dsc20", (3, 10), 6, "hit stand", "hit"),
        ("cs1114-baby", (3, 4), 6, "stand", "stand"),
        ("vegas-strip", (6, 10), 1, "insure decline", None),
        ("vegas-strip", (6, 10), 1, "ace_high ace_low", None),
    ],
)
def test_13_7_each_house_has_its_own_answer(
    name: str, hand: Pair, upcard: int, legal: str, best: str | None
) -> None:
    assert chosen(load(name), hand, upcard, legal.split()) == best


def test_13_7_an_early_surrender_is_judged_before_the_look_for_a_blackjack() -> None:
    house = replace(load("atlantic-city"), surrender="early")
    offered = ["surrender", "decline"]
    assert chosen(house, (6, 10), 1, offered) == "surrender"
    assert chosen(house, (3, 4), 1, offered) == "surrender"
    assert chosen(house, (1, 7), 1, offered) == "decline"
    assert chosen(house, (8, 8), 1, ["insure", *offered]) == "surrender"
    assert chosen(house, (6, 10), 9, ["hit", "stand", "surrender"]) == "surrender"


def test_13_7_a_dealer_who_never_draws_and_a_split_that_never_doubles() -> None:
    house = replace(load("cs1114-baby"), hit=True)
    assert basic_play(house, ["Ts", "9d"], None, ["hit", "stand"]) == "stand"
    assert basic_play(house, ["Ts", "2d"], None, ["hit", "stand"]) == "hit"
    assert chosen(load("european"), (2, 2), 6, ["hit", "stand", "split"]) == "split"
    doubles = replace(load("european"), double_after_split=True)
    assert chosen(doubles, (3, 3), 6, ["hit", "stand", "split"]) == "split"
    assert chosen(load("cpsc386"), (1, 1), 6, ["split", "decline"]) == "split"
    assert chosen(load("dsc20"), (10, 10), 6, ["split", "decline"]) == "decline"


def test_13_7_a_card_count_that_wins_is_worth_a_hit() -> None:
    cards = ["2s", "3s", "4s", "4d"]
    legal = ["hit", "stand"]
    house = load("vegas-strip")
    assert basic_play(house, cards, "6h", legal) == "stand"
    assert basic_play(replace(house, charlie=5), cards, "6h", legal) == "hit"


def test_13_7_a_total_that_the_player_has_said_is_what_the_hand_stands_on() -> None:
    house, legal = load("cs220"), ["hit", "stand"]
    assert basic_play(house, ["As", "9d"], "6h", legal, 20) == "stand"
    assert basic_play(house, ["As", "9d"], "6h", legal, 10) == "hit"
