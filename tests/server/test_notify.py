"""Notes to the service manager, read at a socket as systemd would."""

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_server.notify import Notifier, keep_notified
from support.nursery import Child


@pytest.fixture(params=["file", "abstract"])
def manager(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[socket.socket, str]]:
    """A socket that hears notes, and how the environment names it."""
    name = str(tmp_path / "notify")
    if request.param == "abstract":
        name = f"@bj-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
        hearing.settimeout(60)
        hearing.bind(name.replace("@", "\0", 1))
        yield hearing, name


def heard(hearing: socket.socket) -> list[str]:
    return hearing.recv(4096).decode().splitlines()


def test_notes_are_heard_at_files_and_abstract_sockets(
    manager: tuple[socket.socket, str],
) -> None:
    hearing, name = manager
    notifier = Notifier({"NOTIFY_SOCKET": name})
    assert notifier.watchdog_seconds is None
    notifier.ready("Tables: 1.\nREADY=0")
    assert heard(hearing) == ["READY=1", "STATUS=Tables: 1. READY=0"]
    notifier.alive()
    assert heard(hearing) == ["WATCHDOG=1"]


@pytest.mark.parametrize("name", ["", "relative", "/nowhere/at/all"])
def test_nobody_has_to_hear_them(name: str) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": name})
    notifier.ready("Tables: 1.")
    notifier.stopping()
    assert notifier.is_on == name.startswith("/")


@pytest.mark.parametrize(
    ("seconds", "environment"),
    [
        (30.0, {"WATCHDOG_USEC": "30000000"}),
        (30.0, {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}),
        (None, {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}),
        (None, {"WATCHDOG_USEC": "0"}),
        (None, {"WATCHDOG_USEC": "soon"}),
        (None, {}),
    ],
)
def test_the_watchdog_is_fed_if_it_is_ours(
    seconds: float | None, environment: dict[str, str]
) -> None:
    assert Notifier(environment).watchdog_seconds == seconds


async def test_the_manager_hears_until_the_stop(tmp_path: Path) -> None:
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
        hearing.bind(name)
        hearing.setblocking(False)
        loop = asyncio.get_running_loop()
        serving, stop = asyncio.Event(), asyncio.Event()
        notifier = Notifier({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "20000"})
        keeping = asyncio.create_task(
            keep_notified(notifier, lambda: "Well.", serving, stop)
        )
        serving.set()
        notes = [await loop.sock_recv(hearing, 4096) for _ in range(5)]
        assert notes[0] == b"READY=1\nSTATUS=Well."
        assert notes[1:] == [b"STATUS=Well.", b"WATCHDOG=1"] * 2
        stop.set()
        await keeping
        while notes[-1] != b"STOPPING=1\nSTATUS=Stopping.":
            notes.append(await loop.sock_recv(hearing, 4096))


def test_a_server_tells_its_manager_how_it_is(
    tmp_path: Path, manager: tuple[socket.socket, str]
) -> None:
    hearing, name = manager
    environment = {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "60000000"}
    with Child(
        "bj_server",
        *("--port", "0", "--bank", str(tmp_path / "bank")),
        environment=os.environ | environment,
    ) as server:
        status = "STATUS=Tables: 1, seats taken: 0, connections: 0."
        assert heard(hearing) == ["READY=1", status]
        assert [heard(hearing), heard(hearing)] == [[status], ["WATCHDOG=1"]]
        server.send_signal(signal.SIGTERM)
        assert heard(hearing)[0] == "STOPPING=1"
        _, errors = server.communicate()
    assert (server.returncode, errors) == (0, "")
