"""The lobby: finds the table for a newcomer, and keeps a handle to one table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bj_protocol.refusal import RefusalCode
from bj_server.net.room import Room
from bj_server.net.session import Session
from bj_server.table.dealer import Dealer
from bj_server.table.refusal import Refusal

__all__ = ["Lobby", "Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """A dealer, and the room in which its table stands."""

    dealer: Dealer
    room: Room


class Lobby:
    """The tables of one server; the first is where people sit who name none."""

    def __init__(self, places: Iterable[Place]) -> None:
        """Open the door to ``places``; there must be at least one."""
        self._places = {place.dealer.name: place for place in places}

    def __iter__(self) -> Iterator[Place]:
        """Go through the tables in order."""
        return iter(self._places.values())

    def admit(
        self, session: Session, handle: str, sha256: str, table: str | None
    ) -> Dealer:
        """Let ``session`` into the room of a table, and return its dealer.

        A handle plays at one table at a time, so that its money is staked once. Its key
        is looked at first: a stranger is told nothing of it, and holds up nobody. The
        table looks again when it comes to the join.

        Raises:
            Refusal: if there is no such table, the handle has another key, or it sits
                at another table.
        """
        name = next(iter(self._places)) if table is None else table
        place = self._places.get(name)
        if place is None:
            names = ", ".join(self._places)
            raise Refusal(
                RefusalCode.NO_SUCH_TABLE,
                f"There is no table of that name here; there is {names}.",
            )
        place.dealer.check_key(handle, sha256)
        for other in self._places.values():
            if other is not place and other.dealer.is_seated(handle):
                raise Refusal(
                    RefusalCode.SEATED_ELSEWHERE,
                    f"This handle sits at table {other.dealer.name}; leave it first.",
                )
        place.room.enter(session)
        return place.dealer

    def dismiss(self, session: Session) -> None:
        """Forget a session whose connection is gone."""
        for place in self._places.values():
            place.room.leave(session)
