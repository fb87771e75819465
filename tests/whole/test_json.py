"""The protocol on standard streams: programs that play, against a real server."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bj_protocol.codec import decode_message, encode
from support.nursery import Child, run_quickly
from whole.host import Host

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "example_bot.py"
LINES = [{"type": "line", "state": state} for state in ("lost", "back")]


def run(host: Host, *options: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the client for a program that says ``given`` at once."""
    command = [sys.executable, "-m", "bj_client", "--json", "--server", host.address]
    return run_quickly([*command, *options], input=given)


def program(host: Host, *options: str) -> Child:
    """Run the client for as long as the block lasts."""
    return Child("bj_client", "--json", "--server", host.address, *options)


def hear(client: Child) -> dict[str, Any]:
    """Return the next line of a client; what a server signs is for other tests."""
    message: dict[str, Any] = {"type": "signed"}
    while message.get("type") == "signed":
        message = json.loads(client.stdout.readline())
    return message


def say(client: Child, **command: Any) -> None:
    client.stdin.write(f"{json.dumps(command)}\n")


def test_a_bot_of_a_page_in_any_language_plays_its_rounds(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    assert f"```python\n{EXAMPLE.read_text('utf-8')}```\n" in page
    scripts = str(Path(sys.executable).parent)  # where the command is
    path = os.pathsep.join((scripts, os.environ["PATH"]))
    with Host(tmp_path / "bank", "--seed", "3") as host:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), "3", "--handle", "tess"]
            + ["--server", host.address],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "PATH": path},
        )
        after = json.loads(run(host, "--handle", "tess").stdout.splitlines()[0])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert after["round"] == 4


def test_every_line_is_a_message_and_the_end_of_the_input_leaves(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank", "--stack", "Ts 9h 9s 8h") as host:
        with program(host, "--handle", "tess") as client:
            first = hear(client)
            assert (first["type"], first["you"]["handle"]) == ("snapshot", "tess")
            prompt = first["turn"]["asks"][0]["prompt"]
            say(client, type="place_bet", prompt=prompt, amount=5050)
            refused = hear(client)
            assert (refused["code"], refused["prompt"]) == ("not_a_whole_step", prompt)
            say(client, type="place_bet", prompt=prompt, amount=5000)
            events = [event["type"] for event in hear(client)["events"]]
            assert events[:2] == ["bet_placed", "round_began"]
            rest, errors = client.communicate()
        assert (client.returncode, errors) == (0, "")
    lines = rest.splitlines()
    assert "hand_settled" in lines[-1]
    assert [encode(decode_message(line)) for line in lines] == lines


def test_what_is_no_command_is_refused_by_the_client(tmp_path: Path) -> None:
    wrong = ["", "[]", "null", '{"type":"bet"}', '{"type":"stand"}', '{"type":"hit"']
    wrong += ['{"type":"hello","version":2,"handle":"lia9"}', "9" * 100_000, "\x00"]
    given = "\n".join(wrong)  # the last one without its end
    with Host(tmp_path / "bank") as host:
        done = run(host, "--handle", "tess", given=given)
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    refused = [message for message in messages if message["type"] == "refused"]
    assert len(refused) == len(wrong)
    for message in refused:
        assert set(message) == {"type", "code", "text", "prompt"}
        assert (message["code"], message["prompt"]) == ("bad_message", None)
        assert message["text"].endswith(".")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_program_that_leaves_by_its_own_word_ends_in_order(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank") as host,
        program(host, "--handle", "tess") as client,
    ):
        hear(client)
        say(client, type="leave")
        assert client.wait() == 0
        assert client.stderr.read() == ""


def test_a_program_may_watch_a_private_table_and_list_the_others(
    tmp_path: Path,
) -> None:
    tables = tmp_path / "tables.toml"
    tables.write_text('[main]\n[friends]\ncode = "sesame"\n')
    with Host(tmp_path / "bank", "--tables", str(tables)) as host:
        watching = ("--watch", "--table", "friends")
        with program(host, *watching, "--code", "sesame") as client:
            assert (hear(client)["table"], client.poll()) == ("friends", None)
            say(client, type="list_tables", version=2)
            assert [t["name"] for t in hear(client)["tables"]] == ["main", "friends"]
            say(client, type="place_bet", prompt=1, amount=100)
            assert hear(client)["code"] == "not_seated"
            client.communicate()
        assert client.returncode == 0
        shut_out = run(host, *watching)
    assert (shut_out.returncode, shut_out.stdout) == (4, "")
    assert shut_out.stderr.endswith("Give it with --code.\n")


def test_a_lost_line_is_told_and_the_picture_follows_when_it_is_back(
    tmp_path: Path,
) -> None:
    bank = tmp_path / "bank"
    with ExitStack() as stack:
        with Host(bank, "--stack", "Ts 9h 9s 8h") as host:
            client = stack.enter_context(program(host, "--handle", "tess"))
            first = hear(client)
        while (said := hear(client)) != LINES[0]:
            assert said["type"] == "update"
        with Host(bank):
            assert hear(client) == LINES[1]
            again = hear(client)
            assert (again["type"], again["you"]) == ("snapshot", first["you"])
            ask = again["turn"]["asks"][0]
            say(client, type="place_bet", prompt=ask["prompt"], amount=100)
            assert "bet_placed" in str(hear(client))
            client.send_signal(signal.SIGTERM)
            _, errors = client.communicate()
        assert client.returncode == 143
        assert errors.startswith("Stopped by SIGTERM: tess has left after ")
