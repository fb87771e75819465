"""14_13: the client with what Windows has, in lines, on the screen and for programs.

All of it is one process, which finds no more of Unix than there is on Windows.
"""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bj_client.error import OutputClosedError
from whole import windows
from whole.host import Host

CLIENT = Path(__file__).parents[2] / "client" / "bj_client"
STOPPED = ": ned21 has left after 0 rounds"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("windows")
    known = {"XDG_STATE_HOME": folder / "state", "XDG_CONFIG_HOME": folder / "config"}
    with Host(folder / "bank", "--seed", "3") as host:
        ended = subprocess.run(
            [sys.executable, windows.__file__, host.address, str(folder)],
            env=os.environ | {name: str(path) for name, path in known.items()},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def test_14_13_every_module_of_the_client_can_be_imported(
    report: dict[str, Any],
) -> None:
    files = [each for each in CLIENT.rglob("*.py") if each.name != "__main__.py"]
    assert len(report["modules"]) == len(files) - 1  # all but the package itself


@pytest.mark.parametrize(
    ("name", "code", "shown"),
    [
        ("help", 0, "exit codes:"),
        ("version", 0, "bj-client "),
        ("tables", 0, "main: cpsc386"),
        ("plain", 0, "Good-bye, ned21: 1 round,"),
        ("bot", 0, "Good-bye, ned21: 2 rounds,"),
        ("json", 0, '"type":"round_ended"'),
        ("watch", 0, "You watch table main"),
        ("verify", 0, "All that could be checked holds: 2 rounds were played again."),
        ("replay", 0, "Good-bye, ned21: 2 rounds,"),
        ("screen", 0, "Good-bye, ned21: 0 rounds,"),
        ("line", 0, "Good-bye, ned21: 1 round,"),
    ],
)
def test_14_13_without_unix_the_client_works(
    report: dict[str, Any], name: str, code: int, shown: str
) -> None:
    run = report["runs"][name]
    assert (run["code"], run["errors"]) == (code, "")
    assert shown in run["shown"]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("interrupt", 130, f"Interrupted{STOPPED}"),
        ("break", 130, f"Interrupted{STOPPED}"),
        ("term", 143, f"Stopped by SIGTERM{STOPPED}"),
    ],
)
def test_14_13_without_signals_in_the_loop_they_end_the_client_all_the_same(
    report: dict[str, Any], name: str, code: int, said: str
) -> None:
    run = report["runs"][name]
    assert (run["code"], run["errors"].count("\n")) == (code, 1)
    assert run["errors"].startswith(said)


def test_14_13_solo_refuses_in_one_sentence_where_no_server_runs(
    report: dict[str, Any],
) -> None:
    run = report["runs"]["solo"]
    assert (run["code"], run["shown"]) == (2, "")
    assert run["errors"].startswith(
        "bj-client: error: --solo starts a server, which runs on Linux or macOS alone: "
        "join one with --server, or play under WSL.\n"
    )


def test_14_13_a_key_is_kept_under_a_name_that_windows_takes(
    report: dict[str, Any],
) -> None:
    kept, other = report["keys"]
    assert kept.startswith("blackjack/keys/localhost%3A")
    assert kept.endswith("/ned21.key")
    # "con.example.org" would be the console there.
    assert other == "blackjack/keys/con%2Eexample%2Eorg%3A8765/lia9.key"


def test_14_13_a_closed_pipe_of_windows_is_its_readers_wish() -> None:
    assert OutputClosedError.by(OSError(errno.EINVAL, "Invalid argument")).quiet
