"""Records that were made to do harm: they are named, and cost little."""

import json
from pathlib import Path
from typing import Any

import pytest

from bj_client.error import Exit
from bj_client.fair.checker import Checker
from bj_client.fair.deal import Deal
from bj_client.fair.record import LONGEST
from bj_client.verify import verify
from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Signed, Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_protocol.views import Ask, Turn, WagerRange
from support.company import Company

HEADER = '{"record": 2, "server": "", "table": null}'


@pytest.fixture
def picture(tmp_path: Path) -> Snapshot:
    """Return the first picture of a table whose shoe was cut."""
    with Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        return rig.picture


def heard(message: dict[str, Any] | str) -> str:
    text = message if isinstance(message, str) else json.dumps(message)
    return f'{{"handle": "ned21", "at": 0, "heard": {text}}}'


def verified(
    folder: Path, capsys: pytest.CaptureFixture[str], *lines: str, options: Any = ()
) -> tuple[int, str, str]:
    """Return the exit code, and what was printed."""
    record = folder / "hostile.jsonl"
    record.write_text("".join(f"{line}\n" for line in (HEADER, *lines)))
    code = verify([str(record), *options])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"handle": null, "at": NaN, "line": "lost"}', "Line 2 is damaged"),
        ('{"handle": null, "at": -1, "line": "lost"}', "Line 2 is damaged"),
        ('{"handle": "\\ud800", "at": 0, "line": "lost"}', "Line 2 is damaged"),
        ('{"handle": ' * 5000, "Line 2 is damaged"),
        ('{"handle": "' + "x" * LONGEST, "Line 2 is longer than any message can be"),
    ],
)
def test_a_line_that_no_client_has_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, sentence: str
) -> None:
    code, _, said = verified(tmp_path, capsys, line)
    assert code == Exit.USAGE
    assert sentence in said


def test_more_handles_than_a_visit_has_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f'{{"handle": "n{n}", "at": 0, "line": "lost"}}' for n in range(101)]
    code, _, said = verified(tmp_path, capsys, *lines)
    assert code == Exit.USAGE
    assert "Line 102 is of one handle more" in said


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_greatest_numbers_give_a_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    picture: Snapshot,
    options: tuple[str, ...],
) -> None:
    most = "9" * 4300
    told = (
        f'{{"type": "update", "table": "main", "seq": {picture.seq + 1}, "events": '
        f'[{{"type": "round_ended", "round": {most}, "cards_left": -{most}, '
        f'"until_cut": {most}}}, {{"type": "round_ended", "round": 1, '
        f'"cards_left": 1, "until_cut": 1}}], "turn": null}}'
    )
    lines = [heard(picture.model_dump_json()), heard(told)]
    code, out, _ = verified(tmp_path, capsys, *lines, options=options)
    assert code == Exit.UNFAIR
    assert "a round ends that has not begun" in out
    for line in out.splitlines() if options else ():
        json.loads(line)


def test_what_has_no_end_is_not_all_remembered(picture: Snapshot) -> None:
    checker = Checker()
    checker.hear(picture)
    for number in range(600):
        checker.send(PlaceBet(prompt=number, amount=100))
        opened = events.BettingOpened(round=1, seal=f"{number:064x}")
        seq = picture.seq + 1 + number
        told = Update(table="main", seq=seq, events=(opened,), turn=None)
        checker.hear(told)
    assert len(checker.rounds._draws._seals) <= 64
    assert len(checker.answers._questions) <= 512


def test_a_bet_of_ours_that_no_server_takes_is_not_owed(picture: Snapshot) -> None:
    checker = Checker()
    checker.hear(picture)
    checker.rounds.bets.own_seat = 1
    bets = (Action.PLACE_BET, Action.SIT_OUT)
    limits = WagerRange(minimum=100, maximum=100, step=100)
    ask = Ask(prompt=1, seat=1, hand=0, actions=bets, wager=limits)
    checker.answers.hear_turn(Turn(asks=(ask,), milliseconds=None), 1, 0.0)
    for spots in (1, 0):
        bet = PlaceBet(prompt=1, amount=100, spots=spots, commitment="0" * 64)
        checker.rounds.owing.clear()
        checker.send(bet)
        assert bool(checker.rounds.owing) is (spots == 1)


def test_numbers_that_no_story_has_are_a_finding(picture: Snapshot) -> None:
    checker = Checker()
    checker.hear(picture)
    for number in (-1, 2**70):
        signed = Signed(
            table="main",
            seq=number,
            kind=StatementKind.END,
            round=number,
            head="ab" * 32,
            signature="cd" * 64,
        )
        (finding,) = checker.hear(signed)
        assert "the signature of the end is not the server's" in str(finding)


def test_a_round_without_end_is_not_all_remembered() -> None:
    deal = Deal(number=1)
    event = events.HandStood(seat=1, hand=0, total=20, by=By.PLAYER)
    for _ in range(20_001):
        deal.hear(event, None, 0.0)
    assert len(deal.heard) == 20_000
    assert not deal.is_whole
