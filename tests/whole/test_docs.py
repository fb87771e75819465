"""The documents hold: what they name exists, and what they show works."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, cast, get_args

import pytest

from bj_client.options import read_options as read_client_options
from bj_protocol.action import Action, By, SettleReason
from bj_protocol.codec import MessageError, decode_command, decode_message, encode
from bj_protocol.commands import Command
from bj_protocol.events import Event
from bj_protocol.messages import Message
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import HandState, Outcome, Phase, Presence
from bj_server.options import read_options
from support.nursery import run_quickly
from support.rig import Rig
from whole.host import Host

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")
BANK = (ROOT / "docs" / "bank.md").read_text("utf-8")
FENCED = re.MULTILINE | re.DOTALL
CHECKS = r"^zcat -f bank/journal-\*\.jsonl\* \| python3 -c '\n(.*?)^'$"
CLIENT = ROOT / "docs" / "example_client.py"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


@dataclass(frozen=True)
class Server:
    """A real server of this test, and the folder of its bank."""

    uri: str
    bank: Path


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.chdir(tmp_path)  # where the example client keeps its key
    bank = tmp_path / "bank"
    with Host(bank) as host:
        yield Server(f"ws://{host.address}", bank)


def run(*command: str, given: bytes = b"") -> str:
    """Run a command to its end, and return what it printed."""
    ended = subprocess.run(
        command, input=given, capture_output=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode()


def play(server: Server, rounds: int) -> list[str]:
    """Have the example client play, and return its lines."""
    command = (sys.executable, str(CLIENT), server.uri, "tess", str(rounds))
    return run(*command).splitlines()


def fences(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, FENCED)


def models(union: object) -> list[type[Any]]:
    """Return the models and dataclasses of an annotated union."""
    return list(get_args(get_args(union)[0]))


def fields_of(model: type[Any]) -> Mapping[str, Any]:
    if is_dataclass(model):
        return {field.name: field for field in fields(model)}
    return cast("Mapping[str, Any]", model.model_fields)


def types_of(union: object) -> set[str]:
    return {str(fields_of(model)["type"].default) for model in models(union)}


def test_the_example_client_plays_its_rounds_and_leaves(server: Server) -> None:
    lines = play(server, 3)
    assert len(lines) == 3
    for line in lines:
        assert re.fullmatch(r"(win|lose|push) [a-z_0-9]+ \d+ cents", line)


def test_the_example_client_is_one_page_and_is_quoted_whole() -> None:
    source = CLIENT.read_text("utf-8")
    assert source in fences(PROTOCOL, "python")
    assert len(source.splitlines()) <= 95


def test_a_refused_example_client_says_why(server: Server) -> None:
    ended = subprocess.run(
        [sys.executable, CLIENT, server.uri, "../tess", "1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "'bad_handle'" in ended.stdout
    assert ended.stderr.startswith("The connection is over")


@pytest.mark.parametrize(
    "names",
    [
        types_of(Command),
        types_of(Message),
        types_of(Event),
        *(
            {str(member.value) for member in kind}
            for kind in (
                Action,
                By,
                HandState,
                Outcome,
                Phase,
                Presence,
                RefusalCode,
                SettleReason,
            )
        ),
    ],
    ids=lambda names: min(names),
)
def test_every_name_of_the_wire_is_in_the_protocol(names: set[str]) -> None:
    assert {name for name in names if f"`{name}`" not in PROTOCOL} == set()


@pytest.mark.parametrize("code", CloseCode, ids=lambda code: code.name)
def test_every_close_code_is_in_the_protocol(code: CloseCode) -> None:
    assert f"| {code.value} | `{code.name}` |" in PROTOCOL


@pytest.mark.parametrize("code", RefusalCode)
def test_every_refusal_is_explained(code: RefusalCode) -> None:
    assert f"\n| `{code.value}` | " in PROTOCOL.partition("\n## Refusals\n")[2]


@pytest.mark.parametrize("model", models(Event), ids=lambda model: model.__name__)
def test_every_field_of_an_event_is_in_its_row(model: type[Any]) -> None:
    kind = fields_of(model)["type"].default
    rows = re.findall(rf"^\| `{kind}` \| .*$", PROTOCOL, re.MULTILINE)
    assert rows, kind
    for name in set(fields_of(model)) - {"type"}:
        assert f"`{name}`" in rows[0], f"{kind} has {name}"


@pytest.mark.parametrize("kind", sorted(types_of(Event)))
def test_what_every_event_changes_is_told(kind: str) -> None:
    changes = PROTOCOL.partition("\n### What each event does to the picture\n")[2]
    table = changes.partition("\n## ")[0]
    assert re.search(rf"^\| .*`{kind}`.* \| .+ \|$", table, re.MULTILINE)


@pytest.mark.parametrize("model", models(Message), ids=lambda model: model.__name__)
def test_every_field_of_a_message_has_its_row(model: type[Any]) -> None:
    kind = fields_of(model)["type"].default
    section = PROTOCOL.partition(f"\n### `{kind}`\n")[2].partition("\n### ")[0]
    for name in set(fields_of(model)) - {"type"}:
        assert f"\n| `{name}` | " in section, f"{kind} has {name}"


@pytest.mark.parametrize("frame", fences(PROTOCOL, "json"))
def test_14_14_every_frame_shown_is_of_the_protocol(frame: str) -> None:
    try:
        message = decode_message(frame)
    except MessageError:
        decode_command(frame)
    else:  # a sample lacks no field that the server sends
        assert json.loads(encode(message)) == json.loads(frame)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]+`", "", page.read_text("utf-8"), flags=FENCED)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        path, _, heading = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = page.parent / path if path else page
        assert target.exists(), link
        if heading:
            assert heading in headings(target), link


def headings(page: Path) -> set[str]:
    """Return the anchors of a page, as they are made from its headings."""
    lines = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^a-z0-9 -]", "", line.lower()).replace(" ", "-") for line in lines
    }


def test_a_bank_can_be_checked_as_the_page_says(server: Server) -> None:
    play(server, 2)
    journal = (server.bank / "journal-000001.jsonl").read_bytes()
    scripts = re.findall(CHECKS, BANK, FENCED)
    chain, balances = (
        # What the shell makes of it: there is no quote to undo inside these.
        run(sys.executable, "-c", script, given=journal)
        for script in scripts
    )
    count = len(journal.splitlines())
    assert chain.startswith(f"{count} lines are as they were written")
    assert "donor -1000000 cents\n" in balances


def test_the_check_of_a_bank_finds_one_changed_byte(server: Server) -> None:
    play(server, 1)
    journal = (server.bank / "journal-000001.jsonl").read_bytes()
    script = re.findall(CHECKS, BANK, FENCED)[0]
    changed = journal.replace(b'"player:tess",1000000', b'"player:tess",2000000')
    assert changed != journal
    ended = subprocess.run(
        [sys.executable, "-c", script],
        input=changed,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert b"line 3: checksum" in ended.stderr


def test_every_option_of_the_commands_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text("utf-8")
    for package in ("bj_server", "bj_client"):
        shown = run_quickly(
            [sys.executable, "-m", package, "--help"],
            env={**os.environ, "COLUMNS": "80"},
        ).stdout
        options = set(re.findall(r"^  (--[a-z-]+)", shown, re.MULTILINE))
        missing = {
            name for name in options - {"--version"} if f"`{name}" not in reference
        }
        assert missing == set()


def test_the_files_in_the_pages_can_be_played(tmp_path: Path) -> None:
    hosting, reference = (
        (ROOT / "docs" / name).read_text("utf-8")
        for name in ("hosting.md", "reference.md")
    )
    (settings,) = fences(reference, "toml")
    tables, house = fences(hosting, "toml")
    (tmp_path / "client.toml").write_text(settings)
    options = read_client_options(["--settings", str(tmp_path / "client.toml")], {})
    assert (options.table, options.code, options.pace) == (
        "friends",
        "open sesame",
        0.5,
    )
    (tmp_path / "friday.toml").write_text(house)
    (tmp_path / "tables.toml").write_text(tables)
    main, high, friends = read_options(
        ["--tables", str(tmp_path / "tables.toml")]
    ).tables
    assert (main.name, main.house.name, main.code) == ("main", "cpsc386", None)
    assert (high.house.name, high.seats, high.pace.bet_seconds) == (
        "vegas-strip",
        5,
        20,
    )
    assert (friends.house.title, friends.seats) == ("Six decks, five dollars", 5)
    assert (friends.code, friends.pace.has_clock) == ("open sesame", False)


def test_the_front_page_fits_on_a_few_screens() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 130


TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")


@pytest.mark.parametrize("shown", fences(BANK, "console"))
def test_what_bj_bank_shows_is_what_the_page_says(tmp_path: Path, shown: str) -> None:
    with Rig(tmp_path, stack="Ts 9h 5s 8h 9c") as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.play("lia9", "sit_out")
        rig.bet("ned21", 50)
        rig.play("ned21", "hit")
        rig.bet("ned21", 25)
        rig.play("lia9", "sit_out")
    command, _, output = shown.partition("\n")
    assert command.startswith("$ bj-bank ")
    arguments = [*command.split()[2:], "--bank", str(tmp_path)]
    done = run_quickly([sys.executable, "-m", "bj_server.bank_cli", *arguments])
    assert (done.returncode, done.stderr) == (0, "")
    assert TIME.sub("", done.stdout) == TIME.sub("", output)
