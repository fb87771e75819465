"""A real ``bj-server`` on a free port of this machine, for the time of a test."""

import re
import signal
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from bj_client.address import read_address
from bj_client.keyfile import KeyFile
from bj_client.keyring import Keyring
from serving import key_of
from whole.nursery import Child

_ports: dict[Path, str] = {}


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
        _ports[bank] = self.address.rpartition(":")[2]

    def hand_over(self, *handles: str) -> None:
        """Give the real clients the keys of players who were guests on the wire."""
        for handle in handles:
            server = read_address(self.address).name
            path = Keyring(server, pytest.fail).path(handle)
            path.unlink(missing_ok=True)  # of an earlier test on the same port
            KeyFile(path, pytest.fail).keep(key_of(handle))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.output, errors = self.process.communicate()
        assert self.process.returncode == 0, errors
        assert errors == ""
