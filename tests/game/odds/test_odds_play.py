"""What rounds bring that the engine deals, against what is reckoned."""

from dataclasses import replace

import pytest

from bj_game import odds
from game.simulation import Estimate, basic, deal_rounds, net_of
from game.transcript import load

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

HOUSES = (
    "cs1114",
    "cs1114-baby",
    "cs220",
    "dsc20",
    "iipp6",
    "cpsc386",
    "vegas-strip",
    "downtown",
    "european",
    "atlantic-city",
)


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("cs1114", 2000),
        ("cs1114-baby", 2000),
        *(pytest.param(name, 8_000, marks=pytest.mark.torture) for name in HOUSES),
    ],
)
def test_20_1_a_house_brings_what_it_is_worth(name: str, rounds: int) -> None:
    house = load(name)
    dealt = deal_rounds(house, [basic(house)], rounds=rounds, seed=20)
    worth = Estimate.of([net_of(played) for played in dealt])
    assert worth.is_near(odds.edge(house).player), worth


def test_20_1_an_endless_casino_brings_what_it_is_worth() -> None:
    house = replace(load("vegas-strip"), shoe="endless")
    dealt = deal_rounds(house, [basic(house)], rounds=3000, seed=20)
    worth = Estimate.of([net_of(played) for played in dealt])
    assert worth.is_near(odds.edge(house).player), worth
