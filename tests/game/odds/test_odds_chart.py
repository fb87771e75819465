"""Charts, against those that are printed."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bj_game import odds
from bj_game.house import House
from bj_game.play import Play
from game.simulation import RANKS, TRUTH
from game.transcript import load

ENDLESS = replace(load("vegas-strip"), shoe="endless")

CHARTS = {
    chart["name"]: chart
    for chart in tomllib.loads((TRUTH / "chart.toml").read_text())["chart"]
}


def rows_of(rows: Mapping[Any, Mapping[str, odds.Advice]]) -> dict[Any, str]:
    return {
        name: " ".join(row[up].letters for up in odds.UPCARDS)
        for name, row in rows.items()
    }


def named(rows: Mapping[int, str]) -> dict[str, str]:
    """Return rows by the text of their total."""
    return {str(total): row for total, row in rows.items()}


@pytest.mark.torture
@pytest.mark.no_cover
@pytest.mark.parametrize("name", CHARTS)
def test_20_1_a_chart_is_the_printed_one(name: str) -> None:
    house = house_of(name)
    found, printed = odds.chart(house), printed_of(name, house)
    hard = rows_of(found.hard)
    for total in range(4, 21):
        every = "H" if total < 8 else "S"
        row = printed["hard"].get(str(total), " ".join(every * 10))
        assert hard[total] == row, total
    assert named(rows_of(found.soft)) | {"12": ""} == printed["soft"] | {"12": ""}
    assert rows_of(found.pairs) == printed["pairs"]


def house_of(name: str) -> House:
    return replace(load(CHARTS[name]["house"]), **CHARTS[name]["rules"])


def printed_of(name: str, house: House) -> dict[str, dict[str, str]]:
    """Return the rows of a printed chart, for a house that may know no surrender."""
    chart: dict[str, dict[str, str]] = {
        part: dict(CHARTS[name][part]) for part in ("hard", "soft", "pairs")
    }
    if house.surrender == "none":
        for rows in chart.values():
            for total, row in rows.items():
                rows[total] = re.sub("R(.)", lambda cell: cell[1].upper(), row)
    return chart


@pytest.mark.no_cover  # long, and other tests cover the same
@pytest.mark.parametrize("name", [name for name in CHARTS if name[:2] in ("1 ", "2 ")])
def test_20_1_hands_are_given_up_where_the_chart_says(name: str) -> None:
    house, printed = replace(house_of(name), surrender="late"), CHARTS[name]
    for up in "9TA":
        for total in (15, 16, 17):
            worths: dict[Play, float] = {}
            for low in range(total - 10, (total + 1) // 2):
                cards = [RANKS[low - 1], RANKS[total - low - 1]]
                weight = weight_of(house, cards, up)
                for play, worth in played(house, cards, up).items():
                    worths[play] = worths.get(play, 0.0) + weight * worth
            is_given_up = max(worths, key=worths.__getitem__) is Play.SURRENDER
            cell = printed["hard"][str(total)].split()[odds.UPCARDS.index(up)]
            assert is_given_up is (cell[0] == "R"), (total, up)
        for pair in ("77", "88"):
            worths = played(house, list(pair), up)
            is_given_up = max(worths, key=worths.__getitem__) is Play.SURRENDER
            cell = printed["pairs"][pair].split()[odds.UPCARDS.index(up)]
            assert is_given_up is (cell[0] == "R"), (pair, up)


def played(house: House, cards: list[str], up: str) -> dict[Play, float]:
    return odds.values(house, [rank + "s" for rank in cards], up + "h")


def weight_of(house: House, cards: list[str], up: str) -> float:
    """Return how often a hand is played against an upcard, beside other hands."""
    left = {rank: (16 if rank == "T" else 4) * house.decks for rank in RANKS}
    weight = 1.0
    left[up] -= 1
    for rank in cards:
        weight *= left[rank]
        left[rank] -= 1
    hidden = {"T": "A", "A": "T"}.get(up)
    return weight * (1 - left[hidden] / sum(left.values()) if hidden else 1)


def test_20_1_the_chart_of_an_endless_deck_is_the_published_one() -> None:
    found = odds.chart(replace(ENDLESS, surrender="late"))
    printed = CHARTS["4 to 8 decks, stands on soft 17"]
    hard = named(rows_of(found.hard))
    assert {total: hard[total] for total in printed["hard"]} == printed["hard"]
    # Two cells are otherwise: there the plays differ by less than 0.001.
    assert named(rows_of(found.soft)) | {"12": ""} == printed["soft"] | {
        "12": "",
        "13": "H H H H Dh H H H H H",
        "15": "H H H Dh Dh H H H H H",
    }
    assert rows_of(found.pairs) == printed["pairs"]
    assert found.hard[16]["T"].play is Play.SURRENDER
    assert found.hard[16]["T"].lead == pytest.approx(-0.5 + 0.539826, abs=3e-6)
    assert found.insurance == {"A": pytest.approx(-1 / 13)}
    assert list(found.hard) == sorted(found.hard)


@pytest.mark.no_cover
def test_20_1_a_whole_deck_is_worth_what_was_reckoned_outside() -> None:
    found = odds.edge(load("iipp6"))
    assert found.player == pytest.approx(-0.13077848787105165, abs=1e-12)


@pytest.mark.no_cover
def test_20_3_a_pair_that_cannot_be_split_may_overrule_its_total() -> None:
    found = odds.chart(load("iipp6"))
    assert found.hard[14]["T"].play is Play.HIT
    assert found.exceptions["77", "T"].play is Play.STAND


def test_20_1_a_chart_says_where_the_cards_overrule_the_total() -> None:
    assert odds.chart(ENDLESS).exceptions == {}
    # Nobody draws: a hand stands, or is given up for half.
    house = replace(
        load("atlantic-city"),
        decks=1,
        cut_card_min=0,
        cut_card_max=26,
        max_spots=1,
        hit=False,
        double="none",
        split="none",
        insurance="none",
        shoe="every_round",
        give_up=True,
    )
    found = odds.chart(house)
    assert not found.pairs
    assert not found.insurance
    assert found.exceptions
    for (cards, up), advice in found.exceptions.items():
        own = odds.values(house, [rank + "s" for rank in cards], up + "h")
        assert max(own, key=own.__getitem__) is advice.play
        total = sum({"A": 11, "T": 10}.get(rank) or int(rank) for rank in cards)
        row = (found.soft if "A" in cards else found.hard)[total]
        assert row[up].play is not advice.play


def test_20_1_a_dealer_without_an_upcard_has_one_column() -> None:
    found = odds.chart(load("cs1114"))
    assert {row[""].letters for total, row in found.hard.items() if total < 13} == {"H"}
    assert {row[""].letters for total, row in found.hard.items() if total > 12} == {"S"}
    assert found.soft == {}
    still = odds.chart(load("cs1114-baby"))
    assert {
        advice.letters for row in still.hard.values() for advice in row.values()
    } == {"S"}
    assert still.hard[12][""].lead == 0


def test_20_1_a_column_says_what_each_hand_brings() -> None:
    early = replace(ENDLESS, surrender="early", even_money=True)
    cells = {
        cell.ranks: cell for cell in odds.column(early, 1).cells if not cell.is_pair
    }
    assert cells[6, 10].worth == -0.5
    assert cells[1, 10].worth == 1.5 * 9 / 13
    assert cells[1, 9].worth > 0
    sixes = replace(early, natural="6:5")
    cells = {cell.ranks: cell for cell in odds.column(sixes, 1).cells}
    assert cells[1, 10].worth == 1
    assert cells[1, 10].insurance == pytest.approx(-1 / 13)
    assert sum(cell.chance for cell in odds.column(sixes, 1).cells) == pytest.approx(1)
    assert odds.column(load("cs1114"), None).cells[0].insurance is None
    by_rank = replace(ENDLESS, split="rank")
    tens = [cell for cell in odds.column(by_rank, 6).cells if cell.ranks == (10, 10)]
    assert [cell.is_pair for cell in tens] == [True, False]
    assert [cell.chance * 169 for cell in tens] == pytest.approx([4, 12])
