"""Moves: the only way in which money changes hands.

An account is a text: ``player:<handle>``, ``stakes:<table>``, ``house`` or
``donor``. A move takes cents from one and gives them to another, so that no move
can make or lose money; an entry is the moves that one reason explains.
"""

from dataclasses import dataclass
from enum import StrEnum

HOUSE = "house"
"""Wins what players lose, and may owe without limit."""

DONOR = "donor"
"""Gives every opening balance and gift, and so always owes; takes back what an account
that is closed holds."""

MAX_CENTS = 10**4000
"""The largest move: Python writes integers of up to 4,300 digits, and no number of
moves that a journal can hold adds up to more than that."""

_PLAYER = "player:"
_STAKES = "stakes:"
_NAMED = (_PLAYER, _STAKES)


class Reason(StrEnum):
    """Why money moved; the texts are those of the journal."""

    OPENING_BALANCE = "opening_balance"
    GIFT = "gift"
    CLOSING_BALANCE = "closing_balance"

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


def player(handle: str) -> str:
    """Return the account of a player, by the one spelling of the handle.

    >>> player("ned21")
    'player:ned21'
    """
    return _PLAYER + handle


def stakes(table: str) -> str:
    """Return the account that holds the live stakes of a table.

    >>> stakes("main")
    'stakes:main'
    """
    return _STAKES + table


def handle_of(account: str) -> str | None:
    """Return whose account it is, or None where it is no player's.

    >>> handle_of("player:ned21")
    'ned21'
    """
    return account[len(_PLAYER) :] if account.startswith(_PLAYER) else None


def may_owe(account: str) -> bool:
    """Whether the account may fall below zero: the house and the donor may."""
    return account in (HOUSE, DONOR)


def is_account(text: str) -> bool:
    """Whether ``text`` is the name of an account.

    >>> is_account("stakes:main"), is_account("player:"), is_account("casino")
    (True, False, False)
    """
    return (text.startswith(_NAMED) and text not in _NAMED) or may_owe(text)


@dataclass(frozen=True, slots=True, kw_only=True)
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
        """Refuse what is no move."""
        # The exact type: True is an int too, and 1.0 equals 1.
        if type(self.amount) is not int or not 0 < self.amount <= MAX_CENTS:
            raise ValueError("A move is of a whole number of cents, at least 1.")
        if self.source == self.target:
            raise ValueError(f"A move from {self.source} to itself moves nothing.")
        for account in (self.source, self.target):
            if not is_account(account):
                raise ValueError(f"There is no account named {account!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The moves that one reason explains, in their order."""

    reason: Reason
    moves: tuple[Move, ...]
