"""The independent verifier, on the records of real tables, and on changed ones."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bj_server.settings import HOUSES, load_house
from support.linked import LinkedRig
from support.nursery import run_quickly
from whole.host import Host
from whole.recorded import Recorded

VERIFIER = Path(__file__).parents[2] / "docs" / "verify_record.py"
HANDLES = ("ned21", "lia9")
END = "Neither signatures nor money were checked."


def verify(path: Path, lines: list[str]) -> tuple[int, str]:
    """Check a record in a process of its own; return its status and last line."""
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout == "") == bool(done.returncode)
    assert "Traceback" not in done.stderr
    return done.returncode, (done.stdout or done.stderr).strip()


def table(folder: Path, house: str) -> LinkedRig:
    rules = load_house(house)
    return LinkedRig(folder / "bank", house=rules, seats=rules.max_seats)


def test_the_verifier_is_short_and_knows_nothing_of_ours() -> None:
    text = VERIFIER.read_text()
    assert len(text.splitlines()) < 120
    assert "bj_" not in text


@pytest.mark.parametrize("house", HOUSES)
def test_the_record_of_an_honest_table_is_right(tmp_path: Path, house: str) -> None:
    with table(tmp_path, house) as rig:
        handles = HANDLES[: rig.plan.seats]
        recorded = Recorded(rig, 3)
        recorded.sit(*handles)
        recorded.play(8)
        recorded.reshuffle()
        recorded.play(1)
        watching = recorded.watch()
        recorded.play_into_a_round()
        again = recorded.come_back("ned21")
        recorded.play(4)
        recorded.leave(*handles)
    heard = [recorded.heard(line) for line in (1, again)]
    lines = recorded.record(1, again)
    status, told = verify(tmp_path / "player.jsonl", lines)
    whole = sum(map(rounds_of, heard))
    assert whole >= 10
    assert (status, told) == (0, f"Right. Rounds: {whole}. {END}")
    status, told = verify(tmp_path / "watch.jsonl", recorded.record(watching))
    seen = rounds_of(recorded.heard(watching))
    assert (status, told) == (0, f"Right. Rounds: {seen}. {END}")


def rounds_of(heard: list[dict[str, Any]]) -> int:
    """Return how many rounds were heard from their call to their end."""
    events = [event["type"] for said in heard for event in said.get("events", ())]
    ends = ("round_ended", "round_voided")
    marks = [event for event in events if event in (*ends, "bets_closed")]
    return sum(a == "bets_closed" and b in ends for a, b in pairwise(marks))


def test_rounds_in_which_nobody_had_a_link_prove_nothing(tmp_path: Path) -> None:
    with LinkedRig(tmp_path / "bank", seed=5) as rig:
        recorded = Recorded(rig, 3)
        recorded.sit("ned21")
        recorded.play(3)
    status, told = verify(tmp_path / "record.jsonl", recorded.record(1))
    assert (status, told) == (0, f"Right. Rounds: 0. {END}")


def test_a_round_that_was_void_is_right(tmp_path: Path) -> None:
    with table(tmp_path, "cpsc386") as rig:
        recorded = Recorded(rig, 3)
        recorded.sit("ned21")
        recorded.play(1)
        recorded.play_into_a_round()
        rig.table.void("Something went wrong.")
        rig.send()
        rig.silent = {"ned21"}
        rig.bet("ned21", 5)
        rig.wait(2)
        rig.silent = set()
        recorded.play(2)
    assert verify(tmp_path / "record.jsonl", recorded.record(1))[0] == 0


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Return what a player has kept at a table of two, over 12 rounds."""
    drawn = random.Random(18)
    with pytest.MonkeyPatch.context() as patch:
        # The same cards each time.
        patch.setattr("secrets.token_bytes", drawn.randbytes)
        patch.setattr("secrets.token_hex", lambda size: drawn.randbytes(size).hex())
        with table(tmp_path_factory.mktemp("table"), "cpsc386") as rig:
            recorded = Recorded(rig, 5)
            recorded.sit(*HANDLES)
            recorded.play(12)
            recorded.leave(*reversed(HANDLES))
        yield recorded.record(1)


Event = dict[str, Any]


def changed(
    lines: list[str], kind: str, number: int, change: Callable[[Event], None]
) -> int:
    """Change an event of a kind, after so many others; return its round."""
    round, seen = 1, 0
    for at, line in enumerate(lines):
        head, mark, text = line.partition(', "heard": ')
        said = json.loads(text[:-1]) if mark else {}
        for event in said.get("events", ()):
            if event["type"] == kind:
                if seen == number:
                    change(event)
                    told = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
                    lines[at] = f"{head}{mark}{told}}}"
                    return round
                seen += 1
            round += event["type"] in ("round_ended", "round_voided")
    raise AssertionError(kind)


def flip(digits: str) -> str:
    """Return hexadecimal digits with one bit changed."""
    return format(int(digits, 16) ^ 1, "064x")


def another_card(event: Event) -> None:
    event["card"] = "2s" if event["card"] != "2s" else "3s"


def change_of(name: str, *path: Any) -> Callable[[Event], None]:
    def change(event: Any) -> None:
        for step in path:
            event = event[step]
        event[name] = flip(event[name])

    return change


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("bets_closed", change_of("seal")),
        ("bets_closed", change_of("commitment", "bets", 1)),
        ("bets_closed", lambda event: event["bets"][1].update(amount=1)),
        ("bets_closed", lambda event: event["left"].__setitem__(3, 9)),
        ("round_began", change_of("link", "links", 0)),
        ("round_began", change_of("link", "links", 1)),
        ("round_began", lambda event: event["links"].pop()),
        ("round_began", lambda event: event["seats"].pop()),
        ("round_began", lambda event: event.update(until_cut=200)),
        ("card_dealt", another_card),
        ("hole_revealed", another_card),
        ("round_ended", change_of("secret")),
    ],
)
def test_a_changed_record_is_wrong_and_the_round_is_named(
    tmp_path: Path, record: list[str], kind: str, change: Callable[[Event], None]
) -> None:
    lines = [*record]
    number = changed(lines, kind, 6, change)
    status, told = verify(tmp_path / "record.jsonl", lines)
    assert status == 1
    assert told.startswith(f"WRONG: ned21, round {number}: "), told


def test_another_link_than_ours_is_wrong(tmp_path: Path, record: list[str]) -> None:
    at = [n for n, line in enumerate(record) if '"sent": {"type":"link"' in line][4]
    lines, sent = [*record], json.loads(record[at])
    sent["sent"]["link"] = flip(sent["sent"]["link"])
    lines[at] = json.dumps(sent)
    status, told = verify(tmp_path / "record.jsonl", lines)
    assert status == 1
    assert ": own link " in told, told


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
    lines = record.read_text(encoding="utf-8").split("\n")[:-1]
    assert verify(record, lines) == (0, f"Right. Rounds: 5. {END}")
