"""A position is never worth more when something is forbidden."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bj_game import odds
from bj_game.house import House
from game.simulation import RANKS
from game.transcript import load

ENDLESS = replace(load("vegas-strip"), shoe="endless")
STEPS: dict[str, list[Any]] = {
    "double": ["any_two", "9-11", "10-11", "none"],
    "double_after_split": [True, False],
    "split": ["value", "none"],
    "max_hands": [4, 3, 2],
    "resplit_aces": [True, False],
    "one_card_on_split_aces": [False, True],
    "surrender": ["late", "none"],
    "charlie": [5, 6, 0],
}
"""Rules, each from what allows most to what allows least."""

HOUSES = st.fixed_dictionaries({key: st.sampled_from(STEPS[key]) for key in STEPS})
TABLES = st.fixed_dictionaries(
    {
        "hit_soft_17": st.booleans(),
        "natural": st.sampled_from(["1:1", "6:5", "3:2"]),
        "tie": st.sampled_from(["push", "dealer"]),
        "both_bust": st.sampled_from(["lose", "push"]),
    }
)
CARD = st.sampled_from(RANKS)


def best(house: House, cards: str, up: str, counts: list[int] | None = None) -> float:
    shown = [rank + suit for rank, suit in zip(cards, "sd", strict=True)]
    return max(odds.values(house, shown, up + "h", counts).values())


def stricter(rules: dict[str, Any], key: str) -> dict[str, Any] | None:
    """Return the rules with one of them a step stricter; None if it is at its end."""
    steps = STEPS[key]
    place = steps.index(rules[key]) + 1
    return None if place == len(steps) else rules | {key: steps[place]}


@pytest.mark.no_cover  # the same lines, over and over
@settings(max_examples=60)
@given(rules=HOUSES, table=TABLES, first=CARD, second=CARD, up=CARD)
def test_20_1_what_is_forbidden_is_never_a_gain(
    rules: dict[str, Any], table: dict[str, Any], first: str, second: str, up: str
) -> None:
    ours = replace(ENDLESS, **table)
    free = best(replace(ours, **rules), first + second, up)
    for key in STEPS:
        narrow = stricter(rules, key)
        if narrow is not None:
            worth = best(replace(ours, **narrow), first + second, up)
            assert worth <= free + 1e-12, key


@pytest.mark.no_cover  # the same lines, over and over
@settings(max_examples=25)
@given(
    rules=HOUSES,
    key=st.sampled_from(sorted(STEPS)),
    counts=st.lists(st.integers(3, 9), min_size=10, max_size=10),
    first=CARD,
    second=CARD,
    up=st.sampled_from("789T"),
)
def test_20_1_what_is_forbidden_is_no_gain_whatever_is_left(
    rules: dict[str, Any],
    key: str,
    counts: list[int],
    first: str,
    second: str,
    up: str,
) -> None:
    house = replace(load("vegas-strip"), **rules)
    narrow = stricter(rules, key)
    if narrow is not None:
        free = best(house, first + second, up, counts)
        assert best(replace(house, **narrow), first + second, up, counts) <= free + 1e-9
