"""Whole houses against figures from outside: play many rounds, and count.

The figures stand in ``truth/``, with where they come from. Each simulation has a fixed
seed and stays inside four standard errors; ``make torture`` plays a hundred times as
many rounds.
"""

import tomllib
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bj_game.house import House
from game.simulation import (
    TRUTH,
    Estimate,
    Strategy,
    basic,
    deal_rounds,
    net_of,
    outcome_of,
    stand_on,
)
from game.transcript import load

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

SCHOOL = tomllib.loads((TRUTH / "school.toml").read_text())
DEALER = tomllib.loads((TRUTH / "dealer.toml").read_text())
NATURAL = tomllib.loads((TRUTH / "natural.toml").read_text())

TORTURE = pytest.mark.torture
TIMES = pytest.mark.parametrize("times", [1, pytest.param(200, marks=TORTURE)])


def strategy_of(name: str, house: House) -> Strategy:
    """Return the strategy that a figure is for."""
    if name == "chart":
        return basic(house)
    hard, _, soft = name.partition("/")
    return stand_on(int(hard), int(soft) if soft else None)


@TIMES
@pytest.mark.parametrize(
    ("house", "figures", "names"),
    [
        ("cpsc386", "cpsc386", "13 14 17"),
        ("cs220", "iipp6", "13 15 17 19"),
        ("iipp6", "iipp6", "12 14 17 12/18"),
        ("dsc20", "dsc20", "4 8 14 17"),
        ("cs1114", "cs1114", "12 13 15 17"),
        ("cs1114-baby", "cs1114-baby", "4"),
        pytest.param("cpsc386", "cpsc386", "12 15 16 18 chart", marks=TORTURE),
        pytest.param("cs220", "iipp6", "12 14 16 12/18", marks=TORTURE),
        pytest.param("iipp6", "iipp6", "13 15 16 18", marks=TORTURE),
        pytest.param("iipp6", "iipp6", "19 20 21 17/18 17/19", marks=TORTURE),
        pytest.param("dsc20", "dsc20", "7 9 10 11 12", marks=TORTURE),
        pytest.param("dsc20", "dsc20", "13 15 16 18 19 20 21", marks=TORTURE),
        pytest.param("cs1114", "cs1114", "14 16 18 19 20 21", marks=TORTURE),
    ],
)
def test_a_school_wins_as_often_as_it_must(
    house: str, figures: str, names: str, times: int
) -> None:
    chosen, wins, pushes = names.split(), Counter[str](), Counter[str]()
    rules = replace(load(house), split="none", double="none")
    rounds = 1000 * times
    strategies = [strategy_of(name, rules) for name in chosen]
    for played in deal_rounds(rules, strategies, rounds=rounds, seed=times):
        for seat, name in enumerate(chosen, start=1):
            net = net_of(played, seat)
            wins[name] += net > 0
            pushes[name] += net == 0
    for name in chosen:
        win, push = SCHOOL[figures][name]
        # What wins most money is not what wins most rounds: it pushes more.
        below = 0.001 if name == "chart" else 0.0
        won = Estimate.of_share(wins[name], rounds, win)
        assert won.is_near(win, below=below), name
        pushed = Estimate.of_share(pushes[name], rounds, push)
        assert pushed.is_near(push, below=below), name


@TIMES
@pytest.mark.parametrize(
    ("name", "pack", "rules"),
    [
        ("cpsc386", "8 decks", {}),
        ("atlantic-city", "8 decks", {}),
        ("european", "6 decks", {}),
        ("vegas-strip", "endless", {"shoe": "endless"}),
        ("downtown", "1 deck", {"hit_soft_17": False, "decks": 1, "cut_card_max": 26}),
    ],
)
def test_a_casino_deals_as_it_must(
    name: str, pack: str, rules: dict[str, Any], times: int
) -> None:
    # Else the dealer would not draw to a player's natural.
    house = replace(load(name), dealer_draws="always", **rules)
    rounds, ends, naturals = 2000 * times, Counter[tuple[str, int]](), Counter[str]()
    for played in deal_rounds(house, [stand_on(4)], rounds=rounds, seed=times):
        upcard = played.dealer.cards[0]
        row = "A" if upcard.is_ace else str(upcard.value)
        ends[row, outcome_of(played)] += 1
        natural = played.players[0].hands[0].is_natural
        naturals["P_player_natural"] += natural
        naturals["P_both_natural"] += natural and played.dealer.is_natural
    figures = (DEALER["exact"] | DEALER["printed"])[pack]
    for row in figures:
        total = sum(ends[row, outcome] for outcome in range(7)) or rounds
        for outcome, expected in enumerate(figures[row]):
            count = ends[row, outcome]
            if row == "All":
                count = sum(ends[up, outcome] for up in figures if up != "All")
            share = Estimate.of_share(count, total, expected)
            assert share.is_near(expected), (row, outcome)
    for key, count in naturals.items():
        if pack != "endless":
            expected = NATURAL[pack.split()[0]][key]
            assert Estimate.of_share(count, rounds, expected).is_near(expected), key
