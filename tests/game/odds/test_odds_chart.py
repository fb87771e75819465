"""Charts, against those that are printed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bj_game import odds
from bj_game.play import Play
from game.transcript import load

ENDLESS = replace(load("vegas-strip"), shoe="endless")

# https://wizardofodds.com/games/blackjack/strategy/4-decks/, the dealer standing on
# soft 17, doubling after a split, late surrender; upcards 2 to 9, 10 and ace.
HARD = {
    8: "H H H H H H H H H H",
    9: "H Dh Dh Dh Dh H H H H H",
    10: "Dh Dh Dh Dh Dh Dh Dh Dh H H",
    11: "Dh Dh Dh Dh Dh Dh Dh Dh Dh H",
    12: "H H S S S H H H H H",
    13: "S S S S S H H H H H",
    14: "S S S S S H H H H H",
    15: "S S S S S H H H Rh H",
    16: "S S S S S H H Rh Rh Rh",
    17: "S S S S S S S S S S",
}
SOFT = {
    13: "H H H Dh Dh H H H H H",
    14: "H H H Dh Dh H H H H H",
    15: "H H Dh Dh Dh H H H H H",
    16: "H H Dh Dh Dh H H H H H",
    17: "H Dh Dh Dh Dh H H H H H",
    18: "S Ds Ds Ds Ds S S H H H",
    19: "S S S S S S S S S S",
    20: "S S S S S S S S S S",
}
PAIRS = {
    "22": "P P P P P P H H H H",
    "33": "P P P P P P H H H H",
    "44": "H H H P P H H H H H",
    "55": "Dh Dh Dh Dh Dh Dh Dh Dh H H",
    "66": "P P P P P H H H H H",
    "77": "P P P P P P H H H H",
    "88": "P P P P P P P P P P",
    "99": "P P P P P S P P S S",
    "TT": "S S S S S S S S S S",
    "AA": "P P P P P P P P P P",
}


def rows_of(rows: Mapping[Any, Mapping[str, odds.Advice]]) -> dict[Any, str]:
    return {
        name: " ".join(row[up].letters for up in odds.UPCARDS)
        for name, row in rows.items()
    }


@pytest.mark.torture
@pytest.mark.no_cover
def test_20_1_the_chart_of_many_decks_is_the_printed_one() -> None:
    found = odds.chart(load("atlantic-city"))
    hard = rows_of(found.hard)
    assert {total: hard[total] for total in HARD} == HARD
    assert rows_of(found.soft) | {12: ""} == SOFT | {12: ""}
    assert rows_of(found.pairs) == PAIRS


def changed(rows: dict[Any, str], name: object, **cells: str) -> None:
    """Write other letters into a row: ``up_2`` to ``up_A``."""
    letters = dict(zip(odds.UPCARDS, rows[name].split(), strict=True))
    letters |= {up.removeprefix("up_"): cell for up, cell in cells.items()}
    rows[name] = " ".join(letters.values())


@pytest.mark.torture
@pytest.mark.no_cover
def test_20_1_the_chart_of_many_decks_that_hit_soft_17_is_the_printed_one() -> None:
    found = odds.chart(replace(load("atlantic-city"), hit_soft_17=True))
    hard, soft, pairs = dict(HARD), dict(SOFT), dict(PAIRS)
    changed(hard, 11, up_A="Dh")
    changed(hard, 15, up_A="Rh")
    changed(hard, 17, up_A="Rs")
    changed(soft, 18, up_2="Ds")
    changed(soft, 19, up_6="Ds")
    changed(pairs, "88", up_A="Rp")
    rows = rows_of(found.hard)
    assert {total: rows[total] for total in HARD} == hard
    assert rows_of(found.soft) | {12: ""} == soft | {12: ""}
    assert rows_of(found.pairs) == pairs


@pytest.mark.torture
@pytest.mark.no_cover
def test_20_1_the_chart_without_a_hole_card_is_the_printed_one() -> None:
    found = odds.chart(load("european"))
    # Doubled are hard 9 to 11 only, nothing after a split, and nobody surrenders.
    hard = {total: row.replace("Rh", "H") for total, row in HARD.items()}
    changed(hard, 11, up_T="H")
    soft = {total: row.replace("Dh", "H") for total, row in SOFT.items()}
    changed(soft, 18, up_3="S", up_4="S", up_5="S", up_6="S")
    pairs = dict(PAIRS)
    for name in ("22", "33"):
        changed(pairs, name, up_2="H", up_3="H")
    changed(pairs, "44", up_5="H", up_6="H")
    changed(pairs, "66", up_2="H")
    changed(pairs, "88", up_T="H", up_A="H")
    changed(pairs, "AA", up_A="H")
    rows = rows_of(found.hard)
    assert {total: rows[total] for total in HARD} == hard
    assert rows_of(found.soft) | {12: ""} == soft | {12: ""}
    assert rows_of(found.pairs) == pairs


def test_20_1_the_chart_of_an_endless_deck_is_the_published_one() -> None:
    found = odds.chart(replace(ENDLESS, surrender="late"))
    hard = rows_of(found.hard)
    assert {total: hard[total] for total in HARD} == HARD
    # Two cells are otherwise: there the plays differ by less than 0.001.
    assert rows_of(found.soft) | {12: ""} == SOFT | {
        12: "",
        13: "H H H H Dh H H H H H",
        15: "H H H Dh Dh H H H H H",
    }
    assert rows_of(found.pairs) == PAIRS
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
