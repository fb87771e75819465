"""A real server of this machine, for as long as pictures are taken at its tables."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from picture.terminal import Terminal, environment

_PATIENCE = 30.0
_WIDE = (100, 30)


class Server:
    """Runs ``bj-server`` on a free port with a bank that is empty, and stops it.

    The cards are stacked, so that every picture comes out the same.
    """

    def __init__(self, folder: Path, cards: str, *options: str) -> None:
        """Start the server, with all that it keeps in ``folder``."""
        self._home = folder
        folder.mkdir()
        where = ("--port", "0", "--bank", str(folder / "bank"), "--stop-on-eof")
        shoe = ("--seed", "386", "--stack", cards)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bj_server", *where, *shoe, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(folder),
        )
        assert self._process.stdout is not None
        found = re.search(r"ws://([\d.]+:\d+)", self._process.stdout.readline())
        if found is None:
            self._stop()
            raise RuntimeError("bj-server did not start: see what it says by itself.")
        self.address = found[1]

    def __enter__(self) -> Self:
        """Return the server."""
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the server."""
        self._stop()

    def client(self, *options: str, size: tuple[int, int] = _WIDE) -> Terminal:
        """Return a terminal in which ``bj-client`` runs, for this server."""
        command = [sys.executable, "-m", "bj_client", *options]
        return Terminal(command, size, self._variables(BJ_PACE="0"))

    def shell(self, size: tuple[int, int] = _WIDE) -> Terminal:
        """Return a terminal with a shell, from which ``bj-client`` is started."""
        return Terminal(["sh", "-i"], size, self._variables(BJ_TABLE="main"))

    def _variables(self, **more: str) -> dict[str, str]:
        # Stacked cards prove nothing, and who knows that plays all the same.
        known = {"BJ_SERVER": self.address, "BJ_UNPROVEN": "1"}
        return environment(self._home, **known, **more)

    def _stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.communicate(timeout=_PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()
