"""A server that is in no fleet needs nothing of one."""

import subprocess
import sys
from pathlib import Path

import pytest

from bj_server import command

_WITHOUT = """\
import sys
sys.modules["psycopg"] = None
from bj_server.command import main
sys.exit(main(sys.argv[1:]))
"""


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a server where psycopg is not installed; it ends with its input."""
    return subprocess.run(
        [sys.executable, "-c", _WITHOUT, "--port", "0", "--stop-on-eof", *arguments],
        input="",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_server_alone_serves_without_psycopg(tmp_path: Path) -> None:
    ended = _run("--bank", str(tmp_path))
    assert (ended.returncode, ended.stdout.startswith("Blackjack is open")) == (0, True)


def test_a_server_of_a_fleet_says_what_it_lacks(tmp_path: Path) -> None:
    url = tmp_path / "url"
    url.write_text("postgresql://nobody@/none?host=/nowhere")
    ended = _run("--bank", str(tmp_path / "bank"), "--fleet", str(url))
    assert ended.returncode == 4
    assert "install blackjack-table[fleet]" in ended.stderr


def test_a_server_whose_fleet_does_not_answer_ends_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BJ_FLEET", "postgresql://nobody@/none?host=/nowhere")
    bank = tmp_path / "bank"
    assert command.main(["--port", "0", "--bank", str(bank)]) == 4
    assert "no word of a fleet" in capsys.readouterr().err
