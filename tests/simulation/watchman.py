"""The watchman: has a server run, sees how it ends, and has another one come."""

import contextlib
from typing import TYPE_CHECKING

from bj_server.bank.error import (
    BankUnusableError,
    FolderLockedError,
    JournalStalledError,
)
from simulation.failure import Failure, hold
from simulation.plan import Incident
from simulation.server import Process
from simulation.thread import Dead

if TYPE_CHECKING:
    from simulation.site import Site

_TRIES = 3
"""Starts that may fail for the disk, before it is mended."""
_AT_ONCE = 1000
"""Handles of a server that run between two looks at the site."""


class Watchman:
    """Owns the server of a site, from each start to its end."""

    def __init__(self, site: "Site") -> None:
        self._site = site
        self.server: Process | None = None
        self.starts = 0
        self.mishaps = 0
        """How often a server has ended as nobody wants it to."""
        self._failed_starts = 0
        self._countdown: int | None = None
        """How many handles the server has left; None for any number."""
        self._dies_by = "kill"

    def run(self) -> int:
        """Let the server go on until it waits; return the handles that it ran."""
        server = self.server
        if server is None or server.loop.is_idle:
            return 0
        left = self._countdown
        count = server.loop.run(_AT_ONCE if left is None else left)
        if left is not None:
            self._countdown = left - count
            if left == count:
                server.doom()
        return count

    def look(self) -> None:
        """See to a server that has ended."""
        server = self.server
        if server is not None:
            if server.is_dying:
                self._die(server)
            elif server.is_over:
                self._close(server)

    @property
    def is_busy(self) -> bool:
        """Whether the server has something to do now."""
        server = self.server
        return server is not None and not (server.loop.is_idle or server.is_dying)

    @property
    def is_stalled(self) -> bool:
        """Whether the bank cannot write just now."""
        bank = None if self.server is None else self.server.bank
        return bank is not None and bool(bank.journal.stalled)

    def finish(self, incident: Incident) -> None:
        """Have the server end, in order or not."""
        server = self.server
        if server is None:
            return
        self._dies_by = "power" if incident.kind.startswith("power") else "kill"
        if incident.kind == "stop":
            server.stop()
        elif incident.kind.endswith("_at_call"):
            self._site.disk.last = int(12 * incident.size)
        else:
            self._countdown = int(40 * incident.size)

    def spare(self) -> None:
        """Have the server die of nothing that was planned."""
        self._countdown, self._site.disk.last = None, None

    # A start.

    def start(self) -> None:
        site = self._site
        self._countdown = None
        server = self.server = site.new_process()
        self.starts += 1
        refused = site.disk.refused
        try:
            server.start(site.settings)
        except Dead:
            self._die(server)
            return
        except (BankUnusableError, JournalStalledError, FolderLockedError) as error:
            is_sound = site.disk.refused == refused
            self._try_again(server, error, is_sound=is_sound)
            return
        except Exception as error:
            raise Failure("a bank opens after any end", repr(error)) from error
        self._failed_starts = 0
        assert server.bank is not None
        site.note(f"the server starts {server.bank.repaired or ''}")
        site.books.compare(site.monitor)
        site.monitor.restart()

    def _try_again(self, server: Process, error: Exception, *, is_sound: bool) -> None:
        site = self._site
        site.note(f"the server does not start: {error}")
        server.die()
        self._failed_starts += 1
        if self._failed_starts >= _TRIES or isinstance(error, FolderLockedError):
            hold(not is_sound, "a sound disk opens", error)
            site.disk.mend()
            self._failed_starts = 0
        self.server = None
        site.agenda.after(1, self.start)

    # An end.

    def _die(self, server: Process) -> None:
        site = self._site
        site.note(f"the server dies, by {self._dies_by}")
        server.die()
        self.mishaps += 1
        if self._dies_by == "power":
            site.disk.cut_power()
            site.monitor.doubt()
        self._leave()

    def _close(self, server: Process) -> None:
        refused, stalled = self._site.disk.refused, self._has_stalled(server)
        self.mishaps += stalled
        try:
            server.close()
        except JournalStalledError:
            is_sound = self._site.disk.refused == refused and not stalled
            hold(not is_sound, "a sound disk takes the last lines")
        except Dead:
            self._die(server)
            return
        self._leave()

    def _has_stalled(self, server: Process) -> bool:
        """Whether a server has ended while its bank could not write."""
        error = server.error
        self._site.note(f"the server ends {error!r}")
        stalled = isinstance(error, BaseExceptionGroup) and (
            error.split(JournalStalledError)[1] is None
        )
        name = "the server serves until it is stopped"
        hold(error is None or stalled, name, repr(error))
        return stalled

    def _leave(self) -> None:
        """Have all lines end, and another server come."""
        site, self.server = self._site, None
        for guest in site.visitors:
            guest.player.doubt()
            if guest.line is not None and not guest.line.is_dead:
                guest.line.break_down()
        site.agenda.after(site.chance.choice((0.1, 2, 20)), self.start)

    def has_stopped(self) -> bool:
        """Ask the server to stop for good; whether it has, and its bank is closed."""
        server = self.server
        if server is None:
            return False
        if not server.is_over:
            server.stop()
            return False
        self._has_stalled(server)
        with contextlib.suppress(JournalStalledError):
            server.close()
        return True
