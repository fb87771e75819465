"""Rules and decks that make no round, in banks whose chain is right."""

from pathlib import Path

import pytest

from bj_game.house import parse_house
from support.banks import BankCommand, Change, Lines, of_kind, play, play_bank, tamper
from support.rig import Rig


def no_rules(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"] = {"rules": 5}


def a_rule_of_tomorrow(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"]["rules"]["side_bets"] = True


def a_rule_of_another_type(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"]["rules"]["decks"] = "8"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (no_rules, "The house cannot be made again"),
        (a_rule_of_tomorrow, "The house cannot be made again"),
        (a_rule_of_another_type, "The house cannot be made again"),
    ],
)
def test_rules_that_make_no_round_are_found(
    bank: Path, tmp_path: Path, ask: BankCommand, change: Change, words: str
) -> None:
    folder = tamper(bank, tmp_path / "bank", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any(words in line for line in lines), lines
    status, lines, remarks = ask("round", 8, "--bank", folder)
    assert lines[0] == "Round main/8."
    assert (status == 3) == bool(remarks)


def test_a_rule_that_an_old_journal_does_not_name_is_at_its_default(
    tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        del of_kind(lines, "house")[0]["data"]["rules"]["max_spots"]

    play_bank(tmp_path / "bank", rounds=3, seed=5)
    folder = tamper(tmp_path / "bank", tmp_path / "other", change)
    assert ask("audit", "--bank", folder)[0] == 0


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
def test_13_4_a_shoe_that_runs_dry_returns_no_round(
    tmp_path: Path, ask: BankCommand
) -> None:
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
    tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        of_kind(lines, "deal")[0]["data"]["deck"] = "As Ks"

    play_bank(tmp_path / "bank", "dsc20", rounds=1)
    folder = tamper(tmp_path / "bank", tmp_path / "other", change)
    lines = ask("audit", "--bank", folder)[1]
    assert any("its shoe ran out in the deal" in line for line in lines), lines
    status, lines, remarks = ask("round", 1, "--bank", folder)
    assert status == 3
    assert "The shoe ran out during the deal" in remarks
