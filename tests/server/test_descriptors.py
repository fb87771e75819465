"""A real server in a system that lets it open few files."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest


def start(bank: Path, soft: int, hard: int) -> subprocess.Popen[str]:
    server = [sys.executable, "-m", "bj_server", "--port", "0", "--bank", str(bank)]
    limits = f"ulimit -Sn {soft}; ulimit -Hn {hard}"
    return subprocess.Popen(
        ["/bin/sh", "-c", f"{limits}; exec {shlex.join(server)}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def await_descriptors(process: int, number: int) -> None:
    """Wait until a process has more descriptors than ``number``."""
    deadline = time.monotonic() + 20
    while len(os.listdir(f"/proc/{process}/fd")) <= number:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(("hard", "most"), [(120, 56), (5000, None)])
def test_14_6_N15_connections_never_use_up_the_descriptors(
    tmp_path: Path, hard: int, most: int | None
) -> None:
    server = start(tmp_path / "bank", 90, hard)
    lines = []
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)", server.stdout.readline())
        assert found
        address = ("127.0.0.1", int(found[1]))
        for _ in range(most or 200):
            lines.append(socket.create_connection(address))
        await_descriptors(server.pid, len(lines))
        if most is not None:
            with socket.create_connection(address, timeout=20) as last:
                assert last.recv(100).startswith(b"HTTP/1.1 503 ")
    finally:
        for line in lines:
            line.close()
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=20)
    assert server.returncode == 0
    if most is None:
        assert errors == ""
    else:
        assert errors == (
            "bj-server: --max-connections 1000 needs more files open than the system "
            "allows, so it is 56. Raise the limit of open files (ulimit -Hn) to have "
            "more.\n"
        )
