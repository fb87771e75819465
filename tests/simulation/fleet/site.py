"""One server of a fleet in a world: its process, its site, and what befalls them."""

import random
from asyncio import events
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bj_server.bank.disk import replace_file
from bj_server.bank.error import BankUnusableError, JournalStalledError
from bj_server.bank.signer import FLEET_NAME, Signer
from bj_server.fleet.error import FencedError, FleetAwayError, FleetError
from bj_server.settings import Settings
from simulation.failure import hold
from simulation.fate import Fate
from simulation.fleet.road import Road
from simulation.plan import Incident, TableSketch
from simulation.server import Process, Server
from simulation.site import Site
from simulation.watchman import Watchman

if TYPE_CHECKING:
    from simulation.fleet.world import FleetWorld
    from simulation.guest import Guest
    from simulation.thread import Threads

_TRIES = 20
"""Starts in a row that may end since another one seems to serve, or nobody answers."""


class InTurn:
    """Stands for the modules of threads: has those of the process that runs."""

    def __init__(self) -> None:
        self.now: Threads | None = None
        """Those of the process that opens or closes its bank."""

    def __getattr__(self, name: str) -> Any:
        loop = events._get_running_loop()
        threads = getattr(loop, "_threads", self.now)
        return getattr(threads, name)


class MemberProcess(Server):
    """A whole server of a fleet, beside others."""

    site: "FleetSite"

    def start(self, settings: Settings) -> None:
        world = self.site.world
        world.backend.roads[self.loop] = self.site.road
        with world.in_turn(self.threads):
            super().start(settings)

    def close(self) -> None:
        with self.site.world.in_turn(self.threads):
            super().close()

    def _end(self) -> None:
        world = self.site.world
        world.backend.roads.pop(self.loop, None)
        for line in [*self.site.road.lines]:
            line.break_down("the server is gone")
        with world.in_turn(self.threads):
            super()._end()
        self._log.is_deaf = False


class FleetWatchman(Watchman):
    """Watches a server that may have to wait until it is let in."""

    _refusals = 0
    _site: "FleetSite"

    def look(self) -> None:
        if self._site.is_in:
            self._refusals = 0
        super().look()

    def _has_stalled(self, server: Process) -> bool:
        error = server.error
        if isinstance(
            error, JournalStalledError | BankUnusableError
        ):  # before it was let in
            hold(self._site.disk.refused, "a sound disk takes a server's epoch", error)
            return True
        if not isinstance(error, FleetError):
            return super()._has_stalled(server)
        self._site.note(f"the server is not let in: {type(error).__name__}")
        self._refusals += 1
        is_served = "is served already" in str(error)
        is_fit = isinstance(error, FleetAwayError) or is_served
        hold(is_fit and not isinstance(error, FencedError), "a server is let in", error)
        hold(self._refusals < _TRIES, "a server is let in at last", error)
        return False


class FleetFate(Fate):
    """Has things happen to the road and to travellers, too."""

    _site: "FleetSite"

    def _happen(self, incident: Incident) -> None:
        road, seconds = self._site.road, 0.1 + 20 * incident.size
        match incident.kind:
            case "sql_cut":
                road.cut()
            case "sql_away":
                road.close(seconds)
            case "sql_dead":
                road.go_dead(seconds)
            case "sql_slow":
                road.slow_down(seconds, incident.size)
            case "sql_snap" | "sql_double" | "sql_hold":
                what = incident.kind.removeprefix("sql_")
                is_choosy = incident.who % 4 > 0
                road.disturb(int(15 * incident.size), what, is_choosy=is_choosy)
            case "move":
                travellers = self._site.world.travellers
                travellers[incident.who % len(travellers)].move()
            case _:
                super()._happen(incident)


class FleetSite(Site):
    """Where one server of a fleet runs."""

    world: "FleetWorld"

    def __init__(
        self,
        world: "FleetWorld",
        folder: Path,
        tables: tuple[TableSketch, ...],
        name: str,
    ) -> None:
        super().__init__(world, folder, tables, name)
        self.watchman, self.fate = FleetWatchman(self), FleetFate(self)
        self.road = Road(self.agenda, random.Random(f"road {world.plan.seed}{name}"))

    @property
    def address(self) -> str:
        return f"ws://{self.name}"

    def enrol(self, key: Signer, url: str) -> None:
        """Have the fleet's ``key`` take the server in."""
        folder = self.settings.bank
        server = Signer.open(folder)
        view = key.take_in(server.key, self.name, self.address)
        replace_file(folder / FLEET_NAME, view.model_dump_json().encode())
        self.settings = replace(self.settings, fleet=url)

    def new_process(self) -> MemberProcess:
        process = MemberProcess(self.agenda, self.disk, self.world.patch, self.log)
        process.site = self
        self.world.share_threads()
        takes_over = self.chance.random() < 0.5
        self.settings = replace(self.settings, takes_over=takes_over)
        return process

    @property
    def visitors(self) -> "list[Guest]":
        return [guest for guest in self.world.travellers if guest.site is self]

    @property
    def is_in(self) -> bool:
        """Whether the server is one of the fleet, and lets players in."""
        server = self.watchman.server
        return server is not None and "tcp" in server.loop.doors

    def note(self, text: str) -> None:
        super().note(f"{self.name}: {text}")
