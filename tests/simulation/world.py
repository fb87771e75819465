"""The world: a server, its disk, the network and the guests, played from a plan.

It takes one step after the other: the next handle of the server's loop, or the next
thing on the agenda once the loop is idle. After each of these the properties are
checked. What breaks one is a ``Failure``.
"""

import contextlib
import hashlib
import logging
import random
import shutil
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import pytest

from bj_client.fair import linker
from bj_client.fair.witness import Witness
from bj_server.bank.error import (
    BankUnusableError,
    FolderLockedError,
    JournalStalledError,
)
from bj_server.net.limits import Limits
from bj_server.settings import Settings, TablePlan
from simulation.agenda import Agenda
from simulation.bookkeeping import Books
from simulation.desk import Desk
from simulation.disk import Disk
from simulation.ear import texts_of
from simulation.failure import Failure, hold
from simulation.guest import Guest
from simulation.monitor import Monitor, Secrets
from simulation.network import Wire
from simulation.plan import ENDS, Incident, Plan
from simulation.server import Listener, Server
from simulation.thread import Dead

_PATIENCE = 900.0
"""Seconds in which a round has to end."""
_STEPS = 200_000
"""Steps that one world may take for each round."""
_TRIES = 3
"""Starts that may fail for the disk, before it is mended."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a world has ended."""

    digest: str
    rounds: int
    seconds: float
    """Of its own time."""
    judged: int
    """Rounds that the reference has settled alike."""
    proofs: int
    starts: int
    answers: int
    shy: int


class World:
    """One world; ``play`` it once."""

    def __init__(
        self, plan: Plan, folder: Path, patch: pytest.MonkeyPatch, trace: int = 0
    ) -> None:
        self.plan, self._patch = plan, patch
        self.agenda = Agenda()
        self._chance = random.Random(f"world {plan.seed}")
        self.secrets = Secrets(random.Random(f"secrets {plan.seed}"))
        self.monitor = Monitor(self.secrets)
        self.trace: deque[str] = deque(maxlen=trace)
        self._digest = hashlib.sha256()
        folder.mkdir(mode=0o700)
        self.disk = Disk(folder, patch, random.Random(f"disk {plan.seed}"))
        self.books = Books(folder)
        self.desk = Desk(self)
        self.server: Server | None = None
        self.starts = self.mishaps = 0
        self._failed_starts = 0
        self._ports = 40_000
        self._look_at = 0.0
        self._failure: Failure | None = None
        self._is_ending = False
        self._countdown: int | None = None
        """How many handles the server has left."""
        self._dies_by = "kill"
        self._log = Listener(self.secrets.check_log)
        self._settings = Settings(
            hosts=("10.0.0.1",),
            port=0,
            bank=folder,
            tables=tuple(
                TablePlan(
                    name=table.name,
                    house=table.house,
                    seats=table.seats,
                    pace=plan.pace,
                    is_proven=table.is_proven,
                )
                for table in plan.tables
            ),
            seed=None,
            stack=(),
            limits=Limits(),
            low_space=0,
        )
        self.guests = self._invite()

    def _invite(self) -> list[Guest]:
        guests, keyboards = [], dict[str, Witness]()
        for who in self.plan.guests:
            chance = random.Random(f"guest {who.name} {self.plan.seed}")
            witness = keyboards.get(who.address)
            if witness is None:
                witness = Witness("table", now=lambda: self.agenda.now)
                keyboards[who.address] = witness
            guest = Guest(self, who, chance, witness)
            guests.append(guest)
            self.agenda.after(chance.random() * 5, guest.come)
        return guests

    @property
    def digest(self) -> str:
        """The hash of all that was said and done until now."""
        return self._digest.hexdigest()

    # What guests see of it.

    def connect(self, guest: Guest, chance: random.Random) -> Wire | None:
        server = self.server
        if server is None:
            return None
        self._ports += 1
        peer = (guest.who.address, self._ports)
        wire = Wire(self.agenda, server.loop, guest, chance, peer, self.tap)
        wire.knock()
        return wire

    def tap(self, wire: Wire, data: bytes) -> None:
        """Hear what the server says to anyone."""
        for text in texts_of(data):
            who = f"{self.agenda.now:.6f} {wire.peer[1]} "
            self._digest.update(f"{who}{text}".encode())
            if self.trace.maxlen:
                self.note(f"-> {wire.peer[1]} {text[:300]}")
            try:
                self.monitor.hear(text, self.agenda.now)
            except Failure as failure:  # not for the server, which says this just now
                self._failure = self._failure or failure

    def note(self, text: str) -> None:
        """Keep a line for people, in the trace and in the digest."""
        text = text.replace(str(self._folder), "bank")
        self._digest.update(f"{self.agenda.now:.6f} {text}".encode())
        if self.trace.maxlen:
            self.trace.append(f"{self.agenda.now - 1000:9.3f} {text}")

    # Playing.

    def play(self) -> Outcome:
        """Play until all rounds are over.

        Raises:
            Failure: if a property does not hold.
        """
        for incident in self.plan.incidents:
            self.agenda.at(1000 + incident.at, partial(self._befall, incident))
        self._start()
        steps, limit, before = 0, _STEPS * self.plan.rounds, (0, self.agenda.now)
        while self.monitor.rounds < self.plan.rounds:
            steps += 1
            hold(steps < limit, "the world goes on", "it takes too many steps")
            self._step()
            if self.monitor.rounds > before[0]:
                before = self.monitor.rounds, self.agenda.now
            if self.agenda.now - before[1] > _PATIENCE:
                hold(not self._is_anyone_able(), "every round ends")
                before = before[0], self.agenda.now
        return self._end()

    def _is_anyone_able(self) -> bool:
        return any(guest.is_here and guest.who.absence < 1 for guest in self.guests)

    def _step(self) -> None:
        server = self.server
        if server is None or server.loop.is_idle:
            hold(self.agenda.step(), "the world goes on", "nothing is to happen")
        else:
            server.loop.step()
            if self._countdown is not None:
                self._countdown -= 1
                if self._countdown < 0:
                    server.is_dying = True
        if self._failure is not None:
            raise self._failure
        if server is not None and server is self.server:
            self._check(server)

    def _check(self, server: Server) -> None:
        if server.is_dying:
            self._die()
            return
        if self._log.failure is not None:
            raise self._log.failure
        if server.is_over:
            self._close(server)
            return
        if server.loop.is_idle:
            if server.bank is not None:
                self.books.check(server.bank)
            stalled = server.bank is not None and server.bank.journal.stalled
            if stalled:
                self.monitor.put_off()
            elif self.agenda.now >= self._look_at:
                self._look_at = self.agenda.now + 0.5
                self._check_time()

    def _check_time(self) -> None:
        here = {guest.who.table for guest in self.guests if guest.is_here}
        for name in here:
            self.monitor.table(name).check_time(self.agenda.now)

    # The server comes and goes.

    def _start(self) -> None:
        self._countdown = None
        self.server = server = Server(self.agenda, self.disk, self._patch, self._log)
        self.starts += 1
        refused = self.disk.refused
        try:
            server.start(self._settings)
        except Dead:
            self._die()
            return
        except (BankUnusableError, JournalStalledError, FolderLockedError) as error:
            self.note(f"the server does not start: {error}")
            server.die()
            self._failed_starts += 1
            if self._failed_starts >= _TRIES or isinstance(error, FolderLockedError):
                is_sound = self.disk.refused == refused
                hold(not is_sound, "a sound disk opens", error)
                self.disk.mend()
                self._failed_starts = 0
            self.server = None
            self.agenda.after(1, self._start)
            return
        except Exception as error:
            raise Failure("a bank opens after any end", repr(error)) from error
        self._failed_starts = 0
        assert server.bank is not None
        self.note(f"the server starts {server.bank.repaired or ''}")
        self.books.compare(self.monitor, self._folder)
        self.monitor.restart()

    @property
    def _folder(self) -> Path:
        return self._settings.bank

    def _die(self) -> None:
        server = self.server
        assert server is not None
        self.note(f"the server dies, by {self._dies_by}")
        server.die()
        self.mishaps += 1
        if self._dies_by == "power":
            self.disk.cut_power()
            self.monitor.doubt()
        self._leave()

    def _close(self, server: Server) -> None:
        stalled = self._is_stalled(server)
        refused = self.disk.refused
        try:
            server.close()
        except JournalStalledError:
            is_sound = self.disk.refused == refused and not stalled
            hold(not is_sound, "a sound disk takes the last lines")
        except Dead:
            self._die()
            return
        self._leave()

    def _is_stalled(self, server: Server) -> bool:
        """Whether a server has ended while its bank could not write."""
        error = server.error
        self.note(f"the server ends {error!r}")
        stalled = isinstance(error, BaseExceptionGroup) and (
            error.split(JournalStalledError)[1] is None
        )
        name = "the server serves until it is stopped"
        hold(error is None or stalled, name, repr(error))
        return stalled

    def _leave(self) -> None:
        """Have all lines end, and another server come."""
        self.server = None
        for guest in self.guests:
            guest.doubt()
            wire = guest.wire
            if wire is not None and not wire.is_dead:
                wire.break_down()
        self.agenda.after(self._chance.choice((0.1, 2, 20)), self._start)

    # What happens.

    def _befall(self, incident: Incident) -> None:
        if self._is_ending:
            return
        self.note(f"* {incident}")
        if incident.kind in ENDS:
            self._finish(incident)
        elif not self.desk.obey(incident) and not self._hurt(incident):
            self._happen(incident)

    def _happen(self, incident: Incident) -> None:  # noqa: C901 - one flat match
        guest = self.guests[incident.who % len(self.guests)]
        match incident.kind:
            case "cut":
                guest.cut()
            case "dead":
                guest.go_dead()
            case "freeze":
                guest.freeze(0.5 + 40 * incident.size)
            case "over":
                guest.take_over()
            case "leave":
                guest.leave()
            case "look":
                guest.look()
            case "recall":
                guest.look_back()
            case "chat":
                guest.chat()
            case "offend":
                hostile = [each for each in self.guests if each.who.is_hostile]
                if hostile:
                    hostile[incident.who % len(hostile)].offend()
            case _:
                raise AssertionError(incident.kind)

    def _hurt(self, incident: Incident) -> bool:
        disk, seconds = self.disk, 0.1 + 20 * incident.size
        match incident.kind:
            case "full":
                disk.is_full = True
            case "short":
                disk.is_short = True
            case "slow":
                disk.sync_seconds = incident.size * 3
            case "failing":
                calls = ("write", "fdatasync", "fsync", "open", "replace", "ftruncate")
                disk.failing[calls[incident.who % 6]] = 1 + int(5 * incident.size)
            case _:
                return False
        self.agenda.after(seconds, disk.mend)
        return True

    def _finish(self, incident: Incident) -> None:
        server = self.server
        if server is None:
            return
        self._dies_by = "power" if incident.kind.startswith("power") else "kill"
        if incident.kind == "stop":
            server.stop()
        elif incident.kind.endswith("_at_call"):
            self.disk.last = int(12 * incident.size)
        else:
            self._countdown = int(40 * incident.size)

    def _end(self) -> Outcome:
        """Stop the server in order, and audit all that it leaves."""
        self._is_ending = True
        self.disk.mend()
        self._countdown, self.disk.last = None, None
        rounds = self.monitor.rounds
        end = self.agenda.now + 120
        while self.server is None or not self._is_stopped(self.server):
            hold(self.agenda.now < end, "the server stops when asked")
            self._step_to_end()
        self.note("the end")
        houses = {table.name: table.house for table in self.plan.tables}
        self.books.audit(self._folder, self.monitor, houses)
        guests = self.guests
        return Outcome(
            digest=self.digest,
            rounds=rounds,
            seconds=self.agenda.now - 1000,
            judged=self.books.judged,
            proofs=sum(guest.proofs for guest in guests),
            starts=self.starts,
            answers=sum(guest.answers for guest in guests),
            shy=sum(guest.shy for guest in guests),
        )

    def _is_stopped(self, server: Server) -> bool:
        if not server.is_over:
            server.stop()
            return False
        self._is_stalled(server)
        with contextlib.suppress(JournalStalledError):
            server.close()
        return True

    def _step_to_end(self) -> None:
        server = self.server
        if server is not None and not server.loop.is_idle:
            server.loop.step()
        else:
            hold(self.agenda.step(), "the world goes on", "nothing is to happen")
        if self._log.failure is not None:
            raise self._log.failure

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear the server's log."""
        log = logging.getLogger("bj_server")
        level, was_passed_on = log.level, log.propagate
        log.addHandler(self._log)
        log.setLevel(logging.DEBUG)
        log.propagate = False
        try:
            yield
        finally:
            log.removeHandler(self._log)
            log.setLevel(level)
            log.propagate = was_passed_on


Plant = Callable[[pytest.MonkeyPatch], None]
"""Puts a fault in."""


def sound(patch: pytest.MonkeyPatch) -> None:
    """Put no fault in."""


def play(
    plan: Plan,
    folder: Path,
    trace: int = 0,
    fault: Plant = sound,
) -> tuple[World, Failure | Outcome]:
    """Play a plan in ``folder``, which is made and is gone after, with a ``fault``."""
    state = random.getstate()
    random.seed(plan.seed)
    with pytest.MonkeyPatch.context() as patch:
        world = World(plan, folder, patch, trace)
        patch.setattr("secrets.token_hex", world.secrets.token_hex)
        patch.setattr("secrets.token_bytes", world.secrets.token_bytes)
        links = random.Random(f"links {plan.seed}")
        drawn = SimpleNamespace(token_bytes=links.randbytes)
        patch.setattr(linker, "secrets", drawn)
        patch.setattr(signal, "signal", lambda *_: signal.SIG_DFL)
        patch.setattr(socket, "create_server", lambda *_, **__: _Listening())
        fault(patch)
        with world.listening():
            try:
                ended: Failure | Outcome = world.play()
            except Failure as failure:
                ended = failure
            finally:
                if world.server is not None:
                    world.server.die()
    random.setstate(state)
    shutil.rmtree(folder)
    return world, ended


class _Listening:
    """Stands for a socket that listens."""

    family = socket.AF_INET

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def getsockname(self) -> tuple[str, int]:
        return "10.0.0.1", 8765

    def close(self) -> None:
        pass
