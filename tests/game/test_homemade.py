from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_game.shuffle import modified_overhand, mongean


@pytest.mark.parametrize(
    ("cards", "number", "first"),
    [
        ([1, 2, 3, 4, 5], 2, [2, 3]),
        ([1, 2, 3, 4, 5, 6], 3, [2, 3, 4]),
        ([1, 2, 3, 4, 5], 3, [2, 3, 4]),
        ([1, 2, 3, 4], 2, [2, 3]),
        ([1, 2, 3, 4], 1, [2]),
        ([1, 2, 3], 1, [2]),
    ],
)
def test_dsc20_03_the_overhand_takes_the_middle_as_the_text_says(
    cards: list[int], number: int, first: list[int]
) -> None:
    rest = [card for card in cards if card not in first]
    then = modified_overhand(first + rest, number - 1)
    assert modified_overhand(cards, number) == then


def test_dsc20_03_the_overhand_of_none_changes_nothing() -> None:
    assert modified_overhand([1, 2, 3], 0) == [1, 2, 3]


def test_the_overhand_cannot_take_more_than_there_is() -> None:
    with pytest.raises(ValueError, match="4 cards cannot be taken from 3"):
        modified_overhand([1, 2, 3], 4)


def test_dsc20_03_the_mongean_lays_cards_above_and_below_in_turn() -> None:
    pile: list[int] = []
    for place, card in enumerate(range(52)):
        pile = [card, *pile] if place % 2 else [*pile, card]
    assert mongean(range(52)) == pile


@given(st.lists(st.integers(), max_size=60), st.integers(0, 5))
def test_homemade_shuffles_keep_every_card(cards: list[int], number: int) -> None:
    taken = min(number, len(cards))
    assert Counter(modified_overhand(cards, taken)) == Counter(cards)
    assert Counter(mongean(cards)) == Counter(cards)
