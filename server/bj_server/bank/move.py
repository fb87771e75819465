"""Moves: the only way in which money changes hands.

An account is a text: ``player:<handle>``, ``stakes:<table>``, ``house``, ``donor`` or
``vault``. A move takes cents from one and gives them to another, so that no move
can make or lose money; an entry is the moves that one reason explains.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

HOUSE = "house"
"""Wins what players lose, and may owe without limit."""

DONOR = "donor"
"""Gives every opening balance and gift, and so always owes; takes back what an account
that is closed holds."""

VAULT = "vault"
"""Gives what a player of a fleet brings along, and takes what the player takes home;
it owes what those who are here have brought."""

MAX_CENTS = 10**4000
"""The largest move: Python writes integers of up to 4,300 digits, and no number of
moves that a journal can hold adds up to more than that."""

PLAYER, STAKES = "player:", "stakes:"
"""What the account of each player begins with, and that of the live stakes of a table.

Behind it stands the handle, in its one spelling, or the name of the table.
"""

_NAMED = (PLAYER, STAKES)
_OWING = (HOUSE, DONOR, VAULT)


class Reason(StrEnum):
    """Why money moved; the texts are those of the journal."""

    OPENING_BALANCE = "opening_balance"
    GIFT = "gift"
    CLOSING_BALANCE = "closing_balance"
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"

    BET = "bet"
    SPLIT = "split"
    DOUBLE = "double"
    INSURANCE = "insurance"

    HAND_WON = "hand_won"
    HAND_LOST = "hand_lost"
    HAND_SURRENDERED = "hand_surrendered"
    PUSH = "push"
    INSURANCE_WON = "insurance_won"
    INSURANCE_LOST = "insurance_lost"
    REFUND = "refund"

    @property
    def words(self) -> str:
        """Why, for people.

        >>> Reason.HAND_LOST.words
        'hand lost'
        """
        return self.value.replace("_", " ")


def handle_of(account: str) -> str | None:
    """Return whose account it is, or None where it is no player's.

    >>> handle_of("player:ned21")
    'ned21'
    """
    return account[len(PLAYER) :] if account.startswith(PLAYER) else None


def may_owe(account: str) -> bool:
    """Whether the account may fall below zero: the house, the donor, the vault may."""
    return account in _OWING


def is_account(text: str) -> bool:
    """Whether ``text`` is the name of an account.

    >>> is_account("stakes:main"), is_account("player:"), is_account("casino")
    (True, False, False)
    """
    return (text.startswith(_NAMED) and text not in _NAMED) or text in _OWING


@dataclass(slots=True, kw_only=True)
class Move:
    """Some cents from one account to another.

    Raises:
        ValueError: if the amount is not a whole number from 1 to ``MAX_CENTS``, or
            the accounts are not two different accounts.
    """

    source: str
    target: str
    amount: int

    def __post_init__(self) -> None:
        # The exact type: True is an int too, and 1.0 equals 1.
        if type(self.amount) is not int or not 0 < self.amount <= MAX_CENTS:
            raise ValueError("A move is of a whole number of cents, at least 1.")
        if self.source == self.target:
            raise ValueError(f"A move from {self.source} to itself moves nothing.")
        for account in (self.source, self.target):
            if not is_account(account):
                raise ValueError(f"There is no account named {account!r}.")


def gained(moves: Iterable[Move], account: str) -> int:
    """Return the cents that an account has more after the moves."""
    return sum(
        move.amount * ((move.target == account) - (move.source == account))
        for move in moves
    )


@dataclass(slots=True, kw_only=True)
class Entry:
    """The moves that one reason explains, in their order."""

    reason: Reason
    moves: tuple[Move, ...]


class Kind(StrEnum):
    """The kinds that mean something to the bank; a table's records have their own."""

    JOURNAL = "journal"
    """The first line of a segment of the journal."""
    OPEN = "open"
    """A handle's account is opened."""
    CLOSE = "close"
    """A handle's account is closed, and its key forgotten."""
    GIFT = "gift"
    """The donor gives."""
    ARRIVE = "arrive"
    """A player of a fleet comes, with money."""
    DEPART = "depart"
    """A player of a fleet goes, with all of it."""
    FLEET = "fleet"
    """The folder belongs to a server of a fleet, of which this is a start."""
    STAKE = "stake"
    """Money is put at risk by itself; a record may do the same."""
    SETTLE = "settle"
    """A round is paid out as a whole, and over."""
    REFUND = "refund"
    """Stakes go back while the table lives; the round may go on."""
    VOID = "void"
    """Stakes go back because the server stopped; the round is over."""
    KEY = "key"
    """A handle is claimed by a key, or its key is reset."""
    TOLD = "told"
    """A handle has been told its notices."""
    SEAL = "seal"
    """A table has finished a command; the data is what has changed of its state."""


@dataclass(slots=True, kw_only=True)
class Posting:
    """Entries and data of one table and round, all of them or none.

    Raises:
        ValueError: if the round is not None or a whole number from 1.
    """

    kind: str
    table: str | None = None
    round: int | None = None
    entries: tuple[Entry, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.round is None:
            return
        if type(self.round) is not int or self.round < 1:
            raise ValueError("Rounds are whole numbers, counted from 1.")

    @property
    def moves(self) -> Iterator[Move]:
        """The moves of all entries, in their order."""
        return (move for entry in self.entries for move in entry.moves)

    @property
    def handles(self) -> Iterator[str]:
        """The handles whose money the moves touch, each as often as they do."""
        for move in self.moves:
            for handle in (handle_of(move.source), handle_of(move.target)):
                if handle is not None:
                    yield handle


@dataclass(slots=True, kw_only=True)
class Stake:
    """Cents that a player puts at risk, at least 1."""

    handle: str
    amount: int
    reason: Reason


@dataclass(slots=True, kw_only=True)
class Payment:
    """The end of one wager.

    ``stake`` cents were held for it, at least 1, and ``payout`` cents, at least 0, go
    to the player, the stake included. The house pays what the payout is more, and
    gets what it is less.
    """

    handle: str
    reason: Reason
    stake: int
    payout: int


def moved(reason: Reason, source: str, target: str, amount: int) -> Entry:
    """Return the entry that moves cents from one account to another."""
    move = Move(source=source, target=target, amount=amount)
    return Entry(reason=reason, moves=(move,))


def staked(table: str, stake: Stake) -> Entry:
    """Return the entry that holds a stake."""
    return moved(stake.reason, PLAYER + stake.handle, STAKES + table, stake.amount)


def paid(table: str, payment: Payment) -> Entry:
    """Return the entry that pays a wager out."""
    stake, payout = payment.stake, payment.payout
    if stake < 1 or payout < 0:
        raise ValueError("A stake is at least 1 cent and a payout at least 0.")
    pot, winner = STAKES + table, PLAYER + payment.handle
    ways = (
        (pot, winner, min(stake, payout)),
        (pot, HOUSE, stake - payout),
        (HOUSE, winner, payout - stake),
    )
    moves = [
        Move(source=a, target=b, amount=cents) for a, b, cents in ways if cents > 0
    ]
    return Entry(reason=payment.reason, moves=tuple(moves))


def refunded(table: str, held: Mapping[str, int]) -> tuple[Entry, ...]:
    """Return the entries that give held cents back, one for each handle."""
    return tuple(
        moved(Reason.REFUND, STAKES + table, PLAYER + handle, cents)
        for handle, cents in sorted(held.items())
    )


Clock = Callable[[], datetime]
"""Returns the time of the call, with its zone."""


def utc_now() -> datetime:
    """Return the time by the system's clock."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Return a time as UTC in ISO 8601, to the millisecond.

    >>> stamp(datetime(2024, 5, 1, 12, 30, tzinfo=UTC))
    '2024-05-01T12:30:00.000Z'
    """
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    text = moment.isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"
