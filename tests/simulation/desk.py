"""The desk of the host: orders by the socket in the bank's folder, as bytes."""

import json
import random
from typing import TYPE_CHECKING, Any

from simulation.failure import hold
from simulation.network import Wire
from simulation.plan import HOST, Incident

if TYPE_CHECKING:
    from simulation.world import World


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


class Desk:
    """Gives the orders of a plan to the server that runs."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def obey(self, incident: Incident) -> bool:
        """Give an order; False if the incident is none."""
        if incident.kind not in HOST:
            return False
        for order in self._orders(incident):
            self._give(order)
        return True

    def _orders(self, incident: Incident) -> list[dict[str, Any]]:
        guests = [g.who.name for g in self._world.guests if not g.who.is_watching]
        handle = guests[incident.who % len(guests)] if guests else "ned21"
        match incident.kind:
            case "kick":
                return [{"do": "kick", "handle": handle}]
            case "ban":
                do = "ban" if incident.size < 0.3 else "unban"
                orders: list[dict[str, Any]] = [{"do": do, "handle": handle}]
                if do == "ban":
                    undo = {"do": "unban", "handle": handle}
                    self._world.agenda.after(30, lambda: self._give(undo))
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
        server = self._world.server
        make = None if server is None else server.loop.doors.get("host")
        if server is None or make is None:
            return
        chance = random.Random(f"order {self._world.agenda.now}")
        agenda = self._world.agenda
        caller = _Caller()
        wire = Wire(agenda, server.loop, caller, chance, ("", 0), lambda *_: None)
        with server.loop.running():
            protocol = make()
        wire.enter(protocol)
        wire.send(json.dumps(order).encode() + b"\n")
