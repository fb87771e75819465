import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_game.card import PACK, Card, parse_cards
from bj_game.hand import Aces, Hand, total_of


@pytest.mark.parametrize("text", ["Ks As Ad", "5s As Ad 5d", "As Ad Ah 9c"])
def test_R1_the_total_is_twelve_in_every_order(text: str) -> None:
    for cards in itertools.permutations(parse_cards(text)):
        assert str(total_of(cards)) == "12"


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=12))
def test_the_total_is_the_best_reading_of_the_aces(cards: list[Card]) -> None:
    readings = {sum(card.value for card in cards)}
    for aces in range(sum(card.is_ace for card in cards) + 1):
        readings.add(sum(card.value for card in cards) + 10 * aces)
    fitting = [reading for reading in readings if reading <= 21]
    best = max(fitting) if fitting else min(readings)
    assert total_of(cards).points == best


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=12))
def test_a_soft_total_never_busts_with_one_more_card(cards: list[Card]) -> None:
    if total_of(cards).soft:
        for card in PACK:
            assert total_of([*cards, card]).points <= 21


def test_only_an_ace_and_a_ten_as_dealt_are_a_natural() -> None:
    assert Hand(cards=list(parse_cards("As Kd"))).is_natural
    assert not Hand(cards=list(parse_cards("As Kd")), is_split=True).is_natural
    assert not Hand(cards=list(parse_cards("7s 7d 7h"))).is_natural
    assert not Hand(cards=list(parse_cards("As 9d"))).is_natural


def test_a_pair_is_two_cards_of_identical_rank() -> None:
    assert Hand(cards=list(parse_cards("Ts Td"))).is_pair
    assert not Hand(cards=list(parse_cards("Ts Kd"))).is_pair
    assert not Hand(cards=list(parse_cards("Ts Td Th"))).is_pair


def test_dsc20_08_a_hand_that_must_bust_scores_nearest_to_21() -> None:
    assert str(total_of(parse_cards("Js Td As Ad"))) == "22"
    assert str(total_of(parse_cards("As Ad"))) == "soft 12"


@pytest.mark.parametrize(
    ("cards", "aces", "first", "second"),
    [
        ("8s 8d", Aces.BEST, "8", "8"),
        ("9s 5d", Aces.BEST, "9", "5"),
        ("5s Ad", Aces.BEST, "5", "soft 11"),
        ("As 5d", Aces.BEST, "soft 11", "5"),
        ("As Ad", Aces.ELEVEN, "11", "11"),
        ("As Ad", Aces.ONE, "1", "1"),
    ],
)
def test_each_half_of_a_split_hand_counts_its_own_card(
    cards: str, aces: Aces, first: str, second: str
) -> None:
    hand = Hand(cards=list(parse_cards(cards)), spot=1, stake=500, aces=aces)
    half = hand.split(1)
    assert (str(hand.total), str(half.total)) == (first, second)
    assert (half.spot, half.stake, half.is_split, hand.is_split) == (1, 500, True, True)


def test_aces_can_be_fixed() -> None:
    cards = parse_cards("As Ad 5h")
    assert str(total_of(cards, Aces.ONE)) == "7"
    assert str(total_of(cards, Aces.ELEVEN)) == "27"
