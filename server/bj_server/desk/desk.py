"""The desk itself: carries out one order of the host, and says what came of it."""

import logging
from collections.abc import Iterator

from bj_protocol.handle import canonical_handle
from bj_server.bank.error import BankUnusable
from bj_server.desk.order import (
    About,
    Bans,
    Order,
    Proclaim,
    Reply,
    Shuffle,
    Tables,
)
from bj_server.net.bans import Bans as Banned
from bj_server.net.lobby import Lobby
from bj_server.table import inbox

__all__ = ["Desk"]

_log = logging.getLogger(__name__)


class _NotDone(Exception):
    """An order that cannot be carried out; the message says why."""


class Desk:
    """Where the host speaks to the tables of a lobby."""

    def __init__(self, lobby: Lobby, bans: Banned) -> None:
        """Serve the host of ``lobby``, which holds to ``bans``."""
        self._lobby = lobby
        self._bans = bans

    def obey(self, order: Order) -> Reply:
        """Carry out an order; tables act on it in turn, as on everything else."""
        handle = canonical_handle(order.handle) if isinstance(order, About) else None
        _log.info("the host orders %s", order.do, extra={"handle": handle})
        try:
            return Reply(is_done=True, lines=tuple(self._do(order)))
        except (_NotDone, BankUnusable) as why:
            return Reply(is_done=False, lines=(str(why),))

    def _do(self, order: Order) -> Iterator[str]:
        match order:
            case Proclaim():
                yield self._proclaim(order)
            case Shuffle(table=table):
                for name in self._named(table):
                    self._lobby[name].dealer.submit(inbox.Reshuffle())
                    yield f"Table {name} gets new cards as soon as no round is on."
            case About():
                yield self._about(order)
            case Tables():
                yield from self._tables()
            case Bans():
                yield from tuple(self._bans) or ("Nobody is banned.",)

    def _proclaim(self, order: Proclaim) -> str:
        told = self._named(order.table)
        for name in told:
            self._lobby[name].dealer.submit(inbox.Proclaim(order.text))
        return f"Said at {', '.join(told)}."

    def _named(self, table: str | None) -> list[str]:
        """Return the table of that name, or all tables for None."""
        names = [place.dealer.name for place in self._lobby]
        if table is not None and table not in names:
            known = ", ".join(names)
            raise _NotDone(f"There is no table of that name here; there is {known}.")
        return names if table is None else [table]

    def _about(self, order: About) -> str:
        handle = canonical_handle(order.handle)
        if handle is None:
            raise _NotDone("No player has such a handle; bj-host tables lists them.")
        match order.do:
            case "kick":
                return self._kick(handle)
            case "ban":
                self._bans.add(handle)
                is_here = self._lobby.of_handle(handle) is not None
                went = f" {self._kick(handle)}" if is_here else ""
                return f"{handle} is banned from this server.{went}"
            case "unban":
                if handle not in self._bans:
                    raise _NotDone(f"{handle} is not banned.")
                self._bans.discard(handle)
                return f"{handle} may join again."
            case "mute" | "unmute":
                return self._mute(handle, is_muted=order.do == "mute")

    def _kick(self, handle: str) -> str:
        place = self._lobby.of_handle(handle)
        if place is None:
            raise _NotDone(f"{handle} sits at no table; bj-host tables lists who does.")
        place.dealer.submit(inbox.SendAway(handle))
        return f"{handle} is sent away from table {place.dealer.name}."

    def _mute(self, handle: str, *, is_muted: bool) -> str:
        for place in self._lobby:
            place.dealer.submit(inbox.Mute(handle, is_muted))
        return f"{handle} can chat {'no more' if is_muted else 'again'}."

    def _tables(self) -> Iterator[str]:
        for place in self._lobby:
            table = place.dealer.view(is_private=False)
            who = ", ".join(table.handles) or "nobody"
            private = ", private" if place.code is not None else ""
            yield (
                f"{table.name}: {table.house}, {table.seats_taken} of "
                f"{table.seat_count} seats{private}, {table.phase}, "
                f"{table.watchers} watching; {who}"
            )
