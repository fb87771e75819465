"""The lobby: lists the tables, finds one for a client, and keeps a handle to one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, Self

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Hello, Watch
from bj_protocol.messages import Moved, MovedWhy
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import TableView
from bj_server.bank.handles import Bans
from bj_server.bank.signer import Signer
from bj_server.net.newcomers import Newcomers, Origin
from bj_server.net.outbox import Audience
from bj_server.table.dealer import Dealer
from bj_server.table.refusal import RefusalError
from bj_server.table.table import Table


class MovedError(Exception):
    """Another server of the fleet is the right one."""

    def __init__(self, address: str, table: str, why: MovedWhy) -> None:
        super().__init__(address, table, why)
        version = PROTOCOL_VERSION
        self.moved = Moved(version=version, address=address, table=table, why=why)


@dataclass(slots=True)
class HostedTable:
    """A dealer, and the audience of its table."""

    dealer: Dealer
    room: Audience
    code: str | None = field(default=None, repr=False)
    """The code of a private table."""

    @classmethod
    def of(cls, table: Table, code: str | None = None) -> Self:
        """Return a table with its dealer and an audience of its own."""
        room = Audience()
        return cls(Dealer(table, room), room, code)


class Reception(Protocol):
    """Lets players in whose money is elsewhere in a fleet."""

    def is_here(self, handle: str, sha256: str) -> bool:
        """Whether the money of a handle is here, and the key is the one it has here."""

    async def receive(
        self, hello: Hello, handle: str, sha256: str, origin: Origin
    ) -> HostedTable:
        """Return the table at which a seat is kept for a handle, whose money is here.

        Raises:
            RefusalError: if it may not play here and now.
            MovedError: if it is to play at another server.
        """

    def give_up(self, handle: str, place: HostedTable) -> None:
        """Keep the seat no more, since the line is gone; the money goes home."""

    def check_watch(self, watch: Watch) -> None:
        """See that a table to be watched is not at another server.

        Raises:
            MovedError: if it is.
        """

    def tables(self) -> tuple[TableView, ...]:
        """Return the tables of all other servers that are heard."""


_MOST_NAMED = 20
"""Tables that a refusal names."""
MOST_LISTED = 1000
"""Tables up to which those of the fleet are listed, for clients read a MiB at most."""


class Lobby:
    """The tables of one server; the first is for people who name none."""

    def __init__(
        self,
        places: Iterable[HostedTable],
        bans: Bans | None = None,
        newcomers: Newcomers | None = None,
        signer: Signer | None = None,
    ) -> None:
        """List ``places``, at least one, for everyone who is not banned.

        ``newcomers`` has the rules for handles without an account; ``signer`` has the
        keys by which players know the server.
        """
        self.key = None if signer is None else signer.key
        self.past_keys = () if signer is None else signer.past_keys
        self.fleet = None if signer is None else signer.told_fleet
        self._places: dict[str, HostedTable] = {}
        self._last_at: dict[str, str] = {}
        """The table to which each handle was let in last; it may have left since."""
        for place in places:
            self.add(place)
        self._bans = bans or Bans()
        self.newcomers = newcomers or Newcomers()
        self.notice = ""
        """The notice of the host; empty for none."""
        self.reception: Reception | None = None
        """Lets players of a fleet in; None for a server that is alone."""

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def add(self, place: HostedTable) -> None:
        """List one more table."""
        self._places[place.dealer.name] = place
        self._last_at |= dict.fromkeys(place.dealer.handles, place.dealer.name)

    def remove(self, name: str) -> None:
        """List a table no more; at least one other is left."""
        del self._places[name]

    def __iter__(self) -> Iterator[HostedTable]:
        return iter(tuple(self._places.values()))

    def tables(self) -> tuple[TableView, ...]:
        """Return the public facts about the tables, those of the fleet behind ours."""
        own, others = self.own_tables(), self.reception and self.reception.tables()
        behind = (view for view in others or () if view.name not in self)
        return own + tuple(islice(behind, max(0, MOST_LISTED - len(own))))

    def own_tables(self) -> tuple[TableView, ...]:
        """Return the public facts about the tables of this server."""
        return tuple(
            place.dealer.view(
                is_private=place.code is not None, is_open=not self.newcomers.is_closed
            )
            for place in self
        )

    def admit(
        self,
        hello: Hello,
        handle: str,
        sha256: str,
        origin: Origin,
        *,
        is_new: bool | None = None,
    ) -> HostedTable:
        """Return the table at which a handle may play, for one of that origin.

        A handle plays at one table at a time, so that its money is staked once. Its key
        is looked at first: a stranger is told nothing of it, and holds up nobody. The
        table looks again when it comes to the join. ``is_new`` says whether the handle
        has an account, where another than this bank knows that.

        Raises:
            RefusalError: if it may play at none, or not there.
        """
        if not self._first.dealer.has_key(handle, sha256):
            raise self.newcomers.count_wrong(RefusalCode.WRONG_KEY, origin)
        try:
            place = self._place(hello.table)
        except RefusalError as refusal:
            # The owner of a handle, whose table may be gone, is told of the bank.
            bank = self._first.dealer.bank_of(handle)
            raise RefusalError(refusal.code, f"{refusal.text}{bank}") from None
        if handle in self._bans:
            raise RefusalError(RefusalCode.BANNED)
        if not place.dealer.is_seated(handle):  # who sits there may always come back
            if is_new is None:
                is_new = place.dealer.balance(handle) is None
            self._check_entry(place, hello.code, handle, origin, is_new=is_new)
        other = self._places.get(self._last_at.get(handle, ""), place)
        if other is not place and other.dealer.is_seated(handle):
            raise RefusalError(
                RefusalCode.SEATED_ELSEWHERE,
                f"This handle sits at table {other.dealer.name}; leave it first.",
            )
        self._note(handle, place)
        return place

    def _note(self, handle: str, place: HostedTable) -> None:
        """Note where a handle is, and forget two of the oldest that have left."""
        self._last_at.pop(handle, None)
        self._last_at[handle] = place.dealer.name
        for old in tuple(islice(self._last_at, 2)):
            name = self._last_at.pop(old)
            at = self._places.get(name)
            if old == handle or (at is not None and at.dealer.is_seated(old)):
                self._last_at[old] = name

    def show(self, watch: Watch, origin: Origin) -> HostedTable:
        """Return the table that a client of that origin may watch."""
        place = self._place(watch.table)
        if place.code is not None:
            self.newcomers.check_code(place.code, watch.code, origin)
        else:
            self.newcomers.check_watcher(watch.code, origin)
        return place

    def table_of(self, handle: str) -> str:
        """Return the table to which a handle was let in last; "" for none."""
        return self._last_at.get(handle, "")

    def is_seated(self, handle: str) -> bool:
        """Whether a handle has a seat."""
        place = self._places.get(self.table_of(handle))
        return place is not None and handle in place.dealer.handles

    def is_coming(self, handle: str) -> bool:
        """Whether a handle is about to have a seat."""
        place = self._places.get(self.table_of(handle))
        return place is not None and place.dealer.is_seated(handle)

    def of_handle(self, handle: str) -> HostedTable | None:
        """Return the table at which a handle sits."""
        return next((p for p in self if p.dealer.is_seated(handle)), None)

    def __getitem__(self, name: str) -> HostedTable:
        return self._places[name]

    @property
    def _first(self) -> HostedTable:
        return next(iter(self._places.values()))

    def _place(self, table: str | None) -> HostedTable:
        place = self._first if table is None else self._places.get(table)
        if place is None:
            names = ", ".join(islice(self._places, _MOST_NAMED))
            if (more := len(self._places) - _MOST_NAMED) > 0:
                names += f" and {more} more"
            raise RefusalError(
                RefusalCode.NO_SUCH_TABLE,
                f"There is no table of that name here; there is {names}.",
            )
        return place

    def _check_entry(
        self,
        place: HostedTable,
        code: str | None,
        handle: str,
        origin: Origin,
        *,
        is_new: bool,
    ) -> None:
        newcomers = self.newcomers
        if place.code is not None:
            newcomers.check_code(place.code, code, origin)
        if is_new and (place.code is None or newcomers.is_invite_only):
            newcomers.check_handle(handle, code, origin)
        if is_new:
            newcomers.check_accounts(origin)
