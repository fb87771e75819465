"""The reception: a hello at a server of a fleet, up to the seat.

The key is looked at first, then where the handle and the table are. A seat is kept
before the money comes, so that a hello which is refused has claimed nothing. A second
hello under the same handle waits for the end of the first.
"""

import asyncio
from dataclasses import dataclass, field

from bj_game.money import dollars
from bj_protocol.commands import Hello, Watch
from bj_protocol.messages import MovedWhy
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import TableView
from bj_server.bank.error import JournalStalledError
from bj_server.bank.key import is_same
from bj_server.fleet.cage import Cage
from bj_server.fleet.directory import Directory
from bj_server.fleet.error import FleetError
from bj_server.fleet.sql.players import OpenVisit, Standing
from bj_server.fleet.sql.visits import Why
from bj_server.net.lobby import HostedTable, Lobby, MovedError
from bj_server.net.newcomers import Origin
from bj_server.table.refusal import RefusalError

_AWAY = (
    "The bank of this fleet does not answer just now, so nobody new is seated. Your "
    "money is safe; join again in a moment."
)
_LEAVING = "Your last visit here is being paid out just now; join again in a moment."
_ENDED = (
    "Your visit here was over before this server lost the end of its journal, and your "
    "money is at rest; join again in a few seconds."
)
_WAITING = {
    Why.COMPARING: (
        "The bank of this fleet has just been started anew, and its servers compare "
        "their visits with it; join again in a few seconds."
    ),
    Why.FROZEN: (
        "This account is frozen, since money of it was spent twice while the bank of "
        "the fleet had lost it. Its host can tell more."
    ),
    Why.SEATED: "This handle has just been seated at another server; join again.",
}


@dataclass(eq=False)
class Reception:
    """Implements ``bj_server.net.lobby.Reception`` for the players of a fleet."""

    lobby: Lobby
    cage: Cage
    directory: Directory
    _under_way: dict[str, asyncio.Future[None]] = field(default_factory=dict)
    """The hellos that wait for PostgreSQL, by their handles."""

    def is_here(self, handle: str, sha256: str) -> bool:
        """Whether the money of a handle is here, and the key is the one it has here."""
        books = self.cage.bank.books
        known = books.keys.get(handle, "")
        is_waiting = handle in self._under_way
        is_on = handle in books.visits and handle not in self.cage.ended
        return is_on and not is_waiting and is_same(known, sha256)

    async def receive(
        self, hello: Hello, handle: str, sha256: str, origin: Origin
    ) -> HostedTable:
        """Return the table at which a seat is kept for a handle; its money is here."""
        while handle in self._under_way:
            await asyncio.shield(self._under_way[handle])
        done = self._under_way[handle] = asyncio.get_running_loop().create_future()
        try:
            return await self._receive(hello, handle, sha256, origin)
        except (FleetError, JournalStalledError):
            raise RefusalError(RefusalCode.BANK_STALLED, _AWAY) from None
        finally:
            del self._under_way[handle]
            done.set_result(None)

    async def _receive(
        self, hello: Hello, handle: str, sha256: str, origin: Origin
    ) -> HostedTable:
        standing = await self.cage.look_up(handle)
        if standing.sha256 is not None and not is_same(standing.sha256, sha256):
            raise self.lobby.newcomers.count_wrong(RefusalCode.WRONG_KEY, origin)
        if handle in self.cage.ended:
            raise RefusalError(RefusalCode.BANK_STALLED, _ENDED)
        if handle in self.cage.bank.books.visits:
            await self.cage.take_key(handle, sha256)
            return self.lobby.admit(hello, handle, sha256, origin)
        self._check_place(hello, standing)
        is_new = standing.is_new
        place = self.lobby.admit(hello, handle, sha256, origin, is_new=is_new)
        opening = place.dealer.keep_seat(handle)
        if opening is None:
            raise RefusalError(RefusalCode.TABLE_FULL)
        try:
            if is_new:
                self.lobby.newcomers.count_account(origin)
            told = tuple(map(_waiting, standing.visits))
            name = place.dealer.name
            found = await self.cage.buy_in(handle, sha256, name, opening, told)
            if found is Why.WRONG_KEY:
                raise RefusalError(RefusalCode.WRONG_KEY)
            if isinstance(found, Why):
                raise RefusalError(RefusalCode.BANK_STALLED, _WAITING[found])
            self._check_open(place)
        except BaseException:
            self.give_up(handle, place)
            raise
        return place

    def _check_place(self, hello: Hello, standing: Standing) -> None:
        """Send a player to the seat, which comes first, or else to the table named."""
        seat = standing.seat
        if seat is None:
            self._check_table(hello.table)
            return
        if seat.server == self.cage.me.name:
            raise RefusalError(RefusalCode.BANK_STALLED, _LEAVING)
        address = self.cage.neighbours.address_of(seat.server)
        if address is None:
            raise RefusalError(RefusalCode.SEATED_ELSEWHERE, _unheard(seat))
        if not seat.table:  # as its server says in a moment
            raise RefusalError(RefusalCode.BANK_STALLED, _AWAY)
        raise MovedError(address, seat.table, MovedWhy.SEAT)

    def _check_table(self, table: str | None) -> None:
        if table is None or table in self.lobby:
            return
        address = self.cage.neighbours.address_of(self.directory.server_of(table))
        if address is not None:
            raise MovedError(address, table, MovedWhy.TABLE)

    def _check_open(self, place: HostedTable) -> None:
        """See that a table was not closed meanwhile, for nobody would hear a join."""
        name = place.dealer.name
        if name not in self.lobby or self.lobby[name] is not place:
            text = f"The host has just closed table {name}; join at another one."
            raise RefusalError(RefusalCode.NO_SUCH_TABLE, text)

    def give_up(self, handle: str, place: HostedTable) -> None:
        """Keep the seat no more, since the line is gone; the money goes home."""
        place.dealer.give_up(handle)
        self.cage.left(handle)

    def check_watch(self, watch: Watch) -> None:
        """See that a table to be watched is not at another server."""
        self._check_table(watch.table)

    def tables(self) -> tuple[TableView, ...]:
        """Return the tables of all other servers that are heard."""
        return self.directory.views(self.cage.neighbours.address_of)


def _unheard(seat: OpenVisit) -> str:
    return (
        f"This handle sits at table {seat.table} of server {seat.server}, which is not "
        "heard just now. Join again in a few seconds: you can sit here then, with what "
        "you have not taken there, or there once it is back."
    )


def _waiting(visit: OpenVisit) -> str:
    """Return the sentence about money that waits for a server to be back."""
    since = "" if visit.stranded is None else f"{visit.stranded:%Y-%m-%d %H:%M}"
    return (
        f"{dollars(visit.chips)} of yours is at server {visit.server}, which has been "
        f"unheard since {since} UTC, and comes back with it."
    )
