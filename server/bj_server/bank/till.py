"""The till: all that the dealer of one table may do with money.

Each method checks and carries out one posting at once, or raises and changes nothing:
an ``OverdraftError``, a ``MispostedError`` for what does not fit the stakes held, a
``LineError`` for data that is no JSON, or a ``JournalError`` once the bank is closed.
The ``seal`` at the end of a command makes one line of the journal of all that, which
counts all or none. People may be told of it only after ``commit``.
"""

from collections.abc import Mapping, Sequence

from bj_server.bank.error import MispostedError
from bj_server.bank.move import (
    DONOR,
    PLAYER,
    STAKES,
    Kind,
    Payment,
    Posting,
    Reason,
    Stake,
    moved,
    paid,
    refunded,
    staked,
)
from bj_server.bank.pending import Bookmark, PendingRound
from bj_server.bank.store import Store, has_no_end

_NO_DATA: Mapping[str, object] = {}
_OWN_KINDS = frozenset(Kind)


class Till:
    """One table's hand in the bank. Handles are given in their one spelling."""

    def __init__(self, store: Store, table: str) -> None:
        self.table = table
        self._store = store
        self._written = 0
        """The line of the last command."""
        self._durable = 0
        """The line of the last command that people may be told of once it is safe."""

    @property
    def is_sealed(self) -> bool:
        """Whether nothing has happened since the last seal."""
        return self._store.open_table != self.table

    @property
    def last_round(self) -> int:
        """The last round that this table has put down, 0 before the first."""
        return self._store.books.rounds.get(self.table, 0)

    @property
    def room(self) -> int:
        """How many cents more all players of the bank should come to hold."""
        return self._store.books.ledger.room

    @property
    def pending(self) -> PendingRound:
        """The pending records of this table: its shoe, its running round, its state."""
        return self._store.books.pending(self.table)

    def balance(self, handle: str) -> int:
        """Return the free cents of a handle, live stakes not among them."""
        return self._store.books.ledger.balances.get(PLAYER + handle, 0)

    def account(self, handle: str) -> int | None:
        """Return the free cents of a handle; None if it has no account."""
        return self._store.books.ledger.balances.get(PLAYER + handle)

    def held(self, round: int) -> dict[str, int]:
        """Return the cents held for a round, by handle."""
        return self._store.books.held(self.table, round)

    def key_of(self, handle: str) -> str | None:
        """Return the hash of the handle's key; None for one that is not claimed."""
        return self._store.books.keys.get(handle)

    def take_notices(self, handle: str) -> tuple[str, ...]:
        """Return the sentences that the handle must be told, once."""
        return self._store.take_notices(handle)

    def bookmark(self, handle: str) -> Bookmark:
        """Return the end of the journal, to read back from there about a handle."""
        journal = self._store.journal
        journal.write()  # what is read back is what the system has
        return Bookmark(
            folder=journal.folder,
            number=journal.number,
            size=journal.place.size,
            synced=journal.synced,
            handle=handle,
            balance=self.balance(handle),
            pending_rounds=dict(self._store.books.pending_rounds),
        )

    def claim(self, handle: str, sha256: str) -> None:
        """Let a handle that is not claimed be known by a key from now on."""
        data = {"handle": handle, "sha256": sha256}
        self._store.post(Posting(kind=Kind.KEY, table=self.table, data=data))

    def forget_key(self, handle: str) -> None:
        """Let the next one to join under a handle claim it anew."""
        data = {"handle": handle, "sha256": None}
        self._store.post(Posting(kind=Kind.KEY, table=self.table, data=data))

    def open(self, handle: str, amount: int) -> None:
        """Give a new handle its opening balance; do nothing for a known one."""
        if PLAYER + handle not in self._store.books.ledger:
            self._donate(Kind.OPEN, Reason.OPENING_BALANCE, handle, amount)

    def give(self, handle: str, amount: int) -> None:
        """Give the donor's money, in cents."""
        self._donate(Kind.GIFT, Reason.GIFT, handle, amount)

    def stake(self, round: int, handle: str, amount: int) -> None:
        """Hold the cents of a player's bet until the round is settled."""
        table = self.table
        bet = moved(Reason.BET, PLAYER + handle, STAKES + table, amount)
        posting = Posting(kind=Kind.STAKE, table=table, round=round, entries=(bet,))
        self._store.post(posting)

    def record(
        self,
        kind: str,
        round: int | None,
        data: Mapping[str, object],
        stakes: Sequence[Stake] = (),
        *,
        durable: bool = False,
    ) -> None:
        """Write down what happened, with the stakes that it put at risk.

        A commit after nothing but records waits for no disk, unless one is ``durable``.
        """
        if kind in _OWN_KINDS:
            raise ValueError(f"Lines of kind {kind} are the bank's own.")
        table = self.table
        entries = tuple([staked(table, wager) for wager in stakes]) if stakes else ()
        posting = Posting(
            kind=kind, table=table, round=round, entries=entries, data=data
        )
        self._store.post(posting, durable=durable)

    def settle(
        self, round: int, payments: Sequence[Payment], data: Mapping[str, object]
    ) -> None:
        """Pay a whole round out, in one posting, and end it."""
        self._check_stakes(round, payments)
        table = self.table
        entries = tuple([paid(table, payment) for payment in payments])
        posting = Posting(
            kind=Kind.SETTLE, table=table, round=round, entries=entries, data=data
        )
        self._store.post(posting)

    def refund(
        self,
        round: int,
        handle: str | None = None,
        data: Mapping[str, object] = _NO_DATA,
    ) -> dict[str, int]:
        """Give all that is held for a round back, to one handle or to all.

        Returns what went back, by handle. The round is not over.
        """
        held = self.held(round)
        if handle is not None:
            held = {h: cents for h, cents in held.items() if h == handle}
        return self._give_back(Kind.REFUND, round, held, data)

    def void(self, round: int, data: Mapping[str, object] = _NO_DATA) -> dict[str, int]:
        """End a round; return what went back by handle, and leave notices of it."""
        return self._give_back(Kind.VOID, round, self.held(round), data)

    def void_all(self, data: Mapping[str, object] = _NO_DATA) -> None:
        """End every round of this table by giving back what is held, with notices."""
        for table, round in self._store.books.live_rounds:
            if table == self.table:
                self.void(round, data)

    def _give_back(
        self, kind: Kind, round: int, held: dict[str, int], data: Mapping[str, object]
    ) -> dict[str, int]:
        if held:
            table, back = self.table, refunded(self.table, held)
            self._store.post(
                Posting(kind=kind, table=table, round=round, entries=back, data=data)
            )
        return held

    def seal(self, change: Mapping[str, object]) -> None:
        """End a command, and keep what it has changed in the state of the table."""
        self._written, needs_disk = self._store.seal(self.table, change)
        if needs_disk:
            self._durable = self._written

    async def commit(self) -> None:
        """Wait until all that this till did is safe, and may be told.

        Raises:
            MispostedError: if its last command has no seal, and so is not written.
            JournalStalledError: if it must be tried again once the journal is mended.
        """
        if self._store.open_table == self.table:
            raise has_no_end(self.table)
        await self._store.commit(self._written, self._durable)

    async def mended(self) -> None:
        """Wait until a stalled journal can be written again."""
        await self._store.mended()

    async def mend_once(self) -> bool:
        """Try once to mend a stalled journal; return whether it can be written."""
        return await self._store.mend_once()

    def _donate(self, kind: Kind, reason: Reason, handle: str, amount: int) -> None:
        given = moved(reason, DONOR, PLAYER + handle, amount)
        self._store.post(Posting(kind=kind, table=self.table, entries=(given,)))

    def _check_stakes(self, round: int, payments: Sequence[Payment]) -> None:
        rest = self.held(round)
        for payment in payments:
            rest[payment.handle] = rest.get(payment.handle, 0) - payment.stake
        for handle, cents in sorted(rest.items()):
            if cents != 0:
                raise MispostedError(
                    f"The payments of round {round} at table {self.table} are {cents} "
                    f"cents short of the stakes of {handle}."
                )
