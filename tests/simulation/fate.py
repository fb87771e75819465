"""Fate: has the incidents of a plan happen, to guests, to the disk, to the server."""

from typing import TYPE_CHECKING

from simulation.desk import Desk
from simulation.plan import ENDS, Incident

if TYPE_CHECKING:
    from simulation.site import Site

_CALLS = ("write", "fdatasync", "fsync", "open", "replace", "ftruncate")


class Fate:
    """What befalls a site, and its guests."""

    def __init__(self, site: "Site") -> None:
        self._site = site
        self._desk = Desk(site)

    def befall(self, incident: Incident) -> None:
        if self._site.world.is_ending:
            return
        self._site.note(f"* {incident}")
        if incident.kind in ENDS:
            self._site.watchman.finish(incident)
        elif not self._desk.obey(incident) and not self._hurt(incident):
            self._happen(incident)

    def _hurt(self, incident: Incident) -> bool:
        disk, seconds = self._site.disk, 0.1 + 20 * incident.size
        match incident.kind:
            case "full":
                disk.is_full = True
            case "short":
                disk.is_short = True
            case "slow":
                disk.sync_seconds = incident.size * 3
            case "failing":
                disk.failing[_CALLS[incident.who % 6]] = 1 + int(5 * incident.size)
            case _:
                return False
        self._site.agenda.after(seconds, disk.mend)
        return True

    def _happen(self, incident: Incident) -> None:  # noqa: C901 - one flat match
        guests = self._site.guests
        guest = guests[incident.who % len(guests)]
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
                hostile = [each for each in guests if each.who.is_hostile]
                if hostile:
                    hostile[incident.who % len(hostile)].offend()
            case _:
                raise AssertionError(incident.kind)
