"""A real ``bj-server`` on a free port of this machine, for the time of a test."""

import contextlib
import re
import signal
import socket
from pathlib import Path
from typing import Self

import pytest

from bj_client.net.address import read_address
from bj_client.net.keyring import Keyring
from support.nursery import Child
from support.serving import key_of

_ports: dict[Path, str] = {}


class _Kept:
    """A port that is bound while no server listens there, so that nobody takes it."""

    def __init__(self) -> None:
        self._holder: socket.socket | None = None

    def keep(self, port: str) -> None:
        """Hold a port, and let go of the one that was held before."""
        self.release()
        self._holder = socket.socket()
        self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):  # somebody was faster
            self._holder.bind(("127.0.0.1", int(port)))

    def release(self) -> None:
        """Let go of what is held."""
        if self._holder is not None:
            self._holder.close()
        self._holder = None


_kept = _Kept()


class Host:
    """Starts the server, and stops it by SIGTERM at the end of the block.

    A bank is served on the same port each time, since that is how clients know it.
    """

    def __init__(self, bank: Path, *options: str) -> None:
        where = ("--port", _ports.get(bank, "0"), "--bank", str(bank))
        # What is told at all is told of something wrong.
        self.process = Child("bj_server", *where, "--log-level", "warning", *options)
        found = re.search(r"wss?://([\d.]+:\d+)", self.process.stdout.readline())
        assert found, self.process.communicate()
        self.address = found[1]
        self._port = _ports[bank] = self.address.rpartition(":")[2]
        _kept.release()

    def hand_over(self, *handles: str) -> None:
        """Give the real clients the keys of players who were guests on the wire."""
        for handle in handles:
            server = read_address(self.address).name
            keys = Keyring(server, pytest.fail)
            path = keys.path(handle)
            path.unlink(missing_ok=True)  # of an earlier test on the same port
            keys.keep(path, key_of(handle))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.output, errors = self.process.communicate()
        _kept.keep(self._port)
        assert self.process.returncode == 0, errors
        assert errors == ""
