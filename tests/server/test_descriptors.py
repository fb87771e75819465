"""A real server in a system that lets it open few files."""

import re
import resource
import signal
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.nursery import PATIENCE, Child

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
FULL, OPEN = b"HTTP/1.1 503 ", b"HTTP/1.1 101 "


@pytest.mark.parametrize(("hard", "most", "last"), [(120, 56, FULL), (5000, 200, OPEN)])
def test_14_6_N15_connections_never_use_up_the_descriptors(
    tmp_path: Path, hard: int, most: int, last: bytes
) -> None:
    limits = {resource.RLIMIT_NOFILE: (90, hard)}
    where = ("--port", "0", "--bank", str(tmp_path / "bank"))
    with Child("bj_server", *where, limits=limits) as server, ExitStack() as lines:
        found = re.search(r":(\d+)", server.stdout.readline())
        assert found
        address = ("127.0.0.1", int(found[1]))
        for _ in range(most):
            lines.enter_context(socket.create_connection(address))
        # It is accepted after all others.
        latest = lines.enter_context(socket.create_connection(address, PATIENCE))
        latest.sendall(REQUEST)
        assert latest.recv(100).startswith(last)
        lines.close()
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate()
    assert server.returncode == 0
    if last == OPEN:
        assert errors == ""
    else:
        assert errors == (
            "bj-server: --max-connections 1000 needs more files open than the system "
            "allows, so it is 56. Raise the limit of open files (ulimit -Hn) to have "
            "more.\n"
        )


@pytest.mark.parametrize("files", [12, 36])
def test_a_server_that_may_open_too_few_files_for_one_player_says_so_and_ends(
    tmp_path: Path, files: int
) -> None:
    limits = {resource.RLIMIT_NOFILE: (files, files)}
    where = ("--port", "0", "--bank", str(tmp_path / "bank"))
    with Child("bj_server", *where, limits=limits) as server:
        told, errors = server.communicate()
    assert (server.returncode, told) == (3, "")
    assert errors == (
        "bj-server: The system lets a process open too few files to serve even one "
        "player: raise the limit of open files (ulimit -Hn).\n"
    )
