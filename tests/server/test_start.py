"""Where the system lacks what a bank needs, one sentence says so."""

import signal
import subprocess
import sys
from importlib import import_module

import pytest

from bj_server.__main__ import main as server_main

# What an import finds on Windows, where the standard library has no such module.
WINDOWS = """
import sys
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
from {package}.__main__ import main
sys.argv = ["command", "--help"]
main()
"""


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("bj-server", "bj_server"),
        ("bj-bank", "bj_server.bank_cli"),
        ("bj-host", "bj_server.host_cli"),
        ("bj-odds", "bj_server.odds_cli"),
    ],
)
def test_14_13_without_unix_a_command_of_the_host_refuses_in_one_sentence(
    name: str, package: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WINDOWS.format(package=package)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"{name}: A bank is kept on Linux or macOS alone: run {name} there, or under "
        "WSL; bj-client can play from here.\n"
    )


@pytest.mark.parametrize(
    ("name", "package", "status"),
    [
        ("bj-server", "bj_server", 0),
        ("bj-bank", "bj_server.bank_cli", 130),
        ("bj-host", "bj_server.host_cli", 130),
        ("bj-odds", "bj_server.odds_cli", 130),
    ],
)
def test_14_3_ctrl_c_while_a_command_of_the_host_starts_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    package: str,
    status: int,
) -> None:
    def interrupted(module: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bj_server.start.import_module", interrupted)
    old = signal.getsignal(signal.SIGHUP)
    try:
        with pytest.raises(SystemExit) as ended:
            import_module(f"{package}.__main__").main()
    finally:
        signal.signal(signal.SIGHUP, old)
    assert ended.value.code == status
    assert capsys.readouterr().err == f"{name}: Interrupted.\n"


def test_14_8_a_hangup_ends_no_server_that_has_just_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["bj-server", "--version"])
    old = signal.getsignal(signal.SIGHUP)
    try:
        with pytest.raises(SystemExit):
            server_main()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, old)
