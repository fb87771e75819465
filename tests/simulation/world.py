"""The world: a server, its disk, its lines and its guests, played from a plan.

One thing on the agenda happens after the other, and after each of them the handles of
the server's loop run until it waits. The properties are checked as the server speaks,
and whenever it waits. What breaks one is a ``Failure``.

There are two kinds of worlds. Most of what a whole server does for a round is done for
its bytes: in a world with a net (``Server``) guests speak frames over lines that are
cut and split anywhere, by the real connections, limits and host's socket. A world
without one (``Hall``) has the same bank, dealers, disk, clock, guests and checks, and
its lines pass whole messages: it plays several times as many rounds in a second, and
those go to the order of things at a table and on the disk.
"""

import hashlib
import logging
import random
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bj_client.fair.witness import Witness
from bj_server.net.limits import Limits
from bj_server.settings import Settings, TablePlan
from simulation.agenda import Agenda
from simulation.bookkeeping import Books
from simulation.disk import Disk
from simulation.failure import Failure, hold
from simulation.fate import Fate
from simulation.guest import Guest
from simulation.line import Line
from simulation.monitor import Monitor, Secrets
from simulation.plan import Plan
from simulation.server import Listener
from simulation.watchman import Watchman

_PATIENCE = 900.0
"""Seconds in which a round has to end."""
_STEPS = 200_000
"""Steps that one world may take for each round."""


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
        self.plan, self.patch, self._folder = plan, patch, folder
        self.agenda = Agenda()
        self.chance = random.Random(f"world {plan.seed}")
        self.secrets = Secrets(random.Random(f"secrets {plan.seed}"))
        self.monitor = Monitor(self.secrets)
        self.trace: deque[str] = deque(maxlen=trace)
        self._digest = hashlib.sha256()
        folder.mkdir(mode=0o700)
        self.disk = Disk(folder, patch, random.Random(f"disk {plan.seed}"))
        self.books = Books(folder)
        self.watchman = Watchman(self)
        self._lines = 0
        self._look_at = 0.0
        self._failure: Failure | None = None
        self.is_ending = False
        """Whether all rounds are over."""
        self.log = Listener(self.secrets.check_log)
        self.settings = _settings(plan, folder)
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

    @property
    def mishaps(self) -> int:
        return self.watchman.mishaps

    def connect(self, guest: Guest, chance: random.Random) -> Line | None:
        server = self.watchman.server
        if server is None:
            return None
        self._lines += 1
        return server.connect(guest, chance, self._lines, self._overhear)

    def _overhear(self, line: int, text: str) -> None:
        """Hear what the server says to anyone, as it says it."""
        self._digest.update(f"{self.agenda.now:.6f} {line} {text}".encode())
        if self.trace.maxlen:
            self.note(f"-> {line} {text[:300]}")
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
            befall = partial(Fate(self).befall, incident)
            self.agenda.at(1000 + incident.at, befall)
        self.watchman.start()
        steps, limit, before = 0, _STEPS * self.plan.rounds, (0, self.agenda.now)
        while self.monitor.rounds < self.plan.rounds:
            steps += 1 + self._step()
            hold(steps < limit, "the world goes on", "it takes too many steps")
            self.watchman.look()
            self._check()
            if self.monitor.rounds > before[0]:
                before = self.monitor.rounds, self.agenda.now
            elif self.agenda.now - before[1] > _PATIENCE:
                hold(not self._is_anyone_able(), "every round ends")
                before = before[0], self.agenda.now
        return self._end()

    def _is_anyone_able(self) -> bool:
        return any(guest.is_here and guest.who.absence < 1 for guest in self.guests)

    def _step(self) -> int:
        """Have the next thing happen, unless the server is at work on the last one.

        Returns:
            How many handles the server ran then.
        """
        server = self.watchman.server
        if server is None or server.loop.is_idle or server.is_dying:
            hold(self.agenda.step(), "the world goes on", "nothing is to happen")
        count = self.watchman.run()
        failure = self._failure or self.log.failure
        if failure is not None:
            raise failure
        return count

    def _check(self) -> None:
        server = self.watchman.server
        if server is None or not server.loop.is_idle:
            return
        if server.bank is not None:
            self.books.check(server.bank)
        if self.watchman.is_stalled:
            self.monitor.put_off()
        elif self.agenda.now >= self._look_at:
            self._look_at = self.agenda.now + 0.5
            for name in {guest.who.table for guest in self.guests if guest.is_here}:
                self.monitor.table(name).check_time(self.agenda.now)

    def _end(self) -> Outcome:
        """Stop the server in order, and audit all that it leaves."""
        self.is_ending = True
        self.disk.mend()
        self.watchman.spare()
        rounds = self.monitor.rounds
        end = self.agenda.now + 120
        while not self.watchman.has_stopped():
            hold(self.agenda.now < end, "the server stops when asked")
            self._step()
        self.note("the end")
        houses = {table.name: table.house for table in self.plan.tables}
        self.books.close(self.monitor, houses, is_audited=self.plan.is_audited)
        guests = self.guests
        return Outcome(
            digest=self.digest,
            rounds=rounds,
            seconds=self.agenda.now - 1000,
            judged=self.books.judged,
            proofs=sum(guest.proofs for guest in guests),
            starts=self.watchman.starts,
            answers=sum(guest.player.answers for guest in guests),
            shy=sum(guest.player.shy for guest in guests),
        )

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear the server's log."""
        log = logging.getLogger("bj_server")
        level, was_passed_on = log.level, log.propagate
        log.addHandler(self.log)
        log.setLevel(logging.DEBUG)
        log.propagate = False
        try:
            yield
        finally:
            log.removeHandler(self.log)
            log.setLevel(level)
            log.propagate = was_passed_on


def _settings(plan: Plan, folder: Path) -> Settings:
    return Settings(
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
