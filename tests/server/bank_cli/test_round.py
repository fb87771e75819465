"""Round: a round told from its records, card by card."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.line import Line
from bj_server.bank.pending import record_of
from bj_server.bank_cli.reading import Reading
from bj_server.bank_cli.round import Story
from bj_server.settings import load_house
from support.banks import BankCommand, Lines, of_kind, play_bank, tamper
from support.rig import Rig, play_alone

if TYPE_CHECKING:
    from bj_server.bank.move import Posting


def told(ask: BankCommand, folder: Path, name: object = 1) -> str:
    status, lines, remarks = ask("round", name, "--bank", folder)
    assert (status, remarks) == (0, "")
    return "\n".join(lines)


def test_a_round_is_told_from_the_bets_to_the_payouts(
    tmp_path: Path, ask: BankCommand
) -> None:
    with Rig(tmp_path, stack="8s Ah 8h Kd 3c 2c") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 50, split, insure 20, stand, decline, stand")
    status, lines, _ = ask("round", "MAIN/1", "--bank", tmp_path)
    assert status == 0
    time = lines[2][len("The cards are dealt at ") :][:19]
    assert lines == [
        "Round main/1.",
        "ned21 bets $50.",
        f"The cards are dealt at {time} UTC, by house cpsc386.",
        "  Seat 1, ned21: $50 on one spot, with $9,950 left.",
        "  ned21 gets 8s: 8.",
        "  Dealer gets Ah: soft 11.",
        "  ned21 gets 8h: 16.",
        "  Dealer gets a card face down.",
        "ned21: split.",
        "  ned21 is split, for another $50.",
        "  ned21, hand 1, gets 3c: 11.",
        "  ned21, hand 2, gets 2c: 10.",
        "ned21: insure for $20.",
        "  ned21, hand 1, is insured for $20.",
        "ned21: stand.",
        "  ned21, hand 1, stands on 11.",
        "ned21: decline.",
        "  ned21, hand 2, takes no offer.",
        "ned21: stand.",
        "  ned21, hand 2, stands on 10.",
        "  Dealer turns Kd: soft 21.",
        "  Dealer has blackjack.",
        "  ned21, hand 1, wins the insurance of $20; $40 is paid.",
        "  ned21, hand 1, loses $50 (dealer blackjack).",
        "  ned21, hand 2, loses $50 (dealer blackjack).",
    ]


def test_who_decided_is_told(tmp_path: Path, ask: BankCommand) -> None:
    with Rig(tmp_path, stack="Ts 9s 9h 6s 8s 8h") as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        for handle in ("ned21", "lia9"):
            rig.bet(handle, 10)
        rig.drop("lia9")
        rig.wait(30)
    text = told(ask, tmp_path)
    assert "ned21, whose time is up: stand." in text
    assert "lia9, who is away: stand." in text


def stories(folder: Path) -> str:
    """Return all rounds of the table main, told in one reading."""
    told: dict[int, Story] = {}
    house: Posting | None = None

    def visit(line: Line) -> None:
        nonlocal house
        if line.kind == "house":
            house = record_of(line)
        elif line.round is not None:
            story = told.setdefault(line.round, Story("main", line.round))
            story.follow(line, house)

    Reading(folder).read(visit)
    assert {story.wrong for story in told.values()} == {None}
    return "\n".join(line for story in told.values() for line in story.lines)


@pytest.mark.no_cover  # the same lines, over and over
def test_all_that_can_happen_has_a_sentence(tmp_path: Path) -> None:
    said = ""
    for house, rounds in (
        ("atlantic-city", 60),
        ("cs220", 10),
        ("iipp6", 10),
        ("cpsc386", 60),
    ):
        play_bank(tmp_path / house, house, rounds=rounds, seed=11)
        said += stories(tmp_path / house)
    missing = [words for words in HAPPENINGS if words not in said]
    assert missing == []


HAPPENINGS = (
    "looks at the hole card, and has no blackjack",
    "looks at the hole card, and has blackjack",
    "The cut card comes out.",
    "is bust with",
    "keeps the pair together",
    "takes no offer",
    "has a natural",
    "has 21",
    "surrenders",
    "gives up",
    "is insured for",
    "is doubled to",
    "counts aces 11",
    "counts aces 1:",
    "on each of 3 spots",
    "pushes",
)


def test_even_money_has_a_sentence(tmp_path: Path, ask: BankCommand) -> None:
    with Rig(tmp_path, house=load_house("vegas-strip"), stack="As Ah Ks 9h") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 50, even_money")
    assert "ned21 takes even money." in told(ask, tmp_path)


def test_what_the_rules_decide_is_told(tmp_path: Path, ask: BankCommand) -> None:
    stack = "As 9h Ah 8h 5c 6c"
    with Rig(tmp_path, house=load_house("vegas-strip"), stack=stack) as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 50, split")
    assert "ned21, hand 1, stands on soft 16 by the rules." in told(ask, tmp_path)


def test_a_hand_of_many_cards_has_a_sentence(tmp_path: Path, ask: BankCommand) -> None:
    house = replace(load_house("cpsc386"), name="charlie", charlie=5)
    with Rig(tmp_path, house=house, stack="2s 9h 3s 8h 3c 3d 4c 9c") as rig:
        rig.join("ned21")
        rig.act("ned21", "bet 50, hit, hit, hit")
    assert "ned21 has so many cards that the hand wins." in told(ask, tmp_path)


def test_a_round_that_is_on_keeps_its_hole_card(
    tmp_path: Path, ask: BankCommand
) -> None:
    play_alone(tmp_path, "Ts 9h 9s 8h", "bet 50")
    assert "8h" not in told(ask, tmp_path)
    _, lines, _ = ask("round", 1, "--json", "--bank", tmp_path)
    found = json.loads("\n".join(lines))
    assert (found["end"], found["house"], found["wrong"]) == (
        "running",
        "cpsc386",
        None,
    )
    assert found["steps"][0] == {"bet": {"handle": "ned21", "cents": 5000}}
    cards = [step["event"]["card"] for step in found["steps"][1:]]
    assert cards == ["Ts", "9h", "9s", "??"]
    Bank.open(tmp_path).close()
    assert told(ask, tmp_path).endswith("$50 goes back to ned21.")
    _, lines, _ = ask("round", 1, "--json", "--bank", tmp_path)
    assert json.loads("\n".join(lines))["end"] == "returned"


def test_a_settled_round_for_programs(bank: Path, ask: BankCommand) -> None:
    _, lines, _ = ask("round", "main/3", "--json", "--bank", bank)
    found = json.loads("\n".join(lines))
    assert (found["table"], found["round"], found["end"]) == ("main", 3, "settled")
    decisions = [step["decision"] for step in found["steps"] if "decision" in step]
    assert decisions
    assert decisions[0]["by"] == "player"
    kinds = {step["event"]["type"] for step in found["steps"] if "event" in step}
    assert {"card_dealt", "hole_revealed", "hand_settled"} <= kinds


def test_a_round_of_every_by_hand_shuffle_is_told(
    tmp_path: Path, ask: BankCommand
) -> None:
    for house in ("dsc20", "cs1114"):
        play_bank(tmp_path / house, house, rounds=6, handles=["ned21"])
        for number in range(1, 7):
            told(ask, tmp_path / house, number)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("99", "There is no round 99; the last of each table: main/2"),
        ("side/1", "There is no round 1 at table 'side'; the last of each table"),
    ],
)
def test_a_round_that_is_not_there_is_a_sentence(
    bank: Path, ask: BankCommand, name: str, words: str
) -> None:
    status, lines, remarks = ask("round", name, "--bank", bank)
    assert (status, lines) == (2, [])
    assert words in remarks


def test_a_number_that_two_tables_have_needs_the_table(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        lines += json.loads(json.dumps(lines[1:]).replace("main", "side"))

    folder = tamper(bank, tmp_path / "bank", change)
    status, _, remarks = ask("round", 3, "--bank", folder)
    assert status == 2
    assert "More than one table has a round 3: say main/3 or side/3." in remarks
    assert told(ask, folder, "side/3").startswith("Round side/3.")


def test_a_bank_without_rounds_has_none(tmp_path: Path, ask: BankCommand) -> None:
    Bank.open(tmp_path).close()
    status, _, remarks = ask("round", 3, "--bank", tmp_path)
    assert status == 2
    assert "There is no round 3; none was played yet." in remarks


def test_records_that_contradict_each_other_are_told_as_far_as_they_go(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        settle = of_kind(lines, "settle", round=3)[0]
        settle["data"]["results"][0]["payout"] += 1
        settle["kind"] = "settle"
        lines.insert(lines.index(settle), {**settle, "kind": "note", "entries": []})
        of_kind(lines, "answer", round=3)[0]["data"]["seat"] = 7

    folder = tamper(bank, tmp_path / "bank", change)
    status, lines, remarks = ask("round", 3, "--bank", folder)
    assert status == 3
    assert lines[0] == "Round main/3."
    assert "seat 7 cannot" in remarks
    assert "bj-bank audit tells more." in remarks
