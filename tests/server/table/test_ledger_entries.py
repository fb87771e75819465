"""What a round leaves in the journal: every movement of money, with its reason."""

from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from support.banks import of_kind, read_bank
from support.rig import Rig, play_alone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bank"


def lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return the lines of one kind, once the books are closed."""
    return of_kind(read_bank(folder), kind)


def entries(folder: Path, kind: str) -> list[tuple[str, list[list[object]]]]:
    return [
        (entry["reason"], entry["moves"])
        for line in lines(folder, kind)
        for entry in line["entries"]
    ]


def test_R15_a_push_returns_the_doubled_stake_as_an_entry_of_its_own(
    folder: Path,
) -> None:
    with Rig(folder, stack="5s 5h 6s 6h Td Tc") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 50, double")
        assert rig.balance("ned21") == 10_000
    assert entries(folder, "settle") == [
        ("push", [["stakes:main", "player:ned21", 10_000]])
    ]


def test_R17_hand_and_insurance_are_settled_by_one_entry_each(folder: Path) -> None:
    with Rig(folder, stack="Ts Ah 8s Kh") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 100, insure 30, stand")
        assert rig.balance("ned21") == 9_930
    assert entries(folder, "settle") == [
        (
            "insurance_won",
            [
                ["stakes:main", "player:ned21", 3_000],
                ["house", "player:ned21", 3_000],
            ],
        ),
        ("hand_lost", [["stakes:main", "house", 10_000]]),
    ]


def test_B6_a_loss_moves_nothing_more_from_the_player(folder: Path) -> None:
    play_alone(folder, "Ts 9h 6s 9d", "bet 100, stand")
    assert entries(folder, "stake") == [
        ("bet", [["player:ned21", "stakes:main", 10_000]])
    ]
    assert entries(folder, "settle") == [
        ("hand_lost", [["stakes:main", "house", 10_000]])
    ]


def test_B15_the_gift_is_an_entry_of_its_own(folder: Path) -> None:
    play_alone(folder, "Ts 9h 6s 9d", "bet 10000, stand, accept_gift")
    assert entries(folder, "gift") == [("gift", [["donor", "player:ned21", 1_000_000]])]


def test_a_split_an_insurance_and_a_double_are_held_with_the_answer(
    folder: Path,
) -> None:
    with Rig(folder, stack="As Ah Ad 8h 9c 9d Tc Td") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 100, split, insure 10, double, decline, double")
        assert rig.balance("ned21") == 10_390
    assert [reason for reason, _ in entries(folder, "answer")] == [
        "split",
        "insurance",
        "double",
        "double",
    ]


def test_a_record_of_the_round_is_its_shoe_its_stakes_and_its_answers(
    folder: Path,
) -> None:
    play_alone(folder, "Ts 9h 9s 8h", "bet 100, stand")
    draw = lines(folder, "draw")[0]
    assert draw["data"]["stack"] == draw["data"]["top"] == "Ts 9h 9s 8h"
    assert draw["data"]["left"] == "8" * 52
    (deal,) = lines(folder, "deal")
    seat = {
        "seat": 1,
        "handle": "ned21",
        "stake": 10_000,
        "spots": 1,
        "funds": 990_000,
    }
    assert deal["data"] == {
        "draw": 2,
        "house": "cpsc386",
        "secret": draw["data"]["secret"],
        "head": "0" * 64,
        "seed": 8,
        "left": "8" * 52,
        "top": "Ts 9h 9s 8h",
        "seats": [seat],
    }
    (answer,) = lines(folder, "answer")
    assert answer["data"] == {"seat": 1, "play": "stand"}
    (settle,) = lines(folder, "settle")
    assert settle["data"]["results"] == [
        {
            "handle": "ned21",
            "seat": 1,
            "hand": 0,
            "outcome": "win",
            "payout": 20_000,
            "stake": 10_000,
            "ruling": "higher_total",
        }
    ]


def test_P8_B12_sums_are_exact_however_large_and_odd(folder: Path) -> None:
    house = House(name="odd", title="", minimum_bet=1, bet_step=1)
    with Rig(folder, seed=8, house=house) as rig:
        rig.bank.till("main").open("ned21", 10**30 + 7)
        rig.join("ned21")
        ask = rig.ask("ned21")
        assert ask.wager is not None
        assert ask.wager.maximum == 1  # no more, since few readers could count it
        assert rig.seat("ned21").balance == 10**30 + 7
