"""The lobby: shows the tables, finds one for a newcomer, and keeps a handle to one."""

import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bj_protocol.commands import Hello, Watch
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import TableView
from bj_server.net.bans import Bans
from bj_server.net.room import Room
from bj_server.net.session import Session
from bj_server.table.dealer import Dealer
from bj_server.table.refusal import Refusal

__all__ = ["Lobby", "Place"]


@dataclass(slots=True)
class Place:
    """A dealer, and the room in which its table stands."""

    dealer: Dealer
    room: Room
    code: str | None = field(default=None, repr=False)
    """What opens the door of a private table."""


class Lobby:
    """The tables of one server; the first is where people sit who name none."""

    def __init__(self, places: Iterable[Place], bans: Bans | None = None) -> None:
        """Open the door to ``places``, at least one, for everyone who is not banned."""
        self._places = {place.dealer.name: place for place in places}
        self._bans = bans or Bans()
        self.notice = ""
        """What the host wants everybody to know; empty for nothing."""

    def __contains__(self, name: str) -> bool:
        """Whether there is a table of that name."""
        return name in self._places

    def add(self, place: Place) -> None:
        """Open the door to one more table."""
        self._places[place.dealer.name] = place

    def remove(self, name: str) -> None:
        """Open the door of a table no more; at least one other is left."""
        del self._places[name]

    def __iter__(self) -> Iterator[Place]:
        """Go through the tables in order."""
        return iter(tuple(self._places.values()))

    def tables(self) -> tuple[TableView, ...]:
        """Return what anyone may know of the tables."""
        return tuple(
            place.dealer.view(is_private=place.code is not None) for place in self
        )

    def admit(self, session: Session, hello: Hello, handle: str, sha256: str) -> Dealer:
        """Let ``session`` into the room of a table to play, and return its dealer.

        A handle plays at one table at a time, so that its money is staked once. Its key
        is looked at first: a stranger is told nothing of it, and holds up nobody. The
        table looks again when it comes to the join.

        Raises:
            Refusal: if there is no such table, it is private, the handle has another
                key, sits at another table, or is banned.
        """
        try:
            place = self._place(hello.table)
        except Refusal as refusal:
            raise self._with_bank(refusal, handle, sha256) from None
        place.dealer.check_key(handle, sha256)
        if handle in self._bans:
            raise Refusal(RefusalCode.BANNED)
        if not place.dealer.is_seated(handle):  # who sits there may always come back
            _check_code(place, hello.code)
        for other in self._places.values():
            if other is not place and other.dealer.is_seated(handle):
                raise Refusal(
                    RefusalCode.SEATED_ELSEWHERE,
                    f"This handle sits at table {other.dealer.name}; leave it first.",
                )
        place.room.enter(session)
        return place.dealer

    def show(self, session: Session, watch: Watch) -> Dealer:
        """Let ``session`` into the room of a table to watch, and return its dealer.

        Raises:
            Refusal: if there is no such table, or it is private.
        """
        place = self._place(watch.table)
        _check_code(place, watch.code)
        place.room.enter(session)
        return place.dealer

    def of_handle(self, handle: str) -> Place | None:
        """Return where a handle sits."""
        return next((p for p in self if p.dealer.is_seated(handle)), None)

    def __getitem__(self, name: str) -> Place:
        """Return the place of the table of that name."""
        return self._places[name]

    def _place(self, table: str | None) -> Place:
        name = next(iter(self._places)) if table is None else table
        place = self._places.get(name)
        if place is None:
            names = ", ".join(self._places)
            raise Refusal(
                RefusalCode.NO_SUCH_TABLE,
                f"There is no table of that name here; there is {names}.",
            )
        return place

    def _with_bank(self, refusal: Refusal, handle: str, sha256: str) -> Refusal:
        """Tell the owner of a handle, whose table may be gone, what is in the bank."""
        dealer = next(iter(self)).dealer
        dealer.check_key(handle, sha256)
        return Refusal(refusal.code, f"{refusal.text}{dealer.bank_of(handle)}")

    def dismiss(self, session: Session) -> None:
        """Forget a session whose connection is gone."""
        for place in self._places.values():
            place.room.leave(session)


def _check_code(place: Place, shown: str | None) -> None:
    if place.code is None:
        return
    if shown is None:
        raise Refusal(RefusalCode.CODE_NEEDED)
    if not hmac.compare_digest(place.code.encode(), shown.encode()):
        raise Refusal(RefusalCode.WRONG_CODE)
