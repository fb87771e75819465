"""A player looks back at rounds of a neighbour who lacks money for what is offered."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bj_protocol.action import Action
from bj_protocol.commands import PlaceBet
from bj_protocol.events import CardDealt
from bj_server.settings import load_house
from bj_server.table.inbox import Give
from bj_server.table.playing import Playing
from support.company import Company, repeatable
from support.evening import Done
from support.gambler import legal_answer

_LEFT = (0, 200, 2_000, 6_000)
"""Cents that the neighbour keeps: for no question, for insurance alone, for both."""


def _bet(rig: Company, handle: str, left: int) -> None:
    """Bet all but so many cents, or as much as the neighbour does."""
    spots = min(2, rig.ask(handle).spots)
    amount = (rig.bank.balance("ned21") - left) // spots
    bet = PlaceBet(prompt=rig.ask(handle).prompt, amount=amount, spots=spots)
    assert rig.answer(handle, bet) is None


def look_back(folder: Path, house_name: str, seed: int, **rules: str) -> bool:
    """Play a round of which lia9 misses the end; tell if the dealer had an ace or ten.

    The round is void at times, and the client looks back at it in the next run.
    """
    chance = random.Random(f"{house_name} {seed}")
    house = replace(load_house(house_name), opening_balance=12_000, maximum_bet=0)
    house = replace(house, **rules)  # type: ignore[arg-type]
    left = chance.choice(_LEFT)
    with repeatable(chance), Company(folder, house=house, seats=2) as rig:
        names = ("ned21", "lia9")
        for name in names:
            rig.join(name)
        _bet(rig, "lia9", 6_000)
        _bet(rig, "ned21", left)
        dealt = rig.seen(CardDealt)
        upcard = next(str(each.card) for each in dealt if not each.seat)
        steps, until = chance.randrange(6), chance.choice((1, 3, 99))
        while isinstance(rig.table.phase, Playing) and until:
            if steps == 0:
                line = rig.line["lia9"]
                del rig.outlet.players[line]
            steps, until = steps - 1, until - 1
            name = chance.choice([each for each in names if rig.is_asked(each)])
            rig.answer(name, legal_answer(chance, rig.ask(name)))
        if isinstance(rig.table.phase, Playing):
            rig.table.void("Something went wrong with this round; it is void.")
            rig.send()
        rig.kill()
        for name in names:
            rig.join(name)
        player = rig.players["lia9"]
        player.remarks += player.checker.finish()
        assert not player.findings, (house_name, seed, list(map(str, player.findings)))
    return upcard[0] in "ATJQK"


@pytest.mark.parametrize("house_name", ["cpsc386", "downtown", "vegas-strip"])
def test_no_question_is_missed_that_a_neighbour_had_no_money_for(
    tmp_path: Path, house_name: str
) -> None:
    shown = [look_back(tmp_path / str(n), house_name, n) for n in range(40)]
    assert shown.count(True) > 8


@pytest.mark.parametrize("seed", [601, 839, 1311])  # with such a pair
def test_what_a_poor_pair_declines_is_the_offer_to_surrender_early(
    tmp_path: Path, seed: int
) -> None:
    assert look_back(tmp_path, "cpsc386", seed, surrender="early")


def test_what_is_played_with_a_gift_between_the_bet_and_the_deal_is_no_lie(
    tmp_path: Path,
) -> None:
    doubled = 0
    for seed in range(6):
        folder, chance = tmp_path / str(seed), random.Random(seed)
        with repeatable(chance), Company(folder, seats=2) as rig:
            for name in ("ned21", "lia9"):
                rig.join(name)
            _bet(rig, "ned21", 0)
            rig.send(Give("ned21", 1_000_000, Done()))
            rig.bet("lia9", 1)
            if not rig.is_asked("ned21") or Action.DOUBLE not in rig.legal("ned21"):
                continue
            rig.play("ned21", "double")
            doubled += 1
            del rig.outlet.players[rig.line["ned21"]]
            while isinstance(rig.table.phase, Playing):
                rig.wait(31)
            rig.kill()
            rig.join("ned21")
            player = rig.players["ned21"]
            player.remarks += player.checker.finish()
            assert not player.findings, list(map(str, player.findings))
    assert doubled
