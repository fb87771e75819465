"""What basic strategy is worth in a casino, against figures from outside.

It must bring the published worth of perfect play.
"""

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from game.simulation import TRUTH, Estimate, basic, deal_rounds, net_of
from game.transcript import load

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

EDGES = tomllib.loads((TRUTH / "edge.toml").read_text())["edge"]


def case_of(edge: dict[str, Any], times: int) -> object:
    """Return a case; with a real pack much is to be reckoned, for torture alone."""
    is_short = times == 1 and edge.get("rules", {}).get("shoe") == "endless"
    marks = () if is_short else (pytest.mark.torture,)
    return pytest.param(edge, times, marks=marks, id=f"{edge['name']}, {times}")


@pytest.mark.parametrize(
    ("edge", "times"), [case_of(edge, times) for edge in EDGES for times in (1, 10)]
)
def test_basic_strategy_brings_what_it_must(edge: dict[str, Any], times: int) -> None:
    house = replace(load(edge["house"]), **edge.get("rules", {}))
    dealt = deal_rounds(house, [basic(house)], rounds=4000 * times, seed=times)
    worth = Estimate.of([net_of(played) for played in dealt])
    assert worth.is_near(edge["value"]), worth
