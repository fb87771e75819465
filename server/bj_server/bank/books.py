"""The books: all that the lines of the journal add up to.

They are the ledger, the owner of each stake, the last round and the pending records of
each table, and the key and the notices of each handle. A posting that is made now and a
line that is read back pass through the same ``check`` and ``apply``.

The lines that one command to a table causes stand together and end in a seal, so that
they count all or none. While a table's lines are open, nobody else's are taken.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Self

from bj_game.money import dollars
from bj_server.bank.error import MispostedError, UnbalancedError
from bj_server.bank.key import Keys
from bj_server.bank.ledger import Ledger, in_order
from bj_server.bank.move import DONOR, Kind, Move, Posting, handle_of, player, stakes
from bj_server.bank.pending import PendingRound

_EMPTY = PendingRound()
_NOTHING: Mapping[str, int] = {}
_ENDS = (Kind.SETTLE, Kind.VOID, Kind.REFUND)


class Books:
    """Accounts, held stakes, rounds, pending records and notices; amounts in cents."""

    def __init__(
        self,
        *,
        accounts: Mapping[str, int] = _NOTHING,
        rounds: Mapping[str, int] = _NOTHING,
        over: Mapping[str, int] = _NOTHING,
        held: Mapping[tuple[str, int], dict[str, int]] | None = None,
        notices: Mapping[str, list[str]] | None = None,
        pending_rounds: Mapping[str, PendingRound] | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Begin with empty books, or with those of a statement."""
        self.ledger = Ledger(accounts)
        self._held = dict(held or {})
        self._last = dict(rounds)
        self._over = dict(over)
        self._notices = dict(notices or {})
        self._pending_rounds = dict(pending_rounds or {})
        self._keys = Keys(keys)
        self.open_table: str | None = None
        """The table whose lines are not sealed yet; None between commands."""

    def copy(self) -> Self:
        """Return books that stay as these are now.

        The event loop waits for it, so nothing is done for each account: the
        interpreter copies whole tables.
        """
        books = type(self)(
            rounds=self._last,
            over=self._over,
            held={live: dict(stakes) for live, stakes in self._held.items()},
            notices={handle: list(told) for handle, told in self._notices.items()},
            pending_rounds=self._pending_rounds,
        )
        books.ledger, books._keys = self.ledger.copy(), self._keys.copy()
        return books

    @property
    def rounds(self) -> dict[str, int]:
        """The last round of each table, in the order of the names."""
        return dict(sorted(self._last.items()))

    @property
    def over(self) -> dict[str, int]:
        """The last round of each table that is over, in the order of the names."""
        return dict(sorted(self._over.items()))

    @property
    def all_notices(self) -> dict[str, list[str]]:
        """The untold notices of each handle, in the order of the handles."""
        return {handle: list(told) for handle, told in sorted(self._notices.items())}

    @property
    def pending_rounds(self) -> dict[str, PendingRound]:
        """The pending records of each table, in the order of the names."""
        return dict(sorted(self._pending_rounds.items()))

    @property
    def keys(self) -> dict[str, str]:
        """The hash of each claimed handle's key, in the order of the handles."""
        return in_order(self._keys.digests)

    def key_of(self, handle: str) -> str | None:
        """Return the hash of the handle's key; None for one that is not claimed."""
        return self._keys.of(handle)

    @property
    def live_rounds(self) -> list[tuple[str, int]]:
        """The tables and rounds for which something is held."""
        return sorted(self._held)

    def last_round(self, table: str) -> int:
        """Return the last round that the table has put down, 0 before the first."""
        return self._last.get(table, 0)

    def held(self, table: str, round: int) -> dict[str, int]:
        """Return the stakes held for a round, by handle; only what is not zero."""
        return dict(self._held.get((table, round), {}))

    def notices(self, handle: str) -> tuple[str, ...]:
        """Return the notices that the handle is still to be told."""
        return tuple(self._notices.get(handle, ()))

    def pending(self, table: str) -> PendingRound:
        """Return the pending records of a table; none for a table never seen."""
        return self._pending_rounds.get(table, _EMPTY)

    def check(self, posting: Posting) -> None:
        """Find out whether ``apply`` would succeed."""
        self._refuse_if_between(posting)
        self._held_after(posting)
        self._keys.check(posting)
        self._closed_by(posting)
        self.ledger.check(posting.entries)

    def apply(self, posting: Posting) -> None:
        """Carry out a posting, or nothing of it.

        Raises:
            OverdraftError: if somebody would owe.
            MispostedError: if it does not fit the stakes held for its round, the keys
                of the handles or the account that it closes, or comes between the open
                lines of a table.
        """
        self._refuse_if_between(posting)
        held = self._held_after(posting)
        self._keys.check(posting)
        closed = self._closed_by(posting)
        self.ledger.apply(posting.entries)
        self._keys.apply(posting)
        if closed is not None:
            self._forget(closed)
        self._file(posting, held)
        if posting.table is not None and posting.round is not None:
            self._note_round(posting.table, posting.round, posting.kind, held)
        if posting.kind == Kind.VOID:
            self._add_notices(posting)
        elif posting.kind == Kind.TOLD:
            self._notices.pop(str(posting.data.get("handle")), None)

    def audit(self) -> None:
        """Check that the money is all there and that each stake is somebody's."""
        self.ledger.audit()
        held: dict[str, int] = defaultdict(int)
        for (table, _), by_handle in self._held.items():
            held[stakes(table)] += sum(by_handle.values())
        for account, cents in self.ledger.balances.items():
            if account.startswith(stakes("")) and cents != held[account]:
                raise UnbalancedError(
                    f"The account {account} holds {cents} cents, but the stakes of its "
                    f"rounds are {held[account]}."
                )

    def _refuse_if_between(self, posting: Posting) -> None:
        if self.open_table is not None and posting.table != self.open_table:
            raise MispostedError(
                f"The lines of table {self.open_table} have no seal yet."
            )
        if posting.kind == Kind.SEAL and posting.table is None:
            raise MispostedError("A seal is a table's, and this one names none.")

    def _closed_by(self, posting: Posting) -> str | None:
        """Return the handle whose account a posting closes, if it closes one."""
        if posting.kind != Kind.CLOSE:
            return None
        handle = posting.data.get("handle")
        if not isinstance(handle, str) or player(handle) not in self.ledger:
            raise MispostedError(f"There is no account of {handle!r:.40} to close.")
        if any(handle in held for held in self._held.values()):
            raise MispostedError(f"The account of {handle} has stakes, and stays open.")
        if tuple(posting.moves) != self.back_to_donor(handle):
            raise MispostedError(
                f"All that {handle} has goes to the donor, no more or less."
            )
        return handle

    def back_to_donor(self, handle: str) -> tuple[Move, ...]:
        """Return the moves by which the account of a handle is left with nothing."""
        account = player(handle)
        cents = self.ledger.balance(account)
        return (Move(source=account, target=DONOR, amount=cents),) if cents else ()

    def _forget(self, handle: str) -> None:
        self.ledger.close(player(handle))
        self._keys.forget(handle)
        self._notices.pop(handle, None)

    def _file(self, posting: Posting, held: dict[str, int]) -> None:
        table = posting.table
        if table is None:
            return
        pending = self.pending(table).after(posting)
        if posting.kind in _ENDS and not held:
            pending = pending.cleared()
        self._pending_rounds[table] = pending
        self.open_table = None if posting.kind == Kind.SEAL else table

    def _held_after(self, posting: Posting) -> dict[str, int]:
        if posting.table is None or posting.round is None:
            return _refuse_stakes(posting)
        held = self.held(posting.table, posting.round)
        account = stakes(posting.table)
        if posting.kind == Kind.SETTLE:
            return _settled(posting, account, held)
        for move in posting.moves:
            if move.target == account:
                self._refuse_if_over(posting.table, posting.round)
                _hold(move, held)
            elif move.source == account:
                _give_back(move, held)
            else:
                _refuse_stakes_account(move)
        return held

    def _refuse_if_over(self, table: str, round: int) -> None:
        if round <= self._over.get(table, 0):
            raise MispostedError(f"Round {round} at table {table} is over.")

    def _note_round(
        self, table: str, round: int, kind: str, held: dict[str, int]
    ) -> None:
        self._held[table, round] = held
        if not held:
            del self._held[table, round]
        self._last[table] = max(round, self.last_round(table))
        if kind in (Kind.SETTLE, Kind.VOID):
            self._over[table] = max(round, self._over.get(table, 0))

    def _add_notices(self, posting: Posting) -> None:
        for move in posting.moves:
            sentence = (
                f"The server stopped during round {posting.round} at table "
                f"{posting.table}: your {dollars(move.amount)} came back."
            )
            self._notices.setdefault(str(handle_of(move.target)), []).append(sentence)


def _hold(move: Move, held: dict[str, int]) -> None:
    handle = handle_of(move.source)
    if handle is None:
        raise MispostedError(f"A stake is a player's, and {move.source} is no player.")
    held[handle] = held.get(handle, 0) + move.amount


def _give_back(move: Move, held: dict[str, int]) -> None:
    handle = handle_of(move.target)
    if handle is None:
        raise MispostedError(f"A stake goes back to its player, not to {move.target}.")
    rest = held.get(handle, 0) - move.amount
    if rest < 0:
        raise MispostedError(f"More would go back to {handle} than is held.")
    held[handle] = rest
    if rest == 0:
        del held[handle]


def _settled(posting: Posting, account: str, held: dict[str, int]) -> dict[str, int]:
    """A settlement takes exactly what is held: some to players, some to the house."""
    rest = sum(held.values())
    for move in posting.moves:
        if move.source == account:
            rest -= move.amount
        else:
            _refuse_stakes_account(move)
    if rest != 0:
        raise MispostedError(
            f"Round {posting.round} at table {posting.table} would be settled "
            f"{rest} cents short of the stakes held for it."
        )
    return {}


def _refuse_stakes(posting: Posting) -> dict[str, int]:
    for move in posting.moves:
        _refuse_stakes_account(move)
    return {}


def _refuse_stakes_account(move: Move) -> None:
    for account in (move.source, move.target):
        if account.startswith(stakes("")):
            raise MispostedError(
                f"The stakes in {account} belong to another round or table."
            )
