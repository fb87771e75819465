"""A world with a fleet: some servers, one PostgreSQL, and players who move about."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from bj_server.bank.signer import Signer
from bj_server.fleet import cage, directory, entry, member
from bj_server.fleet.sql import connections
from simulation.failure import hold
from simulation.fleet.backend import Backend, Line
from simulation.fleet.ledger import Ledger
from simulation.fleet.site import FleetSite, InTurn
from simulation.fleet.traveller import Traveller
from simulation.guest import Guest
from simulation.line import Line as GuestLine
from simulation.plan import Plan
from simulation.server import thread_modules
from simulation.site import Site
from simulation.thread import Threads
from simulation.world import Outcome, World

if TYPE_CHECKING:
    from bj_client.fair.witness import Witness

_CALM = 120.0
"""Seconds in which all visits are to agree once nothing more befalls the fleet."""
_LOOKS = 20.0
"""Seconds between two looks at all journals."""


class FleetWorld(World):
    """A world of a plan with servers, over the database of ``url``."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        patch: pytest.MonkeyPatch,
        url: str,
        trace: int = 0,
    ) -> None:
        self._url = url
        self.threads = InTurn()
        super().__init__(plan, folder, patch, trace)
        self.backend = Backend(self.agenda, url)
        self.ledger = Ledger(url)
        self._seen, self._look_again = 0, 0.0
        patch.setattr(psycopg.AsyncConnection, "connect", self.backend.connect)
        for module in (connections, directory):
            patch.setattr(module, "cut", _cut)
        patch.setattr(member, "enter", self._enter)
        drawn = random.Random(f"fleet {plan.seed}")
        names = SimpleNamespace(
            token_hex=lambda count: drawn.randbytes(count).hex(),
            randbelow=drawn.randrange,
        )
        for module in (cage, entry, member):
            patch.setattr(module, "secrets", names)

    async def _enter(self, *given: Any, **named: Any) -> cage.Cage:
        return await entry.enter(*given, clock=lambda: self.agenda.now, **named)

    def _build(self) -> list[Site]:
        self.folder.mkdir(mode=0o700)
        names = {table.server for table in self.plan.tables}
        self.fleet = [
            FleetSite(
                self,
                self.folder / name,
                tuple(table for table in self.plan.tables if table.server == name),
                name,
            )
            for name in sorted(names)
        ]
        return [*self.fleet]

    def _invite(self) -> list[Guest]:
        witnesses: dict[tuple[str, str], Witness] = {}
        self.travellers = []
        for who in self.plan.guests:
            chance = random.Random(f"guest {who.name} {self.plan.seed}")
            traveller = Traveller(self, who, chance, witnesses)
            self.travellers.append(traveller)
            self.agenda.after(chance.random() * 5, traveller.come)
        return [*self.travellers]

    # For sites and travellers.

    def share_threads(self) -> None:
        """Have each process find its own threads."""
        for module, name in thread_modules():
            self.patch.setattr(module, name, self.threads)

    @contextmanager
    def in_turn(self, threads: Threads) -> Iterator[None]:
        """Have a process run that opens or closes its bank."""
        before, self.threads.now = self.threads.now, threads
        try:
            yield
        finally:
            self.threads.now = before

    def at(self, address: str) -> FleetSite:
        """Return the site of an address."""
        return next(site for site in self.fleet if site.address == address)

    def connect(self, guest: Guest, chance: random.Random) -> GuestLine | None:
        assert isinstance(guest, Traveller)
        return self.lead(guest, chance, guest.site)

    # Playing.

    def play(self) -> Outcome:
        key = Signer.after()
        for site in self.fleet:
            site.enrol(key, self._url)
        return super().play()

    def _step(self) -> int:
        count = super()._step()
        if self.backend.ends != self._seen:
            self._seen = self.backend.ends
            self.ledger.check_sums()
        if self.agenda.now >= self._look_again:
            self._look_again = self.agenda.now + _LOOKS
            # A journal may end in a torn line until a server has opened it.
            self.ledger.check_halves(site for site in self.fleet if site.is_in)
        return count

    def _end(self) -> Outcome:
        self._calm_down()
        outcome = super()._end()
        left = self.ledger.check_halves(self.fleet)
        hold(not left, "every visit is on both sides in the end", left)
        return outcome

    def _calm_down(self) -> None:
        """See that all that is on its way arrives, once nothing more happens."""
        self.is_ending = True
        for site in self.fleet:
            site.disk.mend()
            site.watchman.spare()
            site.road.mend()
        ends = self.agenda.now + _CALM
        while not self._is_settled():
            hold(self.agenda.now < ends, "every visit arrives", self._left)
            until = self.agenda.now + 3
            while self.agenda.now < until:
                self._step()
                for site in self.fleet:
                    site.watchman.look()

    def _is_settled(self) -> bool:
        if not all(site.is_in for site in self.fleet):
            self._left = ["a server"]
            return False
        self._left = self.ledger.check_halves(self.fleet)
        return not self._left

    def close(self) -> None:
        """Leave PostgreSQL alone."""
        self.backend.close()
        self.ledger.close()


def _cut(line: Line) -> None:
    line.break_down("the server has cut the line")
