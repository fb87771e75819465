"""The ledger: the balance of every account, folded from the entries.

It knows neither files nor rounds. Money is conserved by construction, since a move
takes as much as it gives; ``audit`` checks that all the same.
"""

import heapq
from collections.abc import Iterable, Mapping
from typing import Self, TypeVar

from bj_server.bank.error import OverdraftError, UnbalancedError
from bj_server.bank.move import DONOR, HOUSE, VAULT, Entry, handle_of, may_owe

_V = TypeVar("_V")
_PART = 1000
_MOST_HELD = 2**52
"""Cents. Twice as many are still exact in the JSON of every language."""


def in_order(mapping: Mapping[str, _V]) -> dict[str, _V]:
    """Return a mapping in the order of its names.

    It is sorted in parts, since the interpreter lets no other thread run while it
    sorts, and the event loop is one.

    >>> in_order({"ned21": 2, "lia9": 1})
    {'lia9': 1, 'ned21': 2}
    """
    names = list(mapping)
    parts = [sorted(names[at : at + _PART]) for at in range(0, len(names), _PART)]
    return {name: mapping[name] for name in heapq.merge(*parts)}


class Ledger:
    """The balances, in cents. An account exists from its first move on."""

    def __init__(self, balances: Mapping[str, int] | None = None) -> None:
        self.balances = dict(balances or {})
        self.players = sum(handle_of(name) is not None for name in self.balances)
        """How many accounts of players there are."""

    def copy(self) -> Self:
        """Return a ledger that stays as this one is now, without counting again."""
        other = type(self)()
        other.balances = self.balances.copy()
        other.players = self.players
        return other

    def __contains__(self, account: object) -> bool:
        return account in self.balances

    def balance(self, account: str) -> int:
        """Return what the account holds, 0 if it has never moved any."""
        return self.balances.get(account, 0)

    @property
    def accounts(self) -> dict[str, int]:
        """All balances by account, in the order of the names."""
        return in_order(self.balances)

    @property
    def total(self) -> int:
        """The sum of all accounts: 0."""
        return sum(self.balances.values())

    @property
    def room(self) -> int:
        """How many cents more all players together should come to hold."""
        held = self.balances.get
        return max(0, _MOST_HELD + held(DONOR, 0) + held(HOUSE, 0) + held(VAULT, 0))

    def apply(self, entries: Iterable[Entry]) -> None:
        """Carry out all the moves in their order, or none."""
        after, known = self._after(entries), self.balances
        for name in after:  # a difference of keys would go through all that are known
            if name not in known and handle_of(name) is not None:
                self.players += 1
        known.update(after)

    def open(self, account: str) -> None:
        """Have the account of a player, though it may hold nothing yet."""
        if account not in self.balances:
            self.balances[account] = 0
            self.players += 1

    def close(self, account: str) -> None:
        """Forget the account of a player, which holds nothing."""
        del self.balances[account]
        self.players -= 1

    def audit(self) -> None:
        """Check that money was neither made nor lost, and that no player owes."""
        if self.total != 0:
            raise UnbalancedError(
                f"All accounts together hold {self.total} cents, not 0."
            )
        for account, cents in self.balances.items():
            if cents < 0 and not may_owe(account):
                raise UnbalancedError(f"The account {account} holds {cents} cents.")

    def _after(self, entries: Iterable[Entry]) -> dict[str, int]:
        """Return the balances that the moves would change, as they would be."""
        after: dict[str, int] = {}
        now = self.balances
        for entry in entries:
            for move in entry.moves:
                source, target, amount = move.source, move.target, move.amount
                before = after[source] if source in after else now.get(source, 0)
                if before < amount and not may_owe(source):
                    raise OverdraftError(source, before, amount)
                after[source] = before - amount
                before = after[target] if target in after else now.get(target, 0)
                after[target] = before + amount
        return after
