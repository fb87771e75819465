"""The desk of the host: the orders that a plan has for the server that runs."""

from typing import TYPE_CHECKING, Any

from simulation.plan import HOST, Incident

if TYPE_CHECKING:
    from simulation.site import Site


class Desk:
    """Gives the orders of a plan to the server that runs."""

    def __init__(self, site: "Site") -> None:
        self._site = site

    def obey(self, incident: Incident) -> bool:
        """Give an order; False if the incident is none."""
        if incident.kind not in HOST:
            return False
        for order in self._orders(incident):
            self._give(order)
        return True

    def _orders(self, incident: Incident) -> list[dict[str, Any]]:
        guests = [g.who.name for g in self._site.guests if not g.who.is_watching]
        handle = guests[incident.who % len(guests)] if guests else "ned21"
        match incident.kind:
            case "kick":
                return [{"do": "kick", "handle": handle}]
            case "ban":
                do = "ban" if incident.size < 0.3 else "unban"
                orders: list[dict[str, Any]] = [{"do": do, "handle": handle}]
                if do == "ban":
                    undo = {"do": "unban", "handle": handle}
                    self._site.agenda.after(30, lambda: self._give(undo))
                return orders
            case "say":
                return [{"do": "say", "text": "hello all"}]
            case "shuffle":
                return [{"do": "shuffle"}]
            case "gift":
                cents = 1 + int(incident.size * 100_000)
                return [{"do": "gift", "handle": handle, "amount": cents}]
            case "mute":
                do = "mute" if incident.size < 0.5 else "unmute"
                return [{"do": do, "handle": handle}]
            case "notice":
                text = "cards at 8" if incident.size < 0.7 else ""
                return [{"do": "notice", "text": text}]
            case "open":
                do = "open" if incident.size < 0.6 else "close"
                return [{"do": do, "name": "extra"}]
            case _:
                return [{"do": "tables"}]

    def _give(self, order: dict[str, Any]) -> None:
        server = self._site.watchman.server
        if server is not None:
            server.obey(order)
