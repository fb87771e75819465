"""Rules and shoes that make no round, in banks whose chain is right."""

from collections.abc import Callable
from pathlib import Path

import pytest

from banks import Lines, of_kind, play, play_bank, tamper
from bj_game.house import parse_house
from rig import Rig

Ask = Callable[..., tuple[int, list[str], str]]
Change = Callable[[Lines], None]


def no_rules(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"] = {"rules": 5}


def a_rule_of_tomorrow(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"]["rules"]["side_bets"] = True


def a_rule_of_another_type(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"]["rules"]["decks"] = "8"


def a_shoe_without_a_source(lines: Lines) -> None:
    del of_kind(lines, "shoe")[0]["data"]["secret"]


def a_shoe_that_is_none(lines: Lines) -> None:
    of_kind(lines, "shoe")[0]["data"]["secret"] = 5


def no_shoe(lines: Lines) -> None:
    for line in of_kind(lines, "shoe"):
        lines.remove(line)


def a_shuffle_by_hand(lines: Lines) -> None:
    deal = of_kind(lines, "deal", round=5)[0]
    shuffle = {**deal, "kind": "shuffle", "data": {"left": 40}}
    lines.insert(lines.index(deal), shuffle)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (no_rules, "The house cannot be made again"),
        (a_rule_of_tomorrow, "The house cannot be made again"),
        (a_rule_of_another_type, "The house cannot be made again"),
        (a_shoe_without_a_source, "The shoe cannot be made again"),
        (a_shoe_that_is_none, "The record of kind shoe cannot be read"),
        (no_shoe, "by which rules or from which shoe"),
        (a_shuffle_by_hand, "which this house never does"),
    ],
)
def test_rules_and_shoes_that_make_no_round_are_found(
    bank: Path, tmp_path: Path, ask: Ask, change: Change, words: str
) -> None:
    folder = tamper(bank, tmp_path / "bank", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any(words in line for line in lines), lines
    status, lines, remarks = ask("round", 8, "--bank", folder)
    assert lines[0] == "Round main/8."
    assert (status == 3) == bool(remarks)


def test_a_rule_that_an_old_journal_does_not_name_is_at_its_default(
    bank: Path, tmp_path: Path, ask: Ask
) -> None:
    def change(lines: Lines) -> None:
        del of_kind(lines, "house")[0]["data"]["rules"]["max_spots"]

    assert ask("audit", "--bank", tamper(bank, tmp_path / "bank", change))[0] == 0


def test_a_shuffle_by_hand_of_another_number_is_found(tmp_path: Path, ask: Ask) -> None:
    def change(lines: Lines) -> None:
        of_kind(lines, "shuffle")[1]["data"]["left"] += 1

    play_bank(tmp_path / "bank", "dsc20", rounds=8)
    folder = tamper(tmp_path / "bank", tmp_path / "other", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any("The number of cards left is" in line for line in lines)


SHORT = parse_house(
    """
    name = "short"
    title = "One deck, dealt to its end"
    decks = 1
    cut_card_min = 0
    cut_card_max = 0
    """
)


@pytest.mark.no_cover  # the same lines, over and over
def test_13_4_a_shoe_that_runs_dry_returns_no_round(tmp_path: Path, ask: Ask) -> None:
    handles = ["ned21", "lia9", "tess", "bo"]
    with Rig(tmp_path, house=SHORT, seats=4) as rig:
        for handle in handles:
            rig.join(handle)
        play(rig, 30, handles)
    status, lines, _ = ask("audit", "--bank", tmp_path)
    assert (status, lines[-1]) == (0, "The bank is sound.")
    assert "30 settled, 0 returned, 0 running" in lines[1]
    told = [ask("round", number, "--bank", tmp_path)[1] for number in range(1, 31)]
    assert any("discards are shuffled" in line for lines in told for line in lines)


def test_a_deal_from_a_deck_that_had_no_cards_for_it_is_found(
    tmp_path: Path, ask: Ask
) -> None:
    def change(lines: Lines) -> None:
        of_kind(lines, "deal")[0]["data"]["dealt"] = 50

    play_bank(tmp_path / "bank", "dsc20", rounds=1)
    folder = tamper(tmp_path / "bank", tmp_path / "other", change)
    lines = ask("audit", "--bank", folder)[1]
    assert any("its shoe ran out in the deal" in line for line in lines), lines
    status, lines, remarks = ask("round", 1, "--bank", folder)
    assert status == 3
    assert "The shoe ran out during the deal" in remarks
