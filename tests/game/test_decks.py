from collections import Counter
from typing import Any

import pytest

from bj_game.card import PACK
from bj_game.house import House
from bj_game.shoe import fill_shoe
from bj_game.shuffle import NumberedStream


@pytest.mark.parametrize("shoe", ["cut_card", "every_round"])
@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shoe_has_every_card_once_a_deck(decks: int, shoe: str) -> None:
    rules: dict[str, Any] = {"decks": decks, "shoe": shoe}
    house = House(name="x", title="", cut_card_min=10, cut_card_max=20, **rules)
    filled = fill_shoe(house, NumberedStream(decks))
    assert Counter(filled.order) == dict.fromkeys(PACK, decks)


@pytest.mark.parametrize(("lowest", "highest"), [(0, 0), (7, 7), (20, 26)])
def test_the_cut_card_lies_anywhere_in_its_band(lowest: int, highest: int) -> None:
    house = House(
        name="x", title="", decks=1, cut_card_min=lowest, cut_card_max=highest
    )
    places = {
        52 - (fill_shoe(house, NumberedStream(seed)).until_cut or 0)
        for seed in range(100)
    }
    assert places == set(range(lowest, highest + 1))
