"""The route: from the address that a player names to the server that has the seat.

A server alone is its own route. In a fleet any server may be asked, and says where the
seat or the table is. A route is followed only within the fleet that is known by its
key. Who had a seat comes back to its server first, so that the seat is found even while
the others cannot be asked, and to the address that the player has named second.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bj_client.error import (
    ClientError,
    Exit,
    HelloRefusedError,
    MovedError,
    UnreachableError,
)
from bj_client.fair.story import is_member
from bj_client.net.address import Address, read_address
from bj_client.net.connection import Connection
from bj_client.net.keyring import Keyring
from bj_client.net.server_key import ServerKey
from bj_client.words.text import printable
from bj_protocol.messages import Snapshot
from bj_protocol.views import FleetView

MOST_MOVES = 2
"""Moves that are followed before there must be a seat."""

_T = TypeVar("_T")


class StrayError(ClientError):
    """A server sends the player to a place where no key should be shown."""

    exit = Exit.UNTRUSTED
    sentence = "The server at {} sends you on to {}, {}: ask the host for the address."

    def __init__(self, server: Address, to: str, why: str) -> None:
        """Take the server, the address that it tells, and a clause."""
        super().__init__(server.shown, printable(to), why)


class NotMemberError(ClientError):
    """A server says that it is of a fleet, and cannot show that.

    The arguments are its address as people write it, and a clause with the remedy.
    """

    exit = Exit.UNTRUSTED
    sentence = "The server at {} says that it is of a fleet, whose key {}."


@dataclass(frozen=True, slots=True)
class Place:
    """A table, at the server that an address leads to."""

    address: Address
    table: str | None
    """None for the server's first one."""

    def __str__(self) -> str:
        return f"table {printable(self.table or '')} of {self.address.shown}"


@dataclass(eq=False)
class Route:
    """The route of those at one keyboard, who play at one table."""

    door: Place
    """The address and the table that they have named."""
    keys: Keyring
    """Their keys: at that server, until it is known to be of a fleet."""
    server_key: ServerKey | None = None
    """The key by which the server is known; None for our own."""
    is_shared: bool = False
    """Whether several players have to come to the same table."""
    seat: Place | None = field(default=None, init=False)
    """Where they sit, at a server of a fleet."""
    _is_away: bool = field(default=False, init=False)
    """Whether the server of the seat could not be reached, so that all may move."""
    _fleet: FleetView | None = field(default=None, init=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def go(self, join: Callable[[Place], Awaitable[_T]]) -> _T:
        """Join where the seat is, or else at the door, and wherever that sends us on.

        One player goes after the other, so that the first leads the way.

        Raises:
            ClientError: if there is no seat.
        """
        async with self._turn:
            if self.seat is None:
                return await self._follow(self.door, join)
            try:
                return await self._follow(self.seat, join)
            except UnreachableError:
                self._is_away = True
            try:
                return await self._follow(self.door, join)
            except HelloRefusedError as refused:
                # Not the last word: the table may be known again, and so may the
                # seat, once its server is back.
                raise HelloRefusedError(str(refused), is_passing=True) from None

    async def _follow(self, place: Place, join: Callable[[Place], Awaitable[_T]]) -> _T:
        for _ in range(MOST_MOVES + 1):
            try:
                return await join(place)
            except MovedError as moved:
                place = self._next(place.address, moved)
        raise HelloRefusedError(
            f"You were sent on {MOST_MOVES} times, at last to {place}, and there was "
            "no seat: join again in a moment."
        )

    def _next(self, server: Address, moved: MovedError) -> Place:
        """Return the place that a server tells, if it is one to follow to."""
        told = moved.address
        if self._fleet is None:
            raise StrayError(server, told, "and is of no fleet that is known here")
        try:
            address = read_address(told)
        except ValueError:
            raise StrayError(server, told, "which is no address") from None
        if address.is_encrypted and server.is_encrypted:
            address = replace(address, trust=server.trust)
        if server.is_encrypted > address.is_encrypted or (
            address.is_overheard and not server.is_overheard
        ):
            raise StrayError(server, told, "where the line would not be encrypted")
        return Place(address, moved.table)

    async def know(self, connection: Connection, address: Address) -> None:
        """See that a server is the one that is known, before any key is shown.

        Raises:
            OtherKeyError: if it is another one.
            NotMemberError: if it is not of the fleet that it names.
        """
        known = self.server_key
        if known is None:
            return
        told = await connection.tables()
        fleet = self._member(address, told.key, told.fleet)
        if fleet is None:
            known.check(told.key, told.past_keys)
            return
        known.check(fleet.key, fleet.past_keys)
        known.keep(fleet.key, fleet.past_keys)
        if self._fleet is None or self._fleet.key != fleet.key:
            self.keys = self.keys.in_fleet(fleet)
            names = (self.keys.server, *self.keys.before)
            known.keep_goodbyes_in(names, fleet.key)
        self._fleet = fleet

    def note(self, place: Place, snapshot: Snapshot) -> None:
        """Note where a player has a seat, and by which key the server signs.

        Raises:
            OtherKeyError: if that is not the key by which it is known.
            HelloRefusedError: if the others at this keyboard sit somewhere else.
        """
        known, story = self.server_key, snapshot.story
        if known is not None and story is not None:
            told = self._member(place.address, story.key, story.fleet) or story
            known.check(told.key, told.past_keys)
            known.keep(told.key, told.past_keys)
        if self._fleet is None:
            return
        here = MovedError(self._fleet.address, snapshot.table)
        try:
            own = self._next(place.address, here)
        except StrayError:  # as good as none: where we are may be the better line
            own = Place(place.address, snapshot.table)
        is_apart = self.seat not in (None, own) and not self._is_away
        if self.is_shared and is_apart:
            raise HelloRefusedError(
                f"This player sits at {own}, and the others at {self.seat}: those who "
                "share a keyboard need one table. Leave the one seat first, or play "
                "from another bj-client."
            )
        self.seat, self._is_away = own, False

    def _member(
        self, address: Address, key: str | None, fleet: FleetView | None
    ) -> FleetView | None:
        """Return the fleet of a server, if it names one and is signed for this address.

        Anyone can copy what a fleet has signed; nobody else has its addresses.
        """
        if fleet is None:
            return None
        if key is None or not is_member(key, fleet):
            why = "has not signed it: ask the host to do so"
            raise NotMemberError(address.shown, why)
        signed = (fleet.address, *fleet.doors)
        is_named = self.server_key is not None and self.server_key.named == fleet.key
        if not is_named and not any(_leads_to(told, address) for told in signed):
            names = printable(" or ".join(signed))
            why = f"has signed it for other addresses: join at {names}"
            raise NotMemberError(address.shown, why)
        return fleet


def _leads_to(told: str, address: Address) -> bool:
    """Whether an address that was signed is the one that was opened."""
    try:
        signed = read_address(told)
    except ValueError:
        return False
    return (signed.name, signed.is_encrypted) == (address.name, address.is_encrypted)
