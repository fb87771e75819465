"""What a command needs to tell its help: options, and nothing that plays or keeps."""

import subprocess
import sys

import pytest

HEAVY = {
    "bj_client.app",
    "bj_client.bot",
    "bj_client.fair",
    "bj_client.style",
    "bj_game.event",
    "bj_protocol.commands",
    "bj_protocol.messages",
    "bj_protocol.model",
    "bj_server.bank.bank",
    "bj_server.host",
    "bj_server.table.dealer",
    "cryptography",
    "importlib.metadata",
    "prompt_toolkit",
    "pydantic",
    "uvloop",
    "websockets",
}
TOLD = """
import atexit, runpy, sys
atexit.register(lambda: sys.stderr.write(" ".join(sys.modules)))
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    "command",
    [
        "bj_client",
        "bj_server",
        *(f"bj_server.{n}_cli" for n in ("bank", "host", "odds")),
    ],
)
def test_the_help_needs_nothing_that_is_slow_to_import(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TOLD, command, "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "usage:" in done.stdout
    loaded = set(done.stderr.split())
    assert "bj_protocol.option" in loaded
    assert not HEAVY & loaded
