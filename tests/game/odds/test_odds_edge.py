"""The edge of whole games, against figures from outside."""

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from bj_game import odds
from game.published_split import published_edge, published_split
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
    # The published program reckons splits otherwise.
    assert odds.edge(house).player == pytest.approx(edge["value"], abs=1e-5)
    if "undoubled" in edge:
        printed = 1e-7 if house.hole_card == "none" else 5e-7
        assert published_edge(house) == pytest.approx(edge["value"], abs=printed)
        found = published_edge(house, doubled=False)
        assert found == pytest.approx(edge["undoubled"], abs=printed)


@pytest.mark.no_cover  # long, and other tests cover the same
@pytest.mark.parametrize(
    ("rank", "upcard", "undoubled", "doubled"),
    [
        (8, 9, -0.427146, -0.401442),
        (9, 2, 0.175980, 0.211065),
        (2, 7, -0.050453, 0.016482),
        (1, 1, 0.223931, 0.223931),
    ],
)
def test_20_1_a_split_of_one_deck_is_worth_what_is_published(
    rank: int, upcard: int, undoubled: float, doubled: float
) -> None:
    one = replace(
        load("vegas-strip"), decks=1, cut_card_min=0, cut_card_max=26, max_spots=1
    )
    found = [published_split(one, rank, upcard, doubled=may) for may in (False, True)]
    assert found == pytest.approx([undoubled, doubled], abs=2e-6)
