"""The spread of a round: its mean is the edge, and its deviation that of real play."""

import math
from dataclasses import replace
from typing import Any

import pytest

from bj_game.odds import edge
from bj_game.odds.spread import spread
from game.transcript import load

STRIP = replace(load("vegas-strip"), shoe="endless")
EUROPEAN = replace(load("european"), shoe="endless")


_RULES: tuple[dict[str, Any], ...] = (
    {"surrender": "late"},
    {"surrender": "early"},
    {"split": "none", "double": "none"},
)
_AGAIN: tuple[dict[str, Any], ...] = (
    {},
    {"natural": "6:5", "hit_soft_17": True},
    {"charlie": 5},
    {"resplit_aces": True, "one_card_on_split_aces": False},
    {"double": "10-11", "double_after_split": False},
    {"tie": "dealer"},
    {"hit": False, "double": "none"},
)
"""Rules whose lines the others cover: to trace them only takes time."""


@pytest.mark.parametrize(
    "rules",
    [*_RULES, *(pytest.param(rules, marks=pytest.mark.no_cover) for rules in _AGAIN)],
)
def test_with_an_endless_shoe_the_mean_is_the_edge(rules: dict[str, Any]) -> None:
    house = replace(STRIP, **rules)
    assert spread(house).mean == pytest.approx(edge(house).player, abs=1e-9)


def test_it_is_the_edge_without_a_look_and_without_an_upcard_too() -> None:
    for house in (EUROPEAN, load("cs1114"), load("cs1114-baby")):
        assert spread(house).mean == pytest.approx(edge(house).player, abs=1e-9)


def test_where_all_is_won_or_lost_the_deviation_follows_from_the_mean() -> None:
    found = spread(load("cs1114"))
    assert found.deviation == pytest.approx(math.sqrt(1 - found.mean**2))


def test_the_deviation_of_a_whole_game_is_the_one_that_is_known() -> None:
    # 1.147 is published for a full game with doubles and splits.
    assert spread(STRIP).deviation == pytest.approx(1.147, abs=0.02)
