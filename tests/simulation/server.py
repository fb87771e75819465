"""The server: the real one, from its bank to its front door, in a process that can die.

It runs on a loop, threads and a disk of the world. ``die`` ends it as ``kill -9``
would: nothing that it does after has an effect.
"""

import logging
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from bj_server.bank.bank import Bank
from bj_server.host import host
from bj_server.settings import Settings
from simulation.agenda import Agenda
from simulation.disk import Disk
from simulation.failure import Failure
from simulation.loop import WorldLoop
from simulation.thread import Dead, Threads

if TYPE_CHECKING:
    import asyncio

SEGMENT_BYTES = 100_000
_LOUD = logging.ERROR


class Listener(logging.Handler):
    """Hears the log of the server; a logged fault of ours is a failure."""

    def __init__(self, check: Callable[[str], None]) -> None:
        super().__init__(logging.DEBUG)
        self._check = check
        self.failure: Failure | None = None
        self.is_deaf = False
        """Whether the process that logs is gone."""

    def emit(self, record: logging.LogRecord) -> None:
        if self.is_deaf:
            return
        text = f"{record.getMessage()} {getattr(record, 'handle', '')}"
        if record.exc_info and record.exc_info[1] is not None:
            if isinstance(record.exc_info[1], Dead):
                return
            text += f" {record.exc_info[1]!r}"
            if record.levelno >= _LOUD:
                self._fail(Failure("no fault of ours comes", text))
        try:
            self._check(text)
        except Failure as failure:  # not for the server, which logs this just now
            self._fail(failure)

    def _fail(self, failure: Failure) -> None:
        self.failure = self.failure or failure


class Server:
    """One process."""

    def __init__(
        self, agenda: Agenda, disk: Disk, patch: pytest.MonkeyPatch, log: Listener
    ) -> None:
        self._agenda, self._disk, self._log = agenda, disk, log
        log.is_deaf = False
        self.threads = Threads(agenda)
        self.loop = WorldLoop(agenda, self.threads)
        self.bank: Bank | None = None
        self.is_dying = False
        self._main: asyncio.Task[None] | None = None
        disk.threads, disk.died = self.threads, self._doom
        for name, module in sorted(sys.modules.items()):
            if name.startswith("bj_server.bank."):
                for each in {"threading", "queue"} & vars(module).keys():
                    patch.setattr(module, each, self.threads)
                if hasattr(module, "ThreadPoolExecutor"):
                    maker = self.threads.ThreadPoolExecutor
                    patch.setattr(module, "ThreadPoolExecutor", maker)

    def _doom(self) -> None:
        self.is_dying = True

    def start(self, settings: Settings) -> None:
        """Open the bank, and begin to serve.

        Raises:
            BankError: if the bank cannot be opened.
            Dead: if the process dies on the way.
        """
        self.bank = Bank.open(
            settings.bank,
            keep=settings.table_names,
            now=self._agenda.utc,
            segment_bytes=SEGMENT_BYTES,
        )
        with self.loop.running():
            serving = host(settings, self.bank, lambda *_: None, lambda: settings, None)
            self._main = self.loop.create_task(serving)

    @property
    def is_over(self) -> bool:
        """Whether it has ended by itself."""
        return self._main is not None and self._main.done()

    @property
    def error(self) -> BaseException | None:
        """What it has ended by."""
        assert self._main is not None
        return self._main.exception()

    def stop(self) -> None:
        """Ask it to end, by SIGTERM."""
        ring = self.loop.signals.get(signal.SIGTERM)
        if ring is not None:
            with self.loop.running():
                ring()

    def close(self) -> None:
        """Close the bank after an end in order.

        Raises:
            BankError: if that cannot be written.
            Dead: if the process dies on the way.
        """
        assert self.bank is not None
        try:
            self.bank.close()
        finally:
            self._end()

    def die(self) -> None:
        """Be gone, from one moment to the next."""
        self._disk.is_gone = True
        self._end()

    def _end(self) -> None:
        self._log.is_deaf = True
        self.threads.kill()
        self._disk.is_gone = True
        self.loop.end()
        self._disk.release()
        self._disk.threads = None
