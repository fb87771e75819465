"""The beat: what a server says once a second, and what it hears of all others.

It says what has become of the visits here, which moves no money: boards are fed from
that, and a server that is gone for ever is written off by its last checkpoint. Which
server is heard is decided by no wall clock: each sees by its own whose counter moves.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bj_server.bank.bank import Bank
from bj_server.fleet.sql.servers import Checkpoint, Chips, Server

LEASE = 5.0
"""Seconds without a sign after which a server is unheard, by one's own clock."""


class Checkpoints:
    """The checkpoints of one bank; only what has changed is told again."""

    def __init__(self, bank: Bank, table_of: Callable[[str], str]) -> None:
        """Take them of ``bank``; ``table_of`` has the table of each handle."""
        self._bank = bank
        self._table_of = table_of
        self.counted: Mapping[str, int] = {}
        """The last round of each table that is sure to count."""
        self._over = (0, self.counted)
        """A line of the journal, and the last rounds that are over with it."""
        self._known: dict[str, Chips] = {}
        """What PostgreSQL has, by the ids of visits."""

    def take(self, settled: int, compared: str, *, is_running: bool) -> Checkpoint:
        """Return the checkpoint of this moment, of the lines that are on the disk.

        All visits in the lines up to ``settled`` are in PostgreSQL.
        """
        place, visits = self._bank.journal.synced_place, self._bank.books.visits
        now, known = self._chips(), self._known
        return Checkpoint(
            seq=place.seq,
            hash=place.digest,
            settled=min(settled, place.seq),
            compared=compared,
            chips={id: each for id, each in now.items() if known.get(id) != each},
            visits=len(visits),
            poor=[handle for handle in visits if not self._bank.balance(handle)],
            is_running=is_running,
        )

    def acknowledge(self, said: Checkpoint) -> None:
        """Note that PostgreSQL has a checkpoint."""
        if self._over[0] <= said.seq:
            self.counted = self._over[1]
        books = self._bank.books
        self._over = self._bank.journal.seq, books.over.copy()
        is_open = set(books.visits.values())
        known = {**self._known, **said.chips}
        self._known = {id: each for id, each in known.items() if id in is_open}

    def forget(self) -> None:
        """Tell all again, to a PostgreSQL that has lost some of it."""
        self._known = {}

    def _chips(self) -> dict[str, Chips]:
        books, held = self._bank.books, dict[str, int]()
        for stakes in books.live.values():
            for handle, cents in stakes.items():
                held[handle] = held.get(handle, 0) + cents
        return {
            id: Chips(
                table=self._table_of(handle),
                free=self._bank.balance(handle),
                held=held.get(handle, 0),
            )
            for handle, id in books.visits.items()
        }


@dataclass(frozen=True, slots=True)
class _Neighbour:
    server: Server
    since: float
    """The earliest time at which the counter can have moved last."""


class Neighbours:
    """All other servers that may serve."""

    def __init__(self, clock: Callable[[], float], lease: float) -> None:
        """Have servers unheard that give no sign for a ``lease``, in seconds."""
        self._clock = clock
        self._lease = lease
        self._known: dict[str, _Neighbour] = {}
        self._looked = clock()

    def see(self, servers: Iterable[Server]) -> None:
        """Note whose counters have moved since the last time.

        If that is long ago, nobody could be heard meanwhile, and all have a lease anew:
        PostgreSQL was away, perhaps for all of them.
        """
        now, before, known = self._clock(), self._looked, self._known
        if now - before > self._lease / 2:
            known = {}
        self._known, self._looked = {}, now
        for server in servers:
            old = known.get(server.name)
            since = now if old is None else before
            if old is not None and old.server.counter == server.counter:
                since = old.since
            self._known[server.name] = _Neighbour(server, since)

    @property
    def unheard(self) -> list[str]:
        """The names of those that have given no sign within the lease."""
        return [name for name in self._known if self.address_of(name) is None]

    def address_of(self, name: str) -> str | None:
        """Return the address of a server that is heard; None for any other."""
        found = self._known.get(name)
        if found is None or self._clock() - found.since >= self._lease:
            return None
        return found.server.address
