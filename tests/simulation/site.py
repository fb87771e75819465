"""A site: one server of a world, with its folder, its disk, and what is known of it."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

from bj_server.net.limits import Limits
from bj_server.settings import Settings, TablePlan
from simulation.bookkeeping import Books
from simulation.disk import Disk
from simulation.fate import Fate
from simulation.hall import Hall
from simulation.monitor import Monitor
from simulation.plan import TableSketch
from simulation.server import Process, Server
from simulation.watchman import Watchman

if TYPE_CHECKING:
    from simulation.guest import Guest
    from simulation.world import World


class Site:
    """Where one server runs, again and again."""

    def __init__(
        self,
        world: "World",
        folder: Path,
        tables: tuple[TableSketch, ...],
        name: str = "",
    ) -> None:
        """Make the ``folder``; a site that is not alone has a ``name``."""
        self.world, self.name, self.tables = world, name, tables
        self.agenda, self.chance, self.log = world.agenda, world.chance, world.log
        folder.mkdir(mode=0o700)
        chance = random.Random(f"disk {world.plan.seed}{name}")
        self.disk = Disk(folder, world.patch, chance)
        self.monitor = Monitor(world.secrets)
        self.books = Books(folder)
        self.settings = self._settings(folder)
        self.watchman = Watchman(self)
        self.fate = Fate(self)
        self._look_at = 0.0

    def _settings(self, folder: Path) -> Settings:
        return Settings(
            hosts=("10.0.0.1",),
            port=0,
            bank=folder,
            tables=tuple(
                TablePlan(
                    name=table.name,
                    house=table.house,
                    seats=table.seats,
                    pace=self.world.plan.pace,
                    is_proven=table.is_proven,
                )
                for table in self.tables
            ),
            seed=None,
            stack=(),
            limits=Limits(),
            low_space=0,
        )

    def new_process(self) -> Process:
        """Return a process that does not run yet."""
        kind = Server if self.world.plan.has_net else Hall
        return kind(self.agenda, self.disk, self.world.patch, self.log)

    @property
    def guests(self) -> "list[Guest]":
        """All of the world."""
        return self.world.guests

    @property
    def visitors(self) -> "list[Guest]":
        """Those who come to this server, if it runs."""
        return self.world.guests

    def note(self, text: str) -> None:
        """Keep a line for people."""
        self.world.note(text)

    def check(self) -> None:
        """See that the properties hold while the server waits."""
        server = self.watchman.server
        if server is None or not server.loop.is_idle:
            return
        if server.bank is not None:
            self.books.check(server.bank)
        if self.watchman.is_stalled:
            self.monitor.put_off()
        elif self.agenda.now >= self._look_at:
            self._look_at = self.agenda.now + 0.5
            for name in {guest.who.table for guest in self.visitors if guest.is_here}:
                self.monitor.table(name).check_time(self.agenda.now)

    def close(self) -> None:
        """Audit what is left, and settle all rounds once more."""
        houses = {table.name: table.house for table in self.tables}
        is_audited = self.world.plan.is_audited
        self.books.close(self.monitor, houses, is_audited=is_audited)
