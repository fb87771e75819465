"""The server: the real one, from its bank to its front door, in a process that can die.

It runs on a loop, threads and a disk of the world. ``die`` ends it as ``kill -9``
would: nothing that it does after has an effect.
"""

import json
import logging
import random
import signal
import sys
from collections.abc import Callable, Coroutine
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankUnusableError
from bj_server.host import host
from bj_server.settings import Settings
from simulation.agenda import Agenda
from simulation.disk import Disk
from simulation.failure import Failure, hold
from simulation.line import Line, WireLine
from simulation.loop import WorldLoop
from simulation.network import Wire
from simulation.thread import Dead, Threads

if TYPE_CHECKING:
    import asyncio

    from simulation.guest import Guest

SEGMENT_BYTES = 100_000
_LOUD = logging.ERROR


class Tell(Protocol):
    """Is shown each text that a server says, with the number of the line."""

    def __call__(self, line: int, text: str, /) -> None: ...


class Listener(logging.Handler):
    """Hears the log of the server; a fault that is logged is a failure of ours.

    One of the disk is none.
    """

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
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            if isinstance(error, Dead):
                return
            text += f" {error!r}"
            if record.levelno >= _LOUD and not isinstance(error, BankUnusableError):
                self._fail(Failure("no fault of ours comes", text))
        try:
            self._check(text)
        except Failure as failure:  # not for the server, which logs this just now
            self._fail(failure)

    def _fail(self, failure: Failure) -> None:
        self.failure = self.failure or failure


def thread_modules() -> list[tuple[ModuleType, str]]:
    """Return each name by which a module of the bank knows a module of threads."""
    return [
        (module, each)
        for name, module in [*sys.modules.items()]
        if name.startswith("bj_server.bank.")
        for each in sorted({"threading", "queue"} & vars(module).keys())
    ]


class Process:
    """One process that has a bank open; what it serves is for its kinds to say."""

    def __init__(
        self, agenda: Agenda, disk: Disk, patch: pytest.MonkeyPatch, log: Listener
    ) -> None:
        self._agenda, self._disk, self._log = agenda, disk, log
        log.is_deaf = False
        self.threads = Threads(agenda)
        self.loop = WorldLoop(agenda, self.threads)
        self.bank: Bank | None = None
        self._main: asyncio.Task[None] | None = None
        disk.threads, disk.died = self.threads, self.doom
        self._share_threads(patch)

    def _share_threads(self, patch: pytest.MonkeyPatch) -> None:
        for module, name in thread_modules():
            patch.setattr(module, name, self.threads)

    # What its kinds do.

    def _serve(self, settings: Settings, bank: Bank) -> Coroutine[Any, Any, None]:
        raise NotImplementedError

    def connect(
        self, guest: "Guest", chance: random.Random, number: int, tell: Tell
    ) -> Line:
        """Return a new line, of a number that no other has."""
        raise NotImplementedError

    def obey(self, order: dict[str, Any]) -> None:
        """Carry out an order of the host."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ask it to end in order."""
        raise NotImplementedError

    # Its life.

    def doom(self) -> None:
        """Have it do nothing any more; it is to ``die``."""
        self.loop.is_dying = True

    @property
    def is_dying(self) -> bool:
        return self.loop.is_dying

    def start(self, settings: Settings) -> None:
        """Open the bank, and begin to serve.

        Raises:
            BankError: if the bank cannot be opened.
            Dead: if the process dies on the way.
        """
        self.bank = Bank.open(
            settings.bank,
            keep=settings.table_names,
            in_fleet=settings.fleet is not None,
            now=self._agenda.utc,
            segment_bytes=SEGMENT_BYTES,
        )
        with self.loop.running():
            self._main = self.loop.create_task(self._serve(settings, self.bank))

    @property
    def is_over(self) -> bool:
        """Whether it has ended by itself."""
        return self._main is not None and self._main.done()

    @property
    def error(self) -> BaseException | None:
        """What it has ended by."""
        assert self._main is not None
        return self._main.exception()

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


class Server(Process):
    """The whole server, with its connections and its host's socket."""

    def _serve(self, settings: Settings, bank: Bank) -> Coroutine[Any, Any, None]:
        return host(settings, bank, lambda *_: None, lambda: settings, None)

    def connect(
        self, guest: "Guest", chance: random.Random, number: int, tell: Tell
    ) -> Line:
        line = WireLine(guest)
        peer = guest.who.address, 40_000 + number
        wire = Wire(self._agenda, self.loop, line, chance, peer, line.overhear)
        line.open(wire, lambda text: tell(number, text))
        return line

    def obey(self, order: dict[str, Any]) -> None:
        make = self.loop.doors.get("host")
        if make is None:
            return
        chance = random.Random(f"order {self._agenda.now}")
        caller = _Caller()
        wire = Wire(self._agenda, self.loop, caller, chance, ("", 0), lambda _: None)
        with self.loop.running():
            protocol = make()
        wire.enter(protocol)
        wire.send(json.dumps(order).encode() + b"\n")

    def stop(self) -> None:
        """Send it SIGTERM."""
        ring = self.loop.signals.get(signal.SIGTERM)
        if ring is not None:
            with self.loop.running():
                ring()


class _Caller:
    """One order, and the reply to it."""

    def __init__(self) -> None:
        self.reply = b""

    def take(self, data: bytes) -> None:
        self.reply += data
        if self.reply.endswith(b"\n"):
            fields = json.loads(self.reply)
            hold(fields["lines"], "the host is answered", str(fields))

    def lost(self) -> None:
        pass
