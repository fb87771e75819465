"""The books: all that the lines of the journal add up to.

They are the ledger, the owner of each stake, the last round and the pending records of
each table, and the key and the notices of each handle. A posting that is made now and
one that is read back pass through the same ``apply``.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from bj_game.money import dollars
from bj_server.bank.error import (
    LineError,
    MispostedError,
    OverdraftError,
    UnbalancedError,
)
from bj_server.bank.key import claim_in
from bj_server.bank.ledger import Ledger
from bj_server.bank.line import Line
from bj_server.bank.move import DONOR, PLAYER, STAKES, Kind, Move, Posting, handle_of
from bj_server.bank.pending import PendingRound
from bj_server.bank.visit import Arrival, Departure, Membership, membership_in, stay_in

_Note = Callable[[], object]

_EMPTY = PendingRound()
_ENDS = (Kind.SETTLE, Kind.VOID, Kind.REFUND)


@dataclass(eq=False, kw_only=True)
class Books:
    """Accounts, held stakes, rounds, pending records and notices; amounts in cents."""

    ledger: Ledger = field(default_factory=Ledger)
    rounds: dict[str, int] = field(default_factory=dict)
    """The last round that each table has put down."""
    over: dict[str, int] = field(default_factory=dict)
    """The last round of each table that is over."""
    live: dict[tuple[str, int], dict[str, int]] = field(default_factory=dict)
    """The stakes that are held for each table and round, by handle."""
    notices: dict[str, list[str]] = field(default_factory=dict)
    """The untold notices of each handle."""
    pending_rounds: dict[str, PendingRound] = field(default_factory=dict)
    """The pending records of each table."""
    keys: dict[str, str] = field(default_factory=dict)
    """The hash of each claimed handle's key."""
    visits: dict[str, str] = field(default_factory=dict)
    """The visit of each player of a fleet who is here."""
    fleet: Membership | None = None
    """The fleet to which the folder belongs; None for none."""

    def copy(self) -> Self:
        """Return books that stay as these are now.

        The event loop waits for it, so nothing is done for each account: the
        interpreter copies whole tables.
        """
        return type(self)(
            ledger=self.ledger.copy(),
            rounds=self.rounds.copy(),
            over=self.over.copy(),
            live={place: held.copy() for place, held in self.live.items()},
            notices={handle: told.copy() for handle, told in self.notices.items()},
            pending_rounds=self.pending_rounds.copy(),
            keys=self.keys.copy(),
            visits=self.visits.copy(),
            fleet=self.fleet,
        )

    @property
    def live_rounds(self) -> list[tuple[str, int]]:
        """The tables and rounds for which something is held, in order."""
        return sorted(self.live)

    def held(self, table: str, round: int) -> dict[str, int]:
        """Return the stakes held for a round, by handle; only what is not zero."""
        return dict(self.live.get((table, round), {}))

    def pending(self, table: str) -> PendingRound:
        """Return the pending records of a table; none for a table never seen."""
        return self.pending_rounds.get(table, _EMPTY)

    def apply(self, posting: Posting) -> None:
        """Carry out a posting, or nothing of it.

        Raises:
            OverdraftError: if somebody would owe.
            MispostedError: if it does not fit the stakes held for its round, the keys
                of the handles, the account that it closes, the visits or the state of
                its table.
        """
        kind, table, round = posting.kind, posting.table, posting.round
        held = self._held_after(posting)
        pending = None
        if table is not None:
            pending = self.pending_rounds.get(table, _EMPTY).after(posting)
        check = _CHECKS.get(kind)
        note = None if check is None else check(self, posting)
        if posting.entries:
            self.ledger.apply(posting.entries)
        if table is not None and pending is not None:
            is_over = kind in _ENDS and not held
            self.pending_rounds[table] = pending.between() if is_over else pending
            if round is not None:
                self._note_round(table, round, kind, held)
        if note is not None:
            note()

    def seal(self, table: str, change: Mapping[str, object]) -> None:
        """Carry out the end of a command, as the posting of it would be."""
        known = self.pending_rounds.get(table, _EMPTY)
        self.pending_rounds[table] = known.sealed(change)

    def follow(self, line: Line) -> None:
        """Carry out a line that is read back."""
        try:
            self.apply(line)
        except (OverdraftError, MispostedError) as error:
            reason = str(error).removesuffix(".")
            raise LineError(f"it does not fit the lines before it. {reason}") from None

    def audit(self) -> None:
        """Check that the money is all there and that each stake is somebody's."""
        self.ledger.audit()
        held: dict[str, int] = defaultdict(int)
        for (table, _), by_handle in self.live.items():
            held[STAKES + table] += sum(by_handle.values())
        for account, cents in self.ledger.balances.items():
            if account.startswith(STAKES) and cents != held[account]:
                raise UnbalancedError(
                    f"The account {account} holds {cents} cents, but the stakes of its "
                    f"rounds are {held[account]}."
                )

    # Each of these returns what is to be done once the money has moved.

    def _change_key(self, posting: Posting) -> _Note:
        handle, digest = claim_in(posting, self.keys)
        if digest is None:
            return partial(self.keys.pop, handle)
        return partial(self.keys.__setitem__, handle, digest)

    def _close_account(self, posting: Posting) -> _Note:
        handle = posting.data.get("handle")
        if not isinstance(handle, str) or PLAYER + handle not in self.ledger:
            raise MispostedError(f"There is no account of {handle!r:.40} to close.")
        self._refuse_stakes(handle)
        if tuple(posting.moves) != self.back_to_donor(handle):
            raise MispostedError(
                f"All that {handle} has goes to the donor, no more or less."
            )
        return partial(self._close, handle)

    def _open_account(self, posting: Posting) -> _Note | None:
        handle = posting.data.get("handle")
        return partial(self.ledger.open, PLAYER + str(handle)) if handle else None

    def _stay(self, posting: Posting) -> _Note:
        stay = stay_in(posting)
        handle, account = stay.handle, PLAYER + stay.handle
        if isinstance(stay, Arrival):
            if account in self.ledger:
                raise MispostedError(f"{handle} arrives, but is here.")
        elif self.visits.get(handle) != stay.id:
            raise MispostedError(f"{handle} departs from a visit that is not on.")
        elif self.ledger.balance(account) != stay.cents:
            raise MispostedError(
                f"{handle} departs with all that is there, or not at all."
            )
        self._refuse_stakes(handle)
        return partial(self._note_stay, stay)

    def _belong(self, posting: Posting) -> _Note:
        return partial(setattr, self, "fleet", membership_in(posting, self.fleet))

    def _give_back_all(self, posting: Posting) -> _Note:
        return partial(self._add_notices, posting)

    def _tell(self, posting: Posting) -> _Note:
        return partial(self.notices.pop, str(posting.data.get("handle")), None)

    def _close(self, handle: str) -> None:
        self.ledger.close(PLAYER + handle)
        self.keys.pop(handle, None)
        self.notices.pop(handle, None)

    def _note_stay(self, stay: Arrival | Departure) -> None:
        handle = stay.handle
        if isinstance(stay, Departure):
            self._close(handle)
            del self.visits[handle]
            return
        self.ledger.open(PLAYER + handle)
        self.visits[handle], self.keys[handle] = stay.id, stay.sha256
        if stay.notices:
            self.notices[handle] = list(stay.notices)

    def _refuse_stakes(self, handle: str) -> None:
        if any(handle in held for held in self.live.values()):
            raise MispostedError(f"The account of {handle} has stakes, and stays open.")

    def back_to_donor(self, handle: str) -> tuple[Move, ...]:
        """Return the moves by which the account of a handle is left with nothing."""
        account = PLAYER + handle
        cents = self.ledger.balance(account)
        return (Move(source=account, target=DONOR, amount=cents),) if cents else ()

    def _held_after(self, posting: Posting) -> dict[str, int]:
        """Return the stakes held for the round of a posting after it, not a copy."""
        held: dict[str, int] = {}
        account = ""
        if posting.table is not None and posting.round is not None:
            account = STAKES + posting.table
            held = self.live.get((posting.table, posting.round), held)
            if posting.kind == Kind.SETTLE:
                return _settled(posting, account, held)
        if not posting.entries:
            return held
        held = held.copy()
        for move in posting.moves:
            if move.target == account:
                self._refuse_if_over(posting)
                _hold(move, held)
            elif move.source == account:
                _give_back(move, held)
            else:
                _refuse_stakes_account(move)
        return held

    def _refuse_if_over(self, posting: Posting) -> None:
        table, round = posting.table or "", posting.round or 0
        if round <= self.over.get(table, 0):
            raise MispostedError(f"Round {round} at table {table} is over.")

    def _note_round(
        self, table: str, round: int, kind: str, held: dict[str, int]
    ) -> None:
        if held:
            self.live[table, round] = held
        else:
            self.live.pop((table, round), None)
        self.rounds[table] = max(round, self.rounds.get(table, 0))
        if kind in (Kind.SETTLE, Kind.VOID):
            self.over[table] = max(round, self.over.get(table, 0))

    def _add_notices(self, posting: Posting) -> None:
        for move in posting.moves:
            sentence = (
                f"The server stopped during round {posting.round} at table "
                f"{posting.table}: your {dollars(move.amount)} came back."
            )
            self.notices.setdefault(str(handle_of(move.target)), []).append(sentence)


_CHECKS: Mapping[str, Callable[[Books, Posting], _Note | None]] = {
    Kind.OPEN: Books._open_account,
    Kind.KEY: Books._change_key,
    Kind.CLOSE: Books._close_account,
    Kind.ARRIVE: Books._stay,
    Kind.DEPART: Books._stay,
    Kind.FLEET: Books._belong,
    Kind.VOID: Books._give_back_all,
    Kind.TOLD: Books._tell,
}
"""The kinds that change more than money and the records of a table."""


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


def _refuse_stakes_account(move: Move) -> None:
    for account in (move.source, move.target):
        if account.startswith(STAKES):
            raise MispostedError(
                f"The stakes in {account} belong to another round or table."
            )
