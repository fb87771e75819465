"""What may be offered to hands before their play, in houses that differ in one rule."""

from typing import Any

import pytest

from bj_game.card import CARDS
from bj_game.house import House
from bj_game.legality import has_offers

NOTHING: dict[str, Any] = {"insurance": "none", "natural": "3:2"}


@pytest.mark.parametrize(
    ("rules", "offered_against"),
    [
        ({}, ""),
        ({"even_money": True}, "A"),
        ({"surrender": "early"}, "ATJQK"),
        (
            {"surrender": "late", "hole_card": "peek", "insurance_asked": "all_first"},
            "",
        ),
        ({"insurance": "ace"}, "A"),
        ({"insurance": "ace_or_ten"}, "ATJQK"),
        ({"insurance": "ace", "surrender": "early"}, "ATJQK"),
        ({"insurance": "ace_or_ten", "even_money": True}, "ATJQK"),
    ],
)
def test_a_hand_is_offered_something_against_these_upcards_alone(
    rules: dict[str, Any], offered_against: str
) -> None:
    house = House(name="x", title="", **(NOTHING | rules))
    for rank in "A23456789TJQK":
        assert has_offers(house, CARDS[f"{rank}s"]) is (rank in offered_against), rank
