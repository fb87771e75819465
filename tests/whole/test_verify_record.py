"""The independent verifier, on the records of real tables, and on changed ones."""

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_server.settings import load_house
from rig import Rig
from whole.host import Host
from whole.nursery import run_quickly
from whole.recorded import Line, Recorded

VERIFIER = Path(__file__).parents[2] / "docs" / "verify_record.py"
HANDLES = ("ned21", "lia9")


def verify(path: Path, lines: list[Line]) -> tuple[int, str]:
    """Check a record in a process of its own; return its status and last line."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run(
        [sys.executable, "-I", str(VERIFIER)],
        input=path.read_text(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout == "") == bool(done.returncode)
    assert "Traceback" not in done.stderr
    return done.returncode, (done.stdout or done.stderr).strip()


def table(folder: Path, house: str) -> Rig:
    rules = load_house(house)
    return Rig(folder / "bank", seed=None, house=rules, seats=rules.max_seats)


@pytest.mark.parametrize(
    ("house", "rounds", "streams"),
    [("cpsc386", 60, 3), ("cs220", 8, 2), ("cs1114", 8, 2), ("dsc20", 20, 2)],
)
def test_the_record_of_an_honest_table_is_right(
    tmp_path: Path, house: str, rounds: int, streams: int
) -> None:
    with table(tmp_path, house) as rig:
        handles = HANDLES[: rig.plan.seats]
        recorded = Recorded(rig, 3)
        recorded.sit(*handles)
        recorded.play(rounds)
        recorded.reshuffle()
        recorded.play(2)
        recorded.watch()
        recorded.play_into_a_round()
        recorded.watch()
        again = recorded.come_back("ned21")
        recorded.play(4)
        recorded.leave(*handles)
    lines = recorded.record(*range(1, len(handles) + 1), again)
    status, told = verify(tmp_path / "players.jsonl", lines)
    assert status == 0, told
    assert told.startswith(f"Right. Seeds that were told: {streams}."), told
    if rig.plan.house.shoe in ("cut_card", "every_round"):
        for line in (len(handles) + 1, len(handles) + 2):
            status, told = verify(tmp_path / "watch.jsonl", recorded.record(line))
            assert status == 0, told


def test_a_shoe_whose_seed_was_not_told_is_passed_over(tmp_path: Path) -> None:
    with table(tmp_path, "cpsc386") as rig:
        recorded = Recorded(rig, 3)
        recorded.sit(*HANDLES)
        recorded.play(3)
        recorded.reshuffle()
        recorded.play(3)
    status, told = verify(tmp_path / "record.jsonl", recorded.record(1))
    assert (status, told) == (0, "Right. Seeds that were told: 1.")


def test_a_record_whose_seed_is_not_told_yet_proves_nothing(tmp_path: Path) -> None:
    with table(tmp_path, "cpsc386") as rig:
        recorded = Recorded(rig, 3)
        recorded.sit("ned21")
        recorded.play(2)
    status, told = verify(tmp_path / "record.jsonl", recorded.record(1))
    assert (status, told) == (0, "Right. Seeds that were told: 0.")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Line]]:
    """Return what a player has kept at a table of two, over 20 rounds."""
    with (
        pytest.MonkeyPatch.context() as patch,
        table(tmp_path_factory.mktemp("table"), "cpsc386") as rig,
    ):
        # The same cards each time: after others, what is changed shows a round later.
        patch.setattr("secrets.token_bytes", random.Random(6).randbytes)
        recorded = Recorded(rig, 5)
        recorded.sit(*HANDLES)
        recorded.play(20)
        recorded.leave(*reversed(HANDLES))
        yield recorded.record(1)


def events_of(line: Line) -> list[dict[str, Any]]:
    """Return what an update tells; nothing for any other line."""
    return list(line.get("heard", {}).get("events", ()))


def find(lines: list[Line], kind: str, number: int = 0) -> dict[str, Any]:
    """Return the event of a kind that comes after so many others."""
    events = [event for line in lines for event in events_of(line)]
    return [event for event in events if event["type"] == kind][number]


def round_of(lines: list[Line], event: dict[str, Any]) -> int:
    """Return the round in which an event was heard."""
    number = 1
    for line in lines:
        for other in events_of(line):
            if other is event:
                return number
            number += other["type"] == "round_ended"
    raise AssertionError(event)


def flipped(digits: str) -> str:
    """Return hexadecimal digits with one bit changed."""
    return format(int(digits, 16) ^ 1, "064x")


Change = Callable[[list[Line]], dict[str, Any]]


def change_a_seed(lines: list[Line]) -> dict[str, Any]:
    event = find(lines, "seed_revealed")
    event["seed"] = flipped(event["seed"])
    return find(lines, "shoe_cut")


def change_a_nonce(lines: list[Line]) -> dict[str, Any]:
    event = find(lines, "shoe_cut")
    event["cuts"][1]["nonce"] = flipped(event["cuts"][1]["nonce"])
    return event


def put_in_another_nonce_than_ours(lines: list[Line]) -> dict[str, Any]:
    cut, committed = find(lines, "shoe_cut"), find(lines, "cuts_committed")
    cut["cuts"][0]["nonce"] = "0" * 64
    committed["committed"][0]["sha256"] = hashlib.sha256(bytes(32)).hexdigest()
    return cut


def leave_a_nonce_out(lines: list[Line]) -> dict[str, Any]:
    event = find(lines, "shoe_cut")
    del event["cuts"][0]
    return event


def tell_a_nonce_before_the_commitments(lines: list[Line]) -> dict[str, Any]:
    sent = next(n for n, s in enumerate(lines) if "nonce" in s.get("sent", ()))
    lines.insert(2, lines.pop(sent))
    return find(lines, "shoe_cut")


def move_the_cut_card(lines: list[Line]) -> dict[str, Any]:
    event = find(lines, "shoe_shuffled")
    event["until_cut"] += 1
    return event


def a_card_of_a_player(lines: list[Line]) -> dict[str, Any]:
    dealt = (find(lines, "card_dealt", number) for number in range(40, 60))
    return next(event for event in dealt if event["seat"])


def change_a_card(lines: list[Line]) -> dict[str, Any]:
    event = a_card_of_a_player(lines)
    event["card"] = "2s" if event["card"] != "2s" else "3s"
    return event


def change_a_hole_card(lines: list[Line]) -> dict[str, Any]:
    event = find(lines, "hole_revealed", 6)
    event["card"] = "2s" if event["card"] != "2s" else "3s"
    return event


def hide_a_card(lines: list[Line]) -> dict[str, Any]:
    event = a_card_of_a_player(lines)
    event["card"] = "??"
    return event


def lose_an_update(lines: list[Line]) -> dict[str, Any]:
    event = find(lines, "card_dealt", 50)
    numbers = [n for n, line in enumerate(lines) if events_of(line)]
    lost = next(i for i, n in enumerate(numbers) if event in events_of(lines[n]))
    first = events_of(lines[numbers[lost + 1]])[0]
    del lines[numbers[lost]]
    return first


@pytest.mark.parametrize(
    "change",
    [
        change_a_seed,
        change_a_nonce,
        put_in_another_nonce_than_ours,
        leave_a_nonce_out,
        tell_a_nonce_before_the_commitments,
        move_the_cut_card,
        change_a_card,
        change_a_hole_card,
        hide_a_card,
        lose_an_update,
    ],
)
def test_a_changed_record_is_wrong_and_the_round_is_named(
    tmp_path: Path, record: list[Line], change: Change
) -> None:
    lines: list[Line] = json.loads(json.dumps(record))
    number = round_of(lines, change(lines))
    status, told = verify(tmp_path / "record.jsonl", lines)
    assert status == 1
    assert told.startswith("WRONG: ")
    assert f"round {number}:" in told


def test_who_comes_back_in_the_middle_of_a_cut_has_a_right_record(
    tmp_path: Path,
) -> None:
    with table(tmp_path, "cpsc386") as rig:
        recorded = Recorded(rig, 3)
        recorded.sit(*HANDLES)
        recorded.is_slow = True
        recorded.reshuffle()
        recorded.is_slow = False
        lines = [1, recorded.come_back("ned21")]
        assert rig.table.state()["phase"] == "cutting"
        recorded.come_back("lia9")
        assert rig.table.state()["phase"] == "betting"
        recorded.play(3)
        recorded.leave(*reversed(HANDLES))
    status, told = verify(tmp_path / "record.jsonl", recorded.record(*lines))
    assert status == 0, told


def test_what_a_real_client_has_recorded_at_a_real_server_is_right(
    tmp_path: Path,
) -> None:
    record = tmp_path / "evening.jsonl"
    client = [sys.executable, "-m", "bj_client"]
    with Host(tmp_path / "bank") as host:
        play = ["--server", host.address, "--handle", "ned21", "--bot", "basic"]
        done = run_quickly([*client, *play, "--rounds", "5", "--record", str(record)])
    assert done.returncode == 0, done.stderr
    ours = run_quickly([*client, "verify", str(record)])
    assert ours.returncode == 0, ours.stdout
    assert "5 rounds were played again, 5 of them from the cards" in ours.stdout
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert verify(record, lines) == (0, "Right. Seeds that were told: 1.")
