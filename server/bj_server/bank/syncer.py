"""The syncer: one thread that puts written lines on the disk for all who wait.

It knows how far a file is written and how far it is synced, by places in the journal,
and nothing of their content. After a failure it trusts nothing, tells all who wait,
and rests until somebody has mended the file.
"""

import asyncio
import contextlib
import os
import queue
import sys
import threading
from pathlib import Path

from bj_server.bank.disk import sync, why
from bj_server.bank.error import JournalStalledError
from bj_server.bank.reader import Position

_Loop = asyncio.AbstractEventLoop


class Syncer:
    """Syncs one open file at a time."""

    def __init__(self, path: Path, descriptor: int, place: Position) -> None:
        """Begin with a file that is written and synced up to ``place``."""
        self.written = place
        """The end of the bytes that the system has; the writer moves it on."""
        self.synced = place
        """The end of the bytes that are known to be on the disk."""
        self._down = place
        """The end of the bytes that the last good sync put on the disk."""
        self.failure: str | None = None
        """Why nothing more is trusted, while that is so."""
        self._path = path
        self._descriptor = descriptor
        self._loop: _Loop | None = None
        """The loop on which all wait."""
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []
        self._is_asked = False
        """Whether the thread has been asked, and has not called back."""
        self._asked: queue.SimpleQueue[_Loop | None] = queue.SimpleQueue()
        """Whom the thread calls back after a sync; None at its end."""
        self._syncing = threading.Lock()
        self._thread = threading.Thread(
            target=self._serve, name="journal-sync", daemon=True
        )
        self._thread.start()

    def fail(self, reason: str) -> None:
        """Trust nothing from here on; the first reason is kept."""
        self.failure = self.failure or reason

    def refuse_if_failed(self) -> None:
        """Check that nothing has failed."""
        if self.failure is not None:
            raise JournalStalledError(self._path, self.failure)

    async def wait(self, seq: int) -> None:
        """Wait until a written line is on the disk."""
        self.refuse_if_failed()
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # that one is over, and nobody waits there
            self._loop, self._waiters, self._is_asked = loop, [], False
        future = loop.create_future()
        self._waiters.append((seq, future))
        self._ask()
        await future
        if seq > self.synced.seq:
            self.refuse_if_failed()

    def sync(self) -> None:
        """Sync what is written, on the calling thread."""
        self._put_down()
        self._trust()

    def _put_down(self) -> None:
        """Put what is written on the disk; one sync runs at a time."""
        with self._syncing:
            # After a failure the system might call the next sync a success.
            if self.failure is not None:
                return
            written = self.written
            try:
                sync(self._descriptor, only_data=True)
            except OSError as error:
                self.fail(why(error))
            else:
                self._down = written

    def _trust(self) -> None:
        """Take what was put down for safe, if the file is still the one at its path."""
        try:
            check_own(self._path, self._descriptor, self._down.size)
        except OSError as error:
            self.fail(why(error))
        else:
            self.synced = self._down

    def settle(self) -> Position:
        """Wait for the sync that runs, if one does; return what is on the disk."""
        with self._syncing:
            return self.synced

    def adopt(self, path: Path, descriptor: int, place: Position) -> None:
        """Go on with a file that is whole and synced up to ``place``."""
        with self._syncing:
            self._path, self._descriptor = path, descriptor
            self.written = self.synced = self._down = place
            self.failure = None

    def close(self) -> None:
        """Serve those who still wait, and end the thread."""
        self._asked.put(None)
        self._thread.join()

    def _ask(self) -> None:
        """Have the thread sync, unless it is about to."""
        if not self._is_asked:
            self._is_asked = True
            self._asked.put(self._loop)

    def _serve(self) -> None:
        # Each call of the system here gives the interpreter away, and a busy loop is
        # slow to give it back; so there is one such call a turn.
        while (loop := self._asked.get()) is not None:
            self._put_down()
            # A loop may have been closed, and its waiters are gone.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        """Wake those whose line is safe, and all if no line will be just now."""
        self._trust()
        reached = self.synced.seq if self.failure is None else sys.maxsize
        waiting, self._waiters, self._is_asked = self._waiters, [], False
        for seq, future in waiting:
            if seq > reached:
                self._waiters.append((seq, future))
                self._ask()
            elif not future.done():
                future.set_result(None)


def check_own(path: Path, descriptor: int, size: int) -> None:
    """Check that an open file is still the one at its path, and has ``size`` bytes.

    A file that others have taken away can be written and synced all the same.

    Raises:
        FileNotFoundError: if it is not, whatever is there instead.
    """
    ours = os.fstat(descriptor)
    if ours.st_nlink == 0:
        raise FileNotFoundError("it was deleted")
    try:
        there = path.stat()
    except OSError:
        raise FileNotFoundError("it was moved away") from None
    if not os.path.samestat(ours, there):
        raise FileNotFoundError("another file was put in its place")
    if ours.st_size < size:
        raise FileNotFoundError("another program has cut it short")
