"""Every value of every rule is told in a round that is named after it."""

from dataclasses import replace
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from bj_game.house import House
from game.transcript import load, read_all

AT_THE_TABLE = {"shoe", "bet", "hints"}
"""Rules around rounds: test_shoe.py, test_house.py and tests/server/table have them."""


def settings() -> list[tuple[str, object]]:
    """Return every rule with each of its values, where those are few."""
    found: list[tuple[str, object]] = []
    for key, rule in get_type_hints(House).items():
        values = get_args(rule) if get_origin(rule) is Literal else ()
        values = (True, False) if rule is bool else values
        if key not in AT_THE_TABLE:
            found += [(key, value) for value in values]
    return found


@pytest.mark.parametrize(("key", "value"), settings())
def test_a_round_is_named_after_the_rule_and_played_by_it(
    key: str, value: object
) -> None:
    name = f"{key} {str(value).lower()}"
    told = [transcript for transcript in read_all() if transcript.name.startswith(name)]
    houses = [replace(load(round.house), **round.rules) for round in told]
    assert any(getattr(house, key) == value for house in houses), name
