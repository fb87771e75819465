"""The command as people run it: pipes, locales, a server beside it, its statuses."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from bj_server.bank_cli import command, options
from bj_server.bank_cli.report import Exit
from bj_server.standard import forget
from support.banks import BankCommand, Lines, of_kind, tamper
from support.nursery import Child

BANK = [sys.executable, "-m", "bj_server.bank_cli"]


def run(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*BANK, *map(str, arguments)],
        timeout=60,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


@contextmanager
def closed_pipe() -> Iterator[None]:
    """Have standard output be a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stream, redirect_stdout(stream):
        yield


@contextmanager
def full_disk() -> Iterator[None]:
    """Have standard output be a file on a disk that is full."""
    with Path("/dev/full").open("w") as stream, redirect_stdout(stream):
        yield
        forget(stream)


def test_a_real_pipe_may_be_closed(bank: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        ended = run("history", "ned21", "--bank", bank, stdout=closed)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["history", "ned21"], ["export", "--csv"]])
def test_a_closed_pipe_ends_the_command_in_silence(
    bank: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with closed_pipe():
        status = command.main([*arguments, "--bank", str(bank)])
    assert status == Exit.FINE
    assert capsys.readouterr().err == ""


def test_a_closed_pipe_does_not_make_a_bank_sound(bank: Path, tmp_path: Path) -> None:
    def change(lines: Lines) -> None:
        of_kind(lines, "deal", round=5)[0]["data"]["house"] = "other"

    folder = tamper(bank, tmp_path / "bank", change)
    with closed_pipe():
        status = command.main(["audit", "--bank", str(folder)])
    assert status == Exit.UNSOUND


@pytest.mark.parametrize("arguments", [["history", "ned21"], ["export", "--csv"]])
def test_P6_a_full_disk_is_a_sentence(
    bank: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with full_disk():
        status = command.main([*arguments, "--bank", str(bank)])
    assert status == Exit.NO_OUTPUT
    assert "cannot be written: No space left on device" in capsys.readouterr().err


def test_a_real_file_may_be_full(bank: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = run("export", "--csv", "--bank", bank, stdout=full)
    assert ended.returncode == 1
    assert ended.stderr.count(b"\n") == 1


def test_any_locale_will_do(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    ended = run("audit", "--bank", tmp_path / "caf\xe9", env=environment)
    assert ended.returncode == 4
    assert b"There is no bank in" in ended.stderr
    assert rb"caf\xe9" in ended.stderr


def test_a_server_may_run_beside_it(tmp_path: Path, ask: BankCommand) -> None:
    with Child("bj_server", "--port", "0", "--bank", str(tmp_path)) as server:
        address = re.search(r"ws://\S+\d", server.stdout.readline())
        assert address is not None
        example = Path(__file__).parents[3] / "docs" / "example_client.py"
        subprocess.run(
            [sys.executable, example, address[0], "ned21", "3"],
            check=True,
            cwd=tmp_path.parent,  # where it keeps its key
            stdout=subprocess.PIPE,
            timeout=60,
        )
        status, lines, said = ask("balances", "--bank", tmp_path)
        assert (status, said) == (0, "")
        assert lines[0].startswith("ned21")
        status, _, said = ask("gift", "ned21", 5, "--bank", tmp_path)
        assert status == 4
        assert f"in use by process {server.pid}" in said
        assert server.poll() is None
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
    assert ask("audit", "--bank", tmp_path)[0] == 0


def test_ctrl_c_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bj_server.bank_cli.audit.audit", interrupt)
    assert command.main(["audit"]) == Exit.INTERRUPTED
    assert "Interrupted" in capsys.readouterr().err


def test_each_command_that_can_be_typed_has_its_function() -> None:
    typed = set[str]()
    for name, (_, below) in options._COMMANDS.items():
        is_group = isinstance(below, Mapping)
        typed |= {f"{name} {order}" for order in below} if is_group else {name}
    assert command._PLACES.keys() == typed
    for place in command._PLACES.values():
        assert callable(resolve_name(f"bj_server.bank_cli.{place}"))
