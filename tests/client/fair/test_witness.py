"""The witness, the record's file and the evidence: what is written, and when not."""

import contextlib
import io
import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bj_client.command import run
from bj_client.error import Exit
from bj_client.fair.finding import Finding
from bj_client.fair.record import Evidence, Recorder, RecordUnusableError, header
from bj_client.fair.witness import Witness
from bj_client.verify import verify
from bj_game.house import House, known_house
from bj_protocol import events
from bj_protocol.commands import Stand
from bj_protocol.messages import Snapshot, Update
from bj_protocol.views import HouseView
from support.company import verified
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot, make_update
from support.visit import run_command

HOUSE = HouseView(
    name="cpsc386",
    title="",
    rules=(),
    minimum_bet=100,
    terms={"name": "cpsc386", "title": ""},
)


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "state", lambda: datetime(2026, 5, 1, 20, tzinfo=UTC))


@pytest.fixture
def picture() -> Snapshot:
    made: Snapshot = make_snapshot(house=HOUSE)
    return made


@pytest.fixture
def theft() -> Update:
    """Return news of a gift that never arrives."""
    stolen: Update = make_update(
        11, events.GiftGiven(seat=1, amount=1_000_000, balance=1_000_000)
    )
    return stolen


def modes(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# The file of the record.


def test_a_record_is_added_to_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    for server in ("here", "there"):
        recorder = Recorder(path)
        recorder.write(header(server, "main"))
        recorder.close()
        recorder.close()
    assert modes(path) == 0o600
    servers = [json.loads(line)["server"] for line in path.read_text().splitlines()]
    assert servers == ["here", "there"]


def test_a_last_line_that_was_cut_short_is_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(header("here", "main") + '{"handle": nu')
    path.chmod(0o644)
    recorder = Recorder(path)
    recorder.write(header("there", "main"))
    recorder.close()
    assert path.read_text() == header("here", "main") + header("there", "main")
    assert modes(path) == 0o600


@pytest.mark.parametrize(
    "text", ["notes", "no line at its end\nhere", "two\nlines\n", "{}\n" * 10**6]
)
def test_a_file_of_somebody_elses_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    path.chmod(0o644)
    with pytest.raises(RecordUnusableError, match="something else than a record"):
        Recorder(path)
    assert (path.read_text(), modes(path)) == (text, 0o644)


def test_a_long_last_line_that_was_cut_short_is_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(header("here", "main") + '{"handle": null, "at": 1.000, ' * 10**4)
    Recorder(path).close()
    assert path.read_text() == header("here", "main")


@pytest.mark.parametrize("kind", ["folder", "missing folder", "pipe"])
def test_what_cannot_be_a_record_is_refused_in_a_sentence(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "r"
    match kind:
        case "folder":
            path.mkdir()
        case "missing folder":
            path = tmp_path / "none" / "r"
        case _:
            os.mkfifo(path)
    with pytest.raises(
        RecordUnusableError, match=r"cannot be written \(.+\): name another"
    ):
        Recorder(path)


def test_a_disk_that_fills_up_ends_the_record_with_a_sentence(
    tmp_path: Path, picture: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.jsonl"
    witness = Witness("here", None, Recorder(path))
    ear = witness.ear("ned21")
    ear.hear(picture)
    before = path.read_bytes()
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return real(descriptor, data[: len(data) - 10])

    monkeypatch.setattr("os.write", full)
    ear.send(Stand(prompt=1))
    monkeypatch.undo()
    ear.send(Stand(prompt=2))
    (sentence,) = witness.take()
    assert "(No space left on device), and ends here" in str(sentence)
    assert path.read_bytes() == before
    witness.close()


# What is heard.


def test_all_lines_of_a_visit_are_in_one_record(
    tmp_path: Path, picture: Snapshot
) -> None:
    path = tmp_path / "r.jsonl"
    seconds = iter((5.0, 6.5, 7.0, 8.25, 9.0, 10.0))
    witness = Witness("here:8765", None, Recorder(path), lambda: next(seconds))
    ned, watcher = witness.ear("ned21"), witness.ear(None)
    ned.hear(picture, picture.model_dump_json())
    watcher.hear(picture, picture.model_dump_json(indent=1))
    ned.send(Stand(prompt=1))
    ned.lose()
    ned.regain()
    witness.close()
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert told[0] == {"record": 2, "server": "here:8765", "table": "main"}
    assert [(line["handle"], line["at"]) for line in told[1:]] == [
        ("ned21", 1.5),
        (None, 2.0),
        ("ned21", 3.25),
        ("ned21", 4.0),
        ("ned21", 5.0),
    ]
    assert told[1]["heard"] == told[2]["heard"]
    assert told[3]["sent"] == {"type": "stand", "prompt": 1}
    assert [line["line"] for line in told[4:]] == ["lost", "back"]
    verified(path.read_bytes().splitlines(keepends=True))


def test_a_finding_is_told_once_with_the_evidence_in_a_file(
    evidence: Evidence, picture: Snapshot, theft: Update
) -> None:
    warned: list[str] = []
    witness = Witness("here", evidence, warn=warned.append)
    for ear in (witness.ear("ned21"), witness.ear("lia9")):
        ear.hear(picture)
        ear.hear(theft)
        ear.send(Stand(prompt=4))
    finding, where = witness.take()
    assert isinstance(finding, Finding)
    assert str(finding) == (
        "Round 3: the balance of seat 1 is wrong after gift_given "
        "(told: 1000000 cents; due: 2000000 cents)."
    )
    assert evidence.path is not None
    assert where == f"The evidence is in {evidence.path}."
    assert warned == [f"THE SERVER IS WRONG. {finding} {where}"]
    assert witness.take() == []
    assert witness.findings == 1
    assert str(evidence.path) in witness.verdict
    witness.close()
    assert evidence.path.name == "evidence-20260501-200000.jsonl"
    assert modes(evidence.path) == 0o600
    lines = evidence.path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 7
    assert finding in verified(lines)[0]


def test_a_second_file_of_evidence_does_not_replace_the_first(tmp_path: Path) -> None:
    def now() -> datetime:
        return datetime(2026, 5, 1, 20, tzinfo=UTC)

    for _ in range(2):
        evidence = Evidence(tmp_path, now)
        evidence.add("line\n")
        evidence.save()
        evidence.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    stem = "evidence-20260501-200000"
    assert names == [f"{stem}-2.jsonl", f"{stem}.jsonl"]


def test_evidence_that_cannot_be_saved_is_said_to_be_lost(
    tmp_path: Path, picture: Snapshot, theft: Update
) -> None:
    (tmp_path / "state").write_text("in the way")
    witness = Witness("here", Evidence(tmp_path / "state"))
    ear = witness.ear("ned21")
    ear.hear(picture)
    ear.hear(theft)
    assert str(witness.take()[1]) == "The evidence could not be saved."
    witness.close()


# The whole command.


@pytest.mark.parametrize("extra", [("--json",), ("--bot", "basic")])
async def test_a_visit_to_a_thief_ends_with_evidence_and_its_exit_code(
    theft: Update, tmp_path: Path, extra: tuple[str, ...]
) -> None:
    async def script(server: Any) -> None:
        await server.hello(house=HOUSE)
        await server.say(theft)
        await server.socket.close(4005, "You are sent away.")

    async with fake_server(script) as address:
        ended = await run_command(
            *("--handle", "ned21", "--server", address.shown, *extra),
            XDG_STATE_HOME=str(tmp_path),
        )
    assert ended.code == 11
    sentence = "Round 3: the balance of seat 1 is wrong"
    assert f"THE SERVER IS WRONG. {sentence}" in ended.output + ended.errors
    (path,) = (tmp_path / "blackjack").glob("evidence-*.jsonl")
    assert str(path) in ended.errors
    again = await run_command("verify", str(path))
    assert again.code == 11
    assert sentence in again.output
    assert "NOT all holds" in again.output


async def test_a_record_that_cannot_be_written_ends_before_the_play(
    tmp_path: Path,
) -> None:
    ended = await run_command("--handle", "ned21", "--record", str(tmp_path))
    assert ended.code == 12
    assert ended.errors.startswith(f"The record {tmp_path} cannot be written")


async def test_a_visit_is_recorded_and_verifies(tmp_path: Path) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.part()

    path = tmp_path / "r.jsonl"
    async with fake_server(script) as address:
        ended = await run_command(
            *("--handle", "ned21", "--server", address.shown, "--plain"),
            BJ_RECORD=str(path),
        )
    assert ended.code == 0, ended.errors
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert [list(line)[-1] for line in told] == ["table", "heard", "sent"]
    assert told[2]["sent"] == {"type": "leave"}
    assert "hello" not in path.read_text()
    again = await run_command("verify", str(path), "--json")
    assert again.code == 0
    summary = json.loads(again.output)
    assert (summary["visits"], summary["findings"], summary["whole"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"\x00\xff\n", "Line 1 is damaged, or no line of a record."),
        (b'{"record": 2', "Line 1 is cut short"),
    ],
)
def test_a_file_that_is_no_record_is_a_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    data: bytes | None,
    sentence: str,
) -> None:
    path = tmp_path / "r.jsonl"
    if data is not None:
        path.write_bytes(data)
    assert verify([str(path)]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("is_there", [False, True])
def test_what_verify_refuses_ends_alike_where_nobody_reads_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr("sys.stderr", closed if is_there else None)
    code = run(["verify", str(tmp_path / "nowhere")])
    monkeypatch.undo()
    assert code == 2


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("/dev/full", "The output cannot be written (No space left on device)"),
        (None, ""),
    ],
)
def test_a_verdict_that_cannot_be_written_is_no_fault_of_the_record(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    where: str | None,
    said: str,
) -> None:
    record = tmp_path / "r.jsonl"
    record.write_text('{"record": 2, "server": "here", "table": "main"}\n')
    assert run(["verify", str(record)]) == 0
    stream = where and open(where, "w")  # noqa: SIM115 - closed at the end
    monkeypatch.setattr("sys.stdout", stream)
    code = run(["verify", str(record)])
    monkeypatch.undo()
    if stream:
        with contextlib.suppress(OSError):
            stream.close()
    assert code == Exit.FAULT
    errors = capsys.readouterr().err
    assert said in errors
    assert str(record) not in errors
    assert "itself has failed" not in errors


def test_verify_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        verify(["--help"])
    assert ended.value.code == 0
    assert "something does not hold" in capsys.readouterr().out


def test_the_rules_of_a_house_are_read_from_its_terms() -> None:
    assert known_house(HOUSE.terms) == House(name="cpsc386", title="")
    assert known_house({}) is None
    assert known_house({**HOUSE.terms, "tie": "nobody"}) is None
    assert known_house({**HOUSE.terms, "joker": 1}) is None
    assert known_house({**HOUSE.terms, "decks": "8"}) is None


def test_of_a_very_long_visit_the_beginning_and_the_end_are_kept(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_client.fair.record._PART_BYTES", 2000)
    for number in range(20_000):
        evidence.add(f"{number} {number * 2654435761 % 2**32}\n")
    evidence.save()
    assert evidence.path is not None
    lines = evidence.path.read_text().splitlines()
    kept = [int(line.split()[0]) for line in lines]
    assert (kept[0], kept[-1]) == (0, 19_999)
    assert kept == sorted(set(kept))
    assert len(kept) < 10_000
