"""The edge of whole games, against figures from outside."""

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from bj_game import odds
from game.simulation import TRUTH
from game.transcript import load

EDGES = tomllib.loads((TRUTH / "edge.toml").read_text())["edge"]
SCHOOL = tomllib.loads((TRUTH / "school.toml").read_text())


def test_20_1_the_endless_game_is_worth_what_is_published() -> None:
    house = replace(load("vegas-strip"), shoe="endless")
    assert odds.edge(house).player == pytest.approx(-0.00511734, abs=1e-8)


def test_20_1_cs1114_is_won_as_often_as_it_can_be() -> None:
    win, _ = SCHOOL["cs1114"]["13"]
    found = odds.edge(load("cs1114"))
    assert found.player == pytest.approx(2 * win - 1, abs=1e-9)
    assert found.by_upcard == {None: found.player}


@pytest.mark.torture
@pytest.mark.no_cover
@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: str(edge["name"]))
def test_20_1_a_casino_is_worth_what_is_published(edge: dict[str, Any]) -> None:
    house = replace(load(edge["house"]), **edge.get("rules", {}))
    # The published program forgets what the other halves of a split got.
    assert odds.edge(house).player == pytest.approx(edge["value"], abs=1e-5)
