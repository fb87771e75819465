"""Records that are played back, and what is said of those that cannot be."""

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from bj_client.command import run
from bj_client.fair.record import RecordError
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.play.input import EndOfInputError, Line
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.question.question import Question
from bj_client.replay.command import read_replay
from bj_client.replay.player import Player, ReplayView
from bj_client.replay.tape import cut_tape, read_recording
from bj_client.screen.scene import Showing
from bj_protocol.messages import Snapshot
from support.recording import header, heard, sent, write_record
from support.rig import Lay

# 19 against a dealer who busts, then 18 for lia9 and for the dealer.
CARDS = "Ts 9c 9h 9s 8c 7d Td"
LONG = 1_000_000.0


def record(lay: Lay, path: Path, *, seconds: float = 1.0) -> Path:
    """Return a record of two players and one round, with a chat in it."""
    rig = lay(stack=CARDS)
    handles = ("ned21", "lia9")
    for handle in handles:
        rig.join(handle)
    for handle in handles:
        rig.bet(handle, 50)
    for handle in handles:
        rig.play(handle, "stand")
    return write_record(path / "evening.jsonl", rig, *handles, seconds=seconds)


def play(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run the command in plain lines, without waiting."""
    options = ["--plain", "--ascii", "--speed", "0"]
    status = run(["replay", *map(str, words), *options])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_record_is_told_from_the_first_picture_to_the_summary(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told, errors = play(capsys, record(lay, tmp_path))
    assert (status, errors) == (0, "")
    lines = told.splitlines()
    assert lines[0] == "A record of table main at localhost:8765."
    assert lines[1] == "Welcome, ned21: table main, seat 1, bank $10,000.00."
    assert "The dealer gets 9H: 9." in lines
    assert lines[-1].startswith("Good-bye, ned21: 1 round, 1 won, 0 lost, 0 pushed")


def test_the_view_of_another_player_can_be_named(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(lay, tmp_path)
    _, told, _ = play(capsys, path, "--handle", "Lia9")
    assert "Welcome, lia9: table main, seat 2" in told
    assert "Good-bye, lia9: 1 round" in told
    status, told, errors = play(capsys, path, "--handle", "eve")
    assert (status, told) == (2, "")
    assert errors == "eve was not there; these are in the record: ned21, lia9.\n"


def test_the_last_visit_is_played_unless_another_is_named(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(lay, tmp_path)
    visit = path.read_text()
    path.write_text(visit + visit.replace("localhost:8765", "example.org:8765"))
    assert "at example.org:8765" in play(capsys, path)[1]
    assert "at localhost:8765" in play(capsys, path, "--visit", 1)[1]
    status, _, errors = play(capsys, path, "--visit", 3)
    assert status == 2
    assert errors == f"There is no visit 3 in {path}: the last is 2.\n"


def test_plays_that_were_sent_are_held_against_basic_strategy(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(lay, tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    mine = ('"handle": "ned21"', '"round_began"')
    asked = next(n for n, line in enumerate(lines) if all(m in line for m in mine))
    prompt = int(lines[asked].split('"prompt":')[1].split(",")[0])
    at = float(lines[asked].split('"at": ')[1].split(",")[0])
    lines.insert(asked + 1, sent("ned21", at, type="stand", prompt=prompt))
    path.write_text("".join(lines))
    assert "made 1 of 1 play as basic strategy does" in play(capsys, path)[1]


def test_a_refusal_is_told_and_one_of_a_late_link_is_not(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(lay, tmp_path)
    for code, text in (("muted", "You are muted."), ("link_over", "Too late.")):
        said = {"type": "refused", "code": code, "text": text, "prompt": None}
        with path.open("a") as file:
            file.write(heard("ned21", 1000.0, json.dumps(said)))
    told = play(capsys, path)[1]
    assert "You are muted." in told
    assert "Too late." not in told


def test_a_line_that_was_lost_and_a_picture_after_it_are_told(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(lay, tmp_path)
    text = path.read_text()
    first = next(line for line in text.splitlines() if '"type":"snapshot"' in line)
    again = first.replace('"at": 0.0', '"at": 1000').replace('"seq":1', '"seq":99')
    lost = '{"handle": "ned21", "at": 999, "line": "lost"}\n'
    path.write_text(f"{text}{lost}{lost.replace('lost', 'back')}{again}\n")
    _, told, _ = play(capsys, path)
    assert "Here the line to the server was lost." in told
    assert "The line to the server was back." in told
    assert "Some news was missed; this is the table now." in told


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text[:-1], "Line {last} is cut short"),
        (lambda text: text + "nonsense\n", "Line {after} is damaged"),
        (lambda text: text + "\n", "Line {after} is damaged"),
        (
            lambda text: text.replace('"handle": "lia9"', '"hand": "lia9"', 1),
            " is damaged",
        ),
        (
            lambda text: text.replace('"total":9', '"total":"9"', 1),
            " is damaged",
        ),
        (lambda text: text.partition("\n")[2], "Line 1 comes before"),
        (lambda text: text.replace('"record": 2', '"record": 3'), "Line 1 is damaged"),
        (
            lambda text: text.replace('"record": 2', '"record": 1'),
            "Line 1 begins a record of an older bj-client",
        ),
        (
            lambda text: text + '{"handle": "ned21", "at": 1000}\n',
            "Line {after} is neither heard nor sent",
        ),
        (lambda text: "", "There is nothing in it"),
        (lambda text: header(), "There is no picture of the table in it"),
    ],
)
def test_a_damaged_record_is_a_sentence_that_names_the_line(
    lay: Lay,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[str], str],
    sentence: str,
) -> None:
    path = record(lay, tmp_path)
    text = path.read_text()
    path.write_text(change(text))
    count = text.count("\n")
    status, told, errors = play(capsys, path)
    assert (status, told) == (2, "")
    assert sentence.format(last=count, after=count + 1) in errors
    assert str(path) in errors
    assert errors.count("\n") == 1


def test_every_cut_of_a_record_is_whole_lines_or_refused(
    lay: Lay, tmp_path: Path
) -> None:
    path = record(lay, tmp_path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        if size and whole[size - 1 : size] == b"\n":
            read_recording(path)
        else:
            with pytest.raises(RecordError):
                read_recording(path)


def test_a_file_that_is_not_there_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, errors = play(capsys, tmp_path / "nowhere.jsonl")
    assert status == 2
    assert errors.endswith(
        "nowhere.jsonl cannot be read (No such file or directory): name a file that "
        "--record has written.\n"
    )


@pytest.mark.parametrize(
    "words",
    [[], ["x", "--speed", "-1"], ["x", "--visit", "0"], ["x", "--handle", "../x"]],
)
def test_wrong_options_end_with_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_replay(words)
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err


class Typist:
    """A source whose lines are typed beforehand."""

    is_live = True

    def __init__(self, *lines: str) -> None:
        self.lines = deque(lines)
        self.is_closed = False

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        raise AssertionError("nothing is asked in a record")

    async def read(self) -> Line:
        if not self.lines:
            raise EndOfInputError
        return Line(self.lines.popleft(), None)

    async def echo(self, text: str) -> None:
        raise AssertionError("nothing is asked in a record")

    async def close(self) -> None:
        self.is_closed = True


async def watch(
    path: Path,
    speed: float,
    *lines: str,
    show: Callable[[Showing], None] | None = None,
) -> tuple[Table, str]:
    """Play a record for somebody who types lines, one as soon as another is read."""
    tape = cut_tape(read_recording(path)[0], "ned21")
    first = tape[0][1].heard
    assert isinstance(first, Snapshot)
    table, paper, typist = Table(first), StringIO(), Typist(*lines)
    narrator = Narrator(PlainOutput(paper), Faces(symbols=False))
    player = Player(table, tape[1:], ReplayView(narrator, typist, show), speed)
    with contextlib.suppress(EndOfInputError):
        await asyncio.wait_for(player.run(), 60)
    assert typist.is_closed
    return table, paper.getvalue()


async def test_each_next_shows_one_event_and_waits_for_no_time(
    lay: Lay, tmp_path: Path
) -> None:
    path = record(lay, tmp_path, seconds=LONG)
    _, first = await watch(path, 1.0, "n", "q")
    assert first.splitlines() == ["lia9 sits down at seat 2 with $10,000.00."]
    _, more = await watch(path, 1.0, "n", "", "next", " Q ")
    assert len(more.splitlines()) == 3


async def test_a_pause_lasts_until_it_is_taken_back(lay: Lay, tmp_path: Path) -> None:
    path = record(lay, tmp_path)
    _, told = await watch(path, 1000.0, "p", "n", "what?", "p", "q")
    lines = told.splitlines()
    assert lines[0].startswith("Paused: type p to pause and go on")
    assert lines[1] == "lia9 sits down at seat 2 with $10,000.00."
    assert lines[2].startswith("This is a record: type p to pause")
    assert lines[3] == "It goes on."


async def test_the_end_is_looked_at_until_it_is_closed(
    lay: Lay, tmp_path: Path
) -> None:
    path = record(lay, tmp_path)
    steps = ["n"] * 60
    table, told = await watch(path, 1.0, *steps, "q")
    assert told.splitlines()[-1] == "The record ends here; q closes it."
    assert table.me.balance == 1_005_000
    assert table.rounds == 1
    _, told = await watch(path, 1.0, *steps, "p", "what?", "p", "q")
    assert told.splitlines()[-2:] == ["The record ends here; q closes it."] * 2
    assert "It goes on." not in told


async def test_a_screen_is_shown_how_far_it_is_instead_of_being_told(
    lay: Lay, tmp_path: Path
) -> None:
    path = record(lay, tmp_path)
    shown: list[Showing] = []
    lines = ("p", "p", *["n"] * 60, "p", "q")
    _, told = await watch(path, 0.001, *lines, show=shown.append)
    assert shown == [Showing.PAUSED, Showing.RUNS, Showing.OVER]
    assert "Paused" not in told
    assert told.count("The record ends here") == 1


def test_watchers_have_records_too(
    lay: Lay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(lay, tmp_path)
    whole = path.read_text().splitlines()
    lines = [line for line in whole if '"handle": "lia9"' not in line]
    told = "\n".join(lines).replace('{"handle": "ned21"', '{"handle": null')
    path.write_text(
        told.replace('"you":{"handle":"ned21","seat":1}', '"you":null') + "\n"
    )
    status, said, errors = play(capsys, path)
    assert (status, errors) == (0, "")
    assert "You watch table main" in said
