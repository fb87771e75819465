"""Checkpoints: what PostgreSQL is told of the visits here, once a second.

They move no money. Boards are fed from them, and a server that is gone for ever is
written off by its last one.
"""

from collections.abc import Callable

from bj_server.bank.bank import Bank
from bj_server.fleet.sql.servers import Checkpoint, Chips


class Checkpoints:
    """The checkpoints of one bank; only what has changed is told again."""

    def __init__(self, bank: Bank, table_of: Callable[[str], str]) -> None:
        """Take them of ``bank``; ``table_of`` has the table of each handle."""
        self._bank = bank
        self._table_of = table_of
        self.acknowledged = 0
        """The last line that PostgreSQL has heard of."""
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
        self.acknowledged = said.seq
        is_open = set(self._bank.books.visits.values())
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
