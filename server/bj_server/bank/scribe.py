"""The scribe: writes ``bank.json``, never an older one over a newer one."""

import threading
from pathlib import Path

from bj_server.bank.snapshot import Snapshot


class Scribe:
    """Writes snapshots of one folder, on any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        """Write into ``folder``."""
        self._folder = folder
        self._newest = 0
        self._writing = threading.Lock()

    def write(self, snapshot: Snapshot) -> None:
        """Put a snapshot in its place, unless a newer one is there already.

        Raises:
            BankUnusable: if the system refuses; the one before it still stands.
        """
        with self._writing:
            if snapshot.place.seq >= self._newest:
                snapshot.write(self._folder)
                self._newest = snapshot.place.seq
