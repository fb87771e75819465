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
from simulation.agenda import Agenda
from simulation.failure import Failure, hold
from simulation.guest import Guest
from simulation.line import Line
from simulation.monitor import Secrets
from simulation.plan import Incident, Plan
from simulation.server import Listener
from simulation.site import Site

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
        self.plan, self.patch, self.folder = plan, patch, folder
        self.agenda = Agenda()
        self.chance = random.Random(f"world {plan.seed}")
        self.secrets = Secrets(random.Random(f"secrets {plan.seed}"))
        self.trace: deque[str] = deque(maxlen=trace)
        self._digest = hashlib.sha256()
        self._lines = 0
        self._failure: Failure | None = None
        self.is_ending = False
        """Whether all rounds are over."""
        self.log = Listener(self.secrets.check_log)
        self.sites = self._build()
        self.guests = self._invite()

    def _build(self) -> list[Site]:
        return [Site(self, self.folder, self.plan.tables)]

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

    @property
    def rounds(self) -> int:
        """How many were told to their end."""
        return sum(site.monitor.rounds for site in self.sites)

    @property
    def starts(self) -> int:
        """How many servers were started."""
        return sum(site.watchman.starts for site in self.sites)

    # What guests see of it.

    @property
    def mishaps(self) -> int:
        return sum(site.watchman.mishaps for site in self.sites)

    def connect(self, guest: Guest, chance: random.Random) -> Line | None:
        return self.lead(guest, chance, self.sites[0])

    def lead(self, guest: Guest, chance: random.Random, site: Site) -> Line | None:
        """Lead a guest to the server of a site, if one runs there."""
        server = site.watchman.server
        if server is None:
            return None
        self._lines += 1
        tell = partial(self._overhear, site)
        return server.connect(guest, chance, self._lines, tell)

    def _overhear(self, site: Site, line: int, text: str) -> None:
        """Hear what a server says to anyone, as it says it."""
        self._digest.update(f"{self.agenda.now:.6f} {line} {text}".encode())
        if self.trace.maxlen:
            self.note(f"-> {line} {text[:300]}")
        try:
            site.monitor.hear(text, self.agenda.now)
        except Failure as failure:  # not for the server, which says this just now
            self._failure = self._failure or failure

    def note(self, text: str) -> None:
        """Keep a line for people, in the trace and in the digest."""
        text = text.replace(str(self.folder), "bank")
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
            befall = partial(self._site_of(incident).fate.befall, incident)
            self.agenda.at(1000 + incident.at, befall)
        for site in self.sites:
            site.watchman.start()
        steps, limit, before = 0, _STEPS * self.plan.rounds, (0, self.agenda.now)
        while (rounds := self.rounds) < self.plan.rounds:
            steps += 1 + self._step()
            hold(steps < limit, "the world goes on", "it takes too many steps")
            for site in self.sites:
                site.watchman.look()
                site.check()
            if rounds > before[0]:
                before = rounds, self.agenda.now
            elif self.agenda.now - before[1] > _PATIENCE:
                hold(not self._is_anyone_able(), "every round ends")
                before = before[0], self.agenda.now
        return self._end()

    def _site_of(self, incident: Incident) -> Site:
        """Return the site at which something happens."""
        return self.sites[incident.who % len(self.sites)]

    def _is_anyone_able(self) -> bool:
        return any(guest.is_here and guest.who.absence < 1 for guest in self.guests)

    def _step(self) -> int:
        """Have the next thing happen, unless a server is at work on the last one.

        Returns:
            How many handles the servers ran then.
        """
        if not any(site.watchman.is_busy for site in self.sites):
            hold(self.agenda.step(), "the world goes on", "nothing is to happen")
        count = 0
        for site in self.sites:
            count += site.watchman.run()
        failure = self._failure or self.log.failure
        if failure is not None:
            raise failure
        return count

    def _end(self) -> Outcome:
        """Stop the servers in order, and audit all that they leave."""
        self.is_ending = True
        rounds = self.rounds
        for site in self.sites:
            site.disk.mend()
            site.watchman.spare()
        end = self.agenda.now + 120
        left = [*self.sites]
        while left:
            hold(self.agenda.now < end, "the server stops when asked")
            left = [site for site in left if not site.watchman.has_stopped()]
            if left:
                self._step()
        self.note("the end")
        for site in self.sites:
            site.close()
        guests = self.guests
        return Outcome(
            digest=self.digest,
            rounds=rounds,
            seconds=self.agenda.now - 1000,
            judged=sum(site.books.judged for site in self.sites),
            proofs=sum(guest.proofs for guest in guests),
            starts=self.starts,
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
