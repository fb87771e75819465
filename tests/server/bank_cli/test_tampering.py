"""Banks in which one thing was changed, and the chain made right again."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.banks import BankCommand, Change, Lines, of_kind, read_lines, tamper

# Tampering. Every chain is made right again, so that only the audit can notice.


def wins(lines: Lines) -> list[Any]:
    """Return the moves of round 5, in which somebody wins something."""
    (settle,) = of_kind(lines, "settle", round=5)
    return [move for entry in settle["entries"] for move in entry["moves"]]


def a_cent_more(lines: Lines) -> None:
    next(move for move in wins(lines) if move[0] == "house")[2] += 1


def another_answer(lines: Lines) -> None:
    stands = [a for a in of_kind(lines, "answer") if a["data"]["play"] == "stand"]
    stands[4]["data"]["play"] = "hit"


def another_stake(lines: Lines) -> None:
    of_kind(lines, "stake", round=7)[0]["entries"][0]["moves"][0][2] += 100


def another_bet_in_the_deal(lines: Lines) -> None:
    of_kind(lines, "deal", round=7)[0]["data"]["seats"][0]["stake"] += 100


def another_winner(lines: Lines) -> None:
    for move in wins(lines):
        others = {"player:ned21": "player:lia9", "player:lia9": "player:ned21"}
        move[1] = others.get(move[1], move[1])


def another_result(lines: Lines) -> None:
    of_kind(lines, "settle", round=5)[0]["data"]["results"][0]["ruling"] = "natural"


def a_result_less(lines: Lines) -> None:
    of_kind(lines, "settle", round=5)[0]["data"]["results"].pop()


def no_result_at_all(lines: Lines) -> None:
    of_kind(lines, "settle", round=5)[0]["data"]["results"][0] = 5


def no_deal(lines: Lines) -> None:
    lines.remove(of_kind(lines, "deal", round=5)[0])


def no_last_answer(lines: Lines) -> None:
    lines.remove(of_kind(lines, "answer", round=5)[-1])


def no_settlement(lines: Lines) -> None:
    lines.remove(of_kind(lines, "settle", round=5)[0])


def settled_twice(lines: Lines) -> None:
    settle = of_kind(lines, "settle", round=5)[0]
    lines.insert(lines.index(settle) + 1, settle)


def dealt_twice(lines: Lines) -> None:
    settle = of_kind(lines, "settle", round=5)[0]
    lines.insert(lines.index(settle) + 1, of_kind(lines, "deal", round=5)[0])


def no_round_in_the_deal(lines: Lines) -> None:
    of_kind(lines, "deal", round=5)[0]["round"] = None


def an_unreadable_deal(lines: Lines) -> None:
    of_kind(lines, "deal", round=5)[0]["data"]["left"] = "many"


def a_seat_dealt_twice(lines: Lines) -> None:
    seats = of_kind(lines, "deal", round=5)[0]["data"]["seats"]
    seats[1]["seat"] = seats[0]["seat"]


def another_house(lines: Lines) -> None:
    of_kind(lines, "deal", round=5)[0]["data"]["house"] = "vegas-strip"


def more_funds(lines: Lines) -> None:
    of_kind(lines, "deal", round=5)[0]["data"]["seats"][0]["funds"] += 100


def a_late_bet(lines: Lines) -> None:
    of_kind(lines, "stake", round=6)[0]["round"] = 5


def a_stray_seat(lines: Lines) -> None:
    of_kind(lines, "answer", round=5)[0]["data"]["seat"] = 7


def no_new_money(lines: Lines) -> None:
    doubled = next(a for a in of_kind(lines, "answer") if a["entries"])
    doubled["entries"] = []


@pytest.mark.parametrize(
    ("change", "rounds", "words"),
    [
        (a_cent_more, {5}, "of the settlement is "),
        (another_answer, None, ""),
        (another_stake, {7}, "The record of the bets in the deal"),
        (another_bet_in_the_deal, {7}, "The record of the bets in the deal"),
        (another_winner, {5}, "of the settlement is"),
        (another_result, {5}, '{"ruling": "natural"}, and should be {"ruling":'),
        (a_result_less, {5}, "not one result for each wager"),
        (no_result_at_all, {5}, "is nothing, and should be {"),
        (no_deal, {5}, "was not dealt"),
        (no_last_answer, {5}, "though it still asks"),
        (no_settlement, {6}, "Round main/5 was neither settled nor returned"),
        (settled_twice, {5}, "was not dealt, or is over"),
        (dealt_twice, {5}, "or a later one, was dealt before"),
        (no_round_in_the_deal, {5}, "names no round"),
        (an_unreadable_deal, {5}, "kind deal cannot be read"),
        (a_seat_dealt_twice, {5}, "a seat is dealt twice"),
        (another_house, {5}, "The house is vegas-strip, and should be cpsc386"),
        (more_funds, {5}, "The free money of"),
        (a_late_bet, {5}, "in a round that was dealt before"),
        (a_stray_seat, {5}, "seat 7 cannot"),
        (no_new_money, None, "is nothing, and should be"),
    ],
)
@pytest.mark.parametrize("format", [2, 3])
def test_what_was_changed_with_skill_is_found(
    bank: Path,
    tmp_path: Path,
    ask: BankCommand,
    format: int,
    change: Change,
    rounds: set[int] | None,
    words: str,
) -> None:
    folder = tamper(bank, tmp_path / "bank", change, format)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert lines[-1].startswith("The bank is not sound: ")
    assert any(words in line for line in lines), lines
    found = audited(ask, folder)
    named = {finding["round"] for finding in found["findings"]}
    assert named & rounds if rounds else named - {None}
    # All of it is read, whatever is found.
    assert found["lines"] == len(read_lines(folder))


def audited(ask: BankCommand, folder: Path) -> dict[str, Any]:
    _, lines, _ = ask("audit", "--json", "--bank", folder)
    found: dict[str, Any] = json.loads("\n".join(lines))
    assert found["sound"] == (found["wrong"] == 0)
    return found


def test_one_changed_cent_is_named_once_with_all_that_helps(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    folder = tamper(bank, tmp_path / "bank", a_cent_more)
    found = audited(ask, folder)
    first = found["findings"][0]
    seq = first["seq"]
    assert of_kind(read_lines(folder)[seq - 1]["acts"], "settle")
    assert first["text"].startswith(
        f"journal-000001, line {seq} (seq {seq}), round main/5: Entry "
    )
    assert first["written"].endswith(".01 from house to player:" + owner(first))
    assert first["due"].endswith(".00 from house to player:" + owner(first))
    # Whoever has the cent has it in all rounds that follow, and is named once.
    assert found["wrong"] == 2
    assert "The free money of" in found["findings"][1]["text"]


def owner(finding: dict[str, Any]) -> str:
    return str(finding["due"]).rpartition(":")[2]


def test_many_findings_are_counted_and_the_first_are_named(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        for line in of_kind(lines, "settle"):
            line["data"]["results"][0]["payout"] += 1
        for line in of_kind(lines, "deal"):
            line["data"]["house"] = "other\x1b"

    folder = tamper(bank, tmp_path / "bank", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert lines[20] == "... and 20 more."
    assert lines[-1] == "The bank is not sound: 40 things are wrong."
    assert "\x1b" not in "".join(lines)
