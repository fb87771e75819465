"""The command itself: what it prints, how it stops, and with which status."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalError
from bj_server.command import Exit, main
from bj_server.greeting import greeting
from bj_server.host import Ready
from bj_server.host import host as really_host
from bj_server.options import read_options
from bj_server.settings import Settings
from support.nursery import PATIENCE, Birth, Child, run_quickly

SERVER = [sys.executable, "-m", "bj_server", "--port", "0"]


class Running:
    """A real ``bj-server`` of this test, ended with it."""

    def __init__(self, *arguments: str) -> None:
        self.process = Child("bj_server", "--port", "0", *arguments)
        self.greeting = [self.process.stdout.readline() for _ in range(4)]

    def end(self, number: int) -> tuple[int | None, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate()
        return self.process.returncode, out, err


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    server = Running("--bank", str(tmp_path / "bank"))
    with server.process:
        yield server


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_D1_a_signal_stops_the_server_in_order(running: Running, number: int) -> None:
    status, out, err = running.end(number)
    assert status == 0
    assert "seats, cards and stakes are kept for the next start" in out
    assert err == ""


def test_the_greeting_has_the_line_that_others_type(running: Running) -> None:
    address = running.greeting[0].split("ws://")[1].strip(" .\n")
    port = int(address.rpartition(":")[2])
    assert port > 0
    join = f"bj-client --server {address} --server-key "
    assert join in running.greeting[2]
    assert "--handle" in running.greeting[2]
    with socket.create_connection(("127.0.0.1", port), timeout=60):
        pass


def test_the_admin_port_is_in_the_greeting_and_answers(tmp_path: Path) -> None:
    server = Running("--bank", str(tmp_path / "bank"), "--admin-port", "0")
    try:
        shown = server.process.stdout.readline()
        assert shown.startswith("Health and metrics are at http://127.0.0.1:")
        port = int(shown.rpartition(":")[2].strip(" .\n"))
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
            assert answer.status == 200
        other = run_quickly(
            [*SERVER, "--bank", str(tmp_path / "other"), "--admin-port", str(port)]
        )
        assert other.returncode == Exit.NO_ADDRESS
        assert "Choose another --admin-port" in other.stderr
    finally:
        status, _, err = server.end(signal.SIGTERM)
    assert (status, err) == (0, "")


def close_output() -> None:
    os.close(1)
    os.close(2)


def test_a_server_without_standard_streams_keeps_its_bank_whole(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [
            *SERVER,
            "--stop-on-eof",
            "--log-level",
            "debug",
            "--bank",
            str(tmp_path / "bank"),
        ],
        input=b"",
        preexec_fn=close_output,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    bank = Bank.open(tmp_path / "bank")
    assert bank.repaired is None
    bank.close()


@pytest.mark.parametrize("kind", ["/dev/null", "a file"])
def test_14_3_whatever_its_standard_input_is_its_end_stops_a_server_that_was_told_so(
    tmp_path: Path, kind: str
) -> None:
    file, said = tmp_path / "file", tmp_path / "said"
    file.write_text("x" * 10_000)
    end = os.open("/dev/null" if kind == "/dev/null" else file, os.O_RDONLY)
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    words = ["--port", "0", "--stop-on-eof", "--bank", str(tmp_path / "bank")]
    server = Birth("bj_server", words, (end, out, out))
    with server.status:
        assert server.wait(PATIENCE)
    assert (server.returncode, "Traceback" in said.read_text()) == (0, False)
    assert "seats, cards and stakes are kept for the next start" in said.read_text()


def test_14_3_a_closed_standard_input_stops_a_server_that_was_told_so(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [*SERVER, "--stop-on-eof", "--bank", str(tmp_path / "bank")],
        capture_output=True,
        text=True,
        preexec_fn=partial(os.close, 0),
        timeout=60,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "seats, cards and stakes are kept for the next start" in done.stdout


def test_a_reader_of_the_greeting_may_go(tmp_path: Path) -> None:
    server = Running("--bank", str(tmp_path / "bank"))
    with server.process as process:
        process.stdout.close()
        process.send_signal(signal.SIGTERM)
        assert (process.wait(), process.stderr.read()) == (0, "")


def test_the_end_of_standard_input_stops_a_server_that_was_told_so(
    tmp_path: Path,
) -> None:
    done = run_quickly([*SERVER, "--stop-on-eof", "--bank", str(tmp_path / "bank")])
    assert done.returncode == 0
    assert "seats, cards and stakes are kept for the next start" in done.stdout


def test_P4_a_second_server_on_the_same_bank_is_refused(
    running: Running, tmp_path: Path
) -> None:
    second = run_quickly([*SERVER, "--bank", str(tmp_path / "bank")])
    assert second.returncode == 4
    assert str(tmp_path / "bank") in second.stderr
    assert str(running.process.pid) in second.stderr
    assert "Traceback" not in second.stderr
    assert running.process.poll() is None


def test_P5_after_a_kill_the_next_server_starts_without_help(
    running: Running, tmp_path: Path
) -> None:
    running.process.kill()
    running.process.wait()
    again = Running("--bank", str(tmp_path / "bank"))
    assert "ws://" in again.greeting[0]
    assert again.end(signal.SIGTERM)[0] == 0


def test_an_address_in_use_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["--bank", str(tmp_path / "b"), "--port", port]) == Exit.NO_ADDRESS
    said = capsys.readouterr().err
    assert f"Cannot listen on 127.0.0.1:{port}" in said
    assert "Choose another --host or --port." in said


def test_a_host_that_is_none_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--host", "256.0.0.1", "--port", "0", "--insecure"]
    status = main(["--bank", str(tmp_path / "b"), *where])
    assert status == Exit.NO_ADDRESS
    assert "Cannot listen on 256.0.0.1:0" in capsys.readouterr().err


def test_B9_P2_a_bank_file_that_was_edited_is_reported_and_not_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = Bank.open(tmp_path)
    bank.till("main").open("ned21", 1_000_000)
    bank.till("main").seal({})
    bank.close()
    path = tmp_path / "bank.json"
    for figure in ("NaN", "1e6", "1000000.0", '"1000000"', "2147483648"):
        text = path.read_text()
        edited = text.replace('"player:ned21": 1000000', f'"player:ned21": {figure}')
        assert edited != text
        path.write_text(edited)
        assert main(["--bank", str(tmp_path), "--port", "0"]) == Exit.NO_BANK
        said = capsys.readouterr().err
        assert str(path) in said
        assert "Traceback" not in said
        assert path.read_text() == edited
        path.write_text(text)


def test_a_torn_line_is_reported_and_the_server_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Bank.open(tmp_path).close()
    with (tmp_path / "journal-000001.jsonl").open("a") as journal:
        journal.write('{"seq":')
    stop_at_once(monkeypatch)
    assert main(["--bank", str(tmp_path), "--port", "0"]) == Exit.STOPPED
    assert "torn" in capsys.readouterr().err


def test_a_bank_that_fails_has_a_status_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ExceptionGroup("", [ExceptionGroup("", [JournalError(tmp_path, "full")])])

    monkeypatch.setattr("bj_server.host.host", fail)
    assert main(["--bank", str(tmp_path), "--port", "0"]) == Exit.BANK_FAILED
    assert "cannot be written: full" in capsys.readouterr().err


def test_a_fault_of_ours_is_not_hidden(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(*_: object) -> None:
        raise ExceptionGroup("", [ZeroDivisionError()])

    monkeypatch.setattr("bj_server.host.host", fail)
    assert main(["--bank", str(tmp_path), "--port", "0"]) == Exit.FAULT
    assert "stopped by a fault of its own" in capsys.readouterr().err
    assert "ZeroDivisionError" in caplog.text
    Bank.open(tmp_path).close()


def test_the_greeting_says_how_others_reach_an_open_address() -> None:
    settings = read_options(["--host", "0.0.0.0", "--insecure"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bj_server.greeting.addresses", list)
        assert "ADDRESS-OF-THIS-MACHINE:5" in greeting(settings, 5, "ab" * 32)[2]
    settings = read_options(["--host", "::1"])
    assert "ws://[::1]:5." in greeting(settings, 5, "ab" * 32)[0]


def test_of_many_tables_the_greeting_names_a_hundred() -> None:
    tables = [word for number in range(2_000) for word in ("--table", f"t{number}")]
    lines = greeting(read_options(tables), 5, "ab" * 32)
    named = [line for line in lines if line.startswith("Table t")]
    assert len(named) == 100
    assert "There are 1,900 more tables." in lines
    assert "There are 0 more tables." not in greeting(
        read_options(tables[:200]), 5, "ab" * 32
    )


def stop_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the server stopped by SIGTERM as soon as it is ready."""

    async def host(
        settings: Settings,
        bank: Bank,
        _: Ready,
        again: Callable[[], Settings],
        none: None,
        say: Callable[[str], None],
    ) -> None:
        asyncio.get_running_loop().call_later(
            0.05, os.kill, os.getpid(), signal.SIGTERM
        )
        await really_host(settings, bank, lambda *ports: None, again, none)

    monkeypatch.setattr("bj_server.host.host", host)
