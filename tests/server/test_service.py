"""The service: what systemd does to a server, done to a real one without systemd.

It gives the environment of the unit and of its file, credentials in a folder, a socket
for notes and a journal; it sends SIGHUP; ``bj-host`` orders the rest.
"""

import json
import os
import signal
import socket
import ssl
import subprocess
from pathlib import Path

import pytest

from bj_server.host_cli.command import main as bj_host
from support.certificates import Certificates
from support.nursery import PATIENCE, Birth

UNIT = Path(__file__).parents[2] / "docs" / "systemd" / "bj-server.service"


def unit_lines(name: str) -> list[str]:
    lines = UNIT.with_name(name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_14_8_no_flag_of_the_unit_overrides_its_environment_file() -> None:
    lines = unit_lines("bj-server.service")
    assert "ExecStart=/opt/blackjack/bin/bj-server" in lines
    said = [line for line in lines if line.startswith("Environment")]
    assert said[-1].startswith("EnvironmentFile=-")
    assert "BJ_HOST=0.0.0.0 BJ_BANK=" in said[0]


@pytest.mark.skipif(
    not Path("/usr/bin/systemd-analyze").exists(), reason="there is no systemd here"
)
def test_14_8_the_unit_passes_the_checks_of_systemd(tmp_path: Path) -> None:
    program = tmp_path / "bj-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = UNIT.read_text().replace("/opt/blackjack/bin/bj-server", str(program))
    (tmp_path / UNIT.name).write_text(text)
    drop_in = tmp_path / f"{UNIT.name}.d"
    drop_in.mkdir()
    (drop_in / "tls.conf").write_text(UNIT.with_name("tls.conf").read_text())
    done = subprocess.run(
        ["/usr/bin/systemd-analyze", "verify", "--man=no", tmp_path / UNIT.name],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    own = [line for line in done.stderr.splitlines() if "bj-server" in line]
    assert (done.returncode, own) == (0, [])


def presented(port: int) -> str:
    return ssl.get_server_certificate(("127.0.0.1", port), timeout=60)


def test_14_8_a_service_starts_reloads_and_drains(
    tmp_path: Path, certificates: Certificates
) -> None:
    bank, credentials = tmp_path / "bank", tmp_path / "credentials"
    credentials.mkdir()
    cert, key = credentials / "fullchain.pem", credentials / "privkey.pem"
    cert.write_bytes(certificates.here.certificate.read_bytes())
    key.write_bytes(certificates.here.key.read_bytes())
    journal = tmp_path / "journal"
    name = str(tmp_path / "notify")
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
        journal.open("wb") as stream,
    ):
        manager.bind(name)
        manager.settimeout(60)
        found = os.fstat(stream.fileno())
        environment = {
            "BJ_HOST": "127.0.0.1",
            "BJ_PORT": "0",
            "BJ_BANK": str(bank),
            "BJ_INSECURE": "0",
            "BJ_TLS_CERT": str(cert),
            "BJ_TLS_KEY": str(key),
            "BJ_LOG_LEVEL": "info",
            "BJ_TURN_SECOND": "7",
            "CREDENTIALS_DIRECTORY": str(credentials),
            "NOTIFY_SOCKET": name,
            "JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}",
        }
        nothing = os.open(os.devnull, os.O_RDONLY)
        told, output = os.pipe()
        streams = (nothing, output, os.dup(stream.fileno()))
        server = Birth("bj_server", [], streams, environment=os.environ | environment)
        try:
            assert b"READY=1" in manager.recv(4096)
            with open(told) as greeting:
                said = greeting.readline()
            port = int(said.split("open at wss://127.0.0.1:")[1].partition(".")[0])
            assert presented(port) == certificates.here.certificate.read_text()
            other = certificates.elsewhere()
            cert.write_bytes(other.certificate.read_bytes())
            key.write_bytes(other.key.read_bytes())
            server.send_signal(signal.SIGHUP)
            notes = [manager.recv(4096)]
            while not notes[-1].startswith(b"READY=1"):
                notes.append(manager.recv(4096))
            (reloading,) = [note for note in notes if note.startswith(b"RELOADING=1")]
            assert reloading.split(b"MONOTONIC_USEC=")[1].isdigit()
            assert presented(port) == other.certificate.read_text()
            assert bj_host(["--bank", str(bank), "drain"]) == 0
            assert server.wait(PATIENCE)
            assert server.returncode == 0
        finally:
            server.send_signal(signal.SIGKILL)
            server.status.close()
    lines = journal.read_text().splitlines()
    assert any(line.startswith("<6>") and "started" in line for line in lines)
    odd = [line for line in lines if "BJ_TURN_SECOND " in line]
    assert len(odd) == 1
    assert odd[0].startswith("<4>")
    assert odd[0].endswith("is it BJ_TURN_SECONDS?")
    assert all(line.startswith("<") for line in lines)


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--port", "none"], 2),
        (["--tables", "nowhere.toml"], 2),
        (["--dance"], 2),
        (["--host", "256.0.0.1", "--insecure", "--port", "0"], 3),
        (["--bank", "/dev/null/bank"], 4),
    ],
)
def test_14_8_every_line_of_a_json_log_is_json(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    options: list[str],
    status: int,
) -> None:
    from bj_server.command import main

    words = ["--log-format=json", "--bank", str(tmp_path / "bank"), *options]
    try:
        found = main(words)
    except SystemExit as stopped:
        found = int(stopped.code or 0)
    assert found == status
    streams = capfd.readouterr()
    lines = [*streams.out.splitlines(), *streams.err.splitlines()]
    assert lines
    assert all(json.loads(line)["message"] for line in lines)
