"""Money that moves as none may, in banks whose chain is right."""

from pathlib import Path
from typing import Any

import pytest

from support.banks import BankCommand, Change, Lines, of_kind, tamper


def moved(kind: str, *moves: list[object], reason: str, **fields: Any) -> Change:
    """Return a change that adds a line with such moves, after the first round."""

    def change(lines: Lines) -> None:
        at = lines.index(of_kind(lines, "stake", round=2)[0])
        line = {**lines[at], "kind": kind, "table": None, "round": None}
        line["entries"] = [{"reason": reason, "moves": list(moves)}]
        lines.insert(at, {**line, **fields})

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            moved("bonus", ["house", "player:ned21", 5], reason="gift"),
            "A line of kind bonus moves $0.05 from house to player:ned21 as gift",
        ),
        (
            moved("gift", ["house", "player:ned21", 5], reason="gift"),
            "as gift, which none may",
        ),
        (
            moved("open", ["donor", "player:ned21", 5], reason="opening_balance"),
            "player:ned21 is opened, though it was open",
        ),
        (
            moved("gift", ["player:tess", "player:ned21", 5], reason="gift"),
            "player:tess pays $0.05, but holds $0.00",
        ),
        (
            moved("stake", ["player:ned21", "stakes:main", 5], reason="bet"),
            "stakes:main is touched by a line that is not its round's",
        ),
        (
            moved(
                "stake",
                ["player:ned21", "stakes:other", 5],
                reason="bet",
                table="main",
                round=2,
            ),
            "stakes:other is touched",
        ),
        (
            moved(
                "refund",
                ["stakes:main", "player:ned21", 5],
                reason="refund",
                table="main",
                round=2,
            ),
            "The refund to ned21 is $0.05, and should be at most $0.00",
        ),
        (
            moved(
                "settle",
                ["stakes:main", "player:ned21", 5],
                reason="push",
                table="main",
                round=2,
            ),
            "The payout of the stakes is $0.05, and should be all that is held",
        ),
        (
            moved(
                "answer",
                ["player:ned21", "stakes:main", 5],
                reason="split",
                table="main",
                round=2,
                data={"seat": 1, "play": "split", "by": "player"},
            ),
            "was not dealt, or is over",
        ),
        (
            moved(
                "stake",
                ["player:ned21", "stakes:side", 5],
                reason="bet",
                table="side",
            ),
            "A line of kind stake names no round",
        ),
    ],
)
def test_money_that_moves_as_none_may_is_found(
    bank: Path, tmp_path: Path, ask: BankCommand, change: Change, words: str
) -> None:
    def sealed(lines: Lines) -> None:
        change(lines)
        for line in [line for line in lines if line["table"] == "side"]:
            seal = {**line, "kind": "seal", "entries": [], "round": None, "data": {}}
            lines.insert(lines.index(line) + 1, seal)

    folder = tamper(bank, tmp_path / "bank", sealed)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any(words in line for line in lines), lines


def test_stakes_that_are_held_for_ever_are_found(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        bet = of_kind(lines, "stake", round=20)[0]
        lines.insert(lines.index(bet), {**bet, "round": 19})
        for kind in ("deal", "answer", "settle"):
            for line in of_kind(lines, kind, round=19):
                lines.remove(line)

    folder = tamper(bank, tmp_path / "bank", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    end = "At the end: Stakes of round main/19 are held, though it is past."
    assert end in lines
