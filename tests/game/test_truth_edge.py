"""What basic strategy is worth in a casino, against figures from outside.

The chart must bring the published worth of perfect play, or a stated little less.
"""

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from game.simulation import TRUTH, Estimate, deal_rounds, net_of, play_basic
from game.transcript import load

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

EDGES = tomllib.loads((TRUTH / "edge.toml").read_text())["edge"]


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge["name"])
@pytest.mark.parametrize("times", [1, pytest.param(100, marks=pytest.mark.torture)])
def test_basic_strategy_brings_what_it_must(edge: dict[str, Any], times: int) -> None:
    house = replace(load(edge["house"]), **edge.get("rules", {}))
    dealt = deal_rounds(house, [play_basic], rounds=4000 * times, seed=times)
    worth = Estimate.of([net_of(played) for played in dealt])
    assert worth.is_near(edge["value"], below=edge["chart"]), worth
