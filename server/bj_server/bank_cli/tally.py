"""The tally: all money and keys followed once more, apart from the books of the bank.

The books refuse what does not fit, and end there. A tally goes on, so that everything
that is wrong is found.
"""

from collections import defaultdict
from collections.abc import Iterator

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.error import MispostedError
from bj_server.bank.key import claim_in
from bj_server.bank.line import Line
from bj_server.bank.move import (
    DONOR,
    HOUSE,
    PLAYER,
    STAKES,
    VAULT,
    Kind,
    Move,
    Reason,
    handle_of,
    may_owe,
)
from bj_server.history.replay import DifferenceError

_FROM_DONOR = {(DONOR, PLAYER)}
_TO_STAKES = {(PLAYER, STAKES)}
_FROM_STAKES = {(STAKES, PLAYER)}
_PAID = {(STAKES, PLAYER), (STAKES, HOUSE), (HOUSE, PLAYER)}

_WAYS: dict[tuple[str, Reason], set[tuple[str, str]]] = {
    (Kind.OPEN, Reason.OPENING_BALANCE): _FROM_DONOR,
    (Kind.GIFT, Reason.GIFT): _FROM_DONOR,
    (Kind.CLOSE, Reason.CLOSING_BALANCE): {(PLAYER, DONOR)},
    (Kind.ARRIVE, Reason.BUY_IN): {(VAULT, PLAYER)},
    (Kind.DEPART, Reason.CASH_OUT): {(PLAYER, VAULT)},
    (Kind.STAKE, Reason.BET): _TO_STAKES,
    ("answer", Reason.SPLIT): _TO_STAKES,
    ("answer", Reason.DOUBLE): _TO_STAKES,
    ("answer", Reason.INSURANCE): _TO_STAKES,
    (Kind.SETTLE, Reason.HAND_WON): _PAID,
    (Kind.SETTLE, Reason.HAND_LOST): _PAID,
    (Kind.SETTLE, Reason.HAND_SURRENDERED): _PAID,
    (Kind.SETTLE, Reason.PUSH): _PAID,
    (Kind.SETTLE, Reason.INSURANCE_WON): _PAID,
    (Kind.SETTLE, Reason.INSURANCE_LOST): _PAID,
    (Kind.REFUND, Reason.REFUND): _FROM_STAKES,
    (Kind.VOID, Reason.REFUND): _FROM_STAKES,
}
"""Between which kinds of account a line of a kind may move money, and why."""


class Tally:
    """Accounts and the stakes held for each round; amounts in cents."""

    def __init__(self, books: Books) -> None:
        self.accounts: dict[str, int] = books.ledger.accounts
        self._held = {live: books.held(*live) for live in books.live_rounds}
        self._keys = dict(books.keys)
        self._unused: set[str] = set()
        """Accounts whose money has not moved since they were opened."""

    @property
    def total(self) -> int:
        """The sum of all accounts: 0."""
        return sum(self.accounts.values())

    @property
    def live_rounds(self) -> list[tuple[str, int]]:
        """The tables and rounds for which something is held."""
        return sorted(self._held)

    def held(self, table: str, round: int) -> dict[str, int]:
        """Return the stakes that are held for a round, by handle."""
        return self._held.get((table, round), {})

    def add(self, line: Line) -> Iterator[DifferenceError]:
        """Add a line, whatever it says; tell what cannot be right about it."""
        held: dict[str, int] = defaultdict(int)
        if line.table is not None and line.round is not None:
            held.update(self.held(line.table, line.round))
        account = STAKES + (line.table or "")
        handle = str(line.data.get("handle"))
        for entry in line.entries:
            for move in entry.moves:
                yield from self._move(line, entry.reason, move)
                yield from _hold(line, account, move, held)
        if line.kind == Kind.SETTLE:
            yield from _settled(held)
        elif line.kind in (Kind.CLOSE, Kind.DEPART):
            yield from self._close(handle)
        elif line.kind == Kind.ARRIVE:
            self.accounts.setdefault(PLAYER + handle, 0)
            self._keys[handle] = str(line.data.get("sha256"))
        elif line.kind == Kind.OPEN and line.data:
            self.accounts.setdefault(PLAYER + handle, 0)
        elif line.kind == Kind.KEY:
            yield from self._claim(line)
        if line.table is not None and line.round is not None:
            self._keep(line.table, line.round, held)

    def _move(
        self, line: Line, reason: Reason, move: Move
    ) -> Iterator[DifferenceError]:
        way = (_class_of(move.source), _class_of(move.target))
        if way not in _WAYS.get((line.kind, reason), ()):
            yield DifferenceError(
                f"A line of kind {line.kind} moves {in_dollars(move.amount)} from "
                f"{move.source} to {move.target} as {reason.words}, which none may"
            )
        if line.kind == Kind.OPEN and move.target in self.accounts:
            yield DifferenceError(f"{move.target} is opened, though it was open")
        if line.kind == Kind.CLOSE and move.source not in self._unused:
            yield DifferenceError(
                f"{move.source} is closed with money, though it was used"
            )
        self._unused -= {move.source, move.target}
        if line.kind == Kind.OPEN:
            self._unused.add(move.target)
        before = self.accounts.get(move.source, 0)
        if before < move.amount and not may_owe(move.source):
            yield DifferenceError(
                f"{move.source} pays {in_dollars(move.amount)}, but holds "
                f"{in_dollars(before)}"
            )
        self.accounts[move.source] = before - move.amount
        self.accounts[move.target] = self.accounts.get(move.target, 0) + move.amount

    def _close(self, handle: str) -> Iterator[DifferenceError]:
        account = PLAYER + handle
        if account not in self.accounts:
            yield DifferenceError(f"{account} is closed, though it was not open")
        elif any(handle in held for held in self._held.values()):
            yield DifferenceError(f"{account} is closed, though it has stakes")
        elif cents := self.accounts[account]:
            what = f"{account} is closed, though it holds {in_dollars(cents)}"
            yield DifferenceError(what)
        else:
            del self.accounts[account]
            self._keys.pop(handle, None)

    def _claim(self, line: Line) -> Iterator[DifferenceError]:
        try:
            handle, digest = claim_in(line, self._keys)
        except MispostedError as error:
            yield DifferenceError(str(error).removesuffix("."))
            return
        self._keys.pop(handle, None)
        if digest is not None:
            self._keys[handle] = digest

    def _keep(self, table: str, round: int, held: dict[str, int]) -> None:
        rest = {handle: cents for handle, cents in held.items() if cents}
        self._held[table, round] = rest
        if not rest:
            del self._held[table, round]


def _class_of(account: str) -> str:
    kind, colon, _ = account.partition(":")
    return kind + colon


def _hold(
    line: Line, account: str, move: Move, held: dict[str, int]
) -> Iterator[DifferenceError]:
    """Follow a move into the stakes of a line's round, or out of them."""
    for end in (move.source, move.target):
        if end.startswith(STAKES) and (end != account or line.round is None):
            yield DifferenceError(f"{end} is touched by a line that is not its round's")
            return
    if move.target == account:
        held[str(handle_of(move.source))] += move.amount
    elif move.source == account and line.kind == Kind.SETTLE:
        held[""] -= move.amount  # whose it was is for the round to say
    elif move.source == account:
        handle = str(handle_of(move.target))
        held[handle] -= move.amount
        if held[handle] < 0:
            yield DifferenceError(
                f"The refund to {handle}",
                written=in_dollars(move.amount),
                due=f"at most {in_dollars(held[handle] + move.amount)}",
            )


def _settled(held: dict[str, int]) -> Iterator[DifferenceError]:
    taken = -held.pop("", 0)
    due = sum(held.values())
    held.clear()
    if taken != due:
        yield DifferenceError(
            "The payout of the stakes",
            written=in_dollars(taken),
            due=f"all that is held for the round, {in_dollars(due)}",
        )
