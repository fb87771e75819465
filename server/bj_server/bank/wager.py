"""Wagers: money at risk, on its way into the stakes and out of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from bj_server.bank.move import HOUSE, Entry, Move, Reason, player, stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """Cents that a player puts at risk, at least 1."""

    handle: str
    amount: int
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """What becomes of one wager.

    ``stake`` cents were held for it, at least 1, and ``payout`` cents, at least 0, go
    to the player, the stake included. The house pays what the payout is more, and
    gets what it is less.
    """

    handle: str
    reason: Reason
    stake: int
    payout: int


def staked(table: str, stake: Stake) -> Entry:
    """Return the entry that holds a stake.

    Raises:
        ValueError: if the stake is not a whole number of cents, at least 1.
    """
    source, target = player(stake.handle), stakes(table)
    move = Move(source=source, target=target, amount=stake.amount)
    return Entry(reason=stake.reason, moves=(move,))


def paid(table: str, payment: Payment) -> Entry:
    """Return the entry that pays a wager out.

    Raises:
        ValueError: if the stake is below 1 or the payout below 0.
    """
    stake, payout = payment.stake, payment.payout
    if stake < 1 or payout < 0:
        raise ValueError("A stake is at least 1 cent and a payout at least 0.")
    pot, winner = stakes(table), player(payment.handle)
    ways = (
        (pot, winner, min(stake, payout)),
        (pot, HOUSE, stake - payout),
        (HOUSE, winner, payout - stake),
    )
    moves = (
        Move(source=a, target=b, amount=cents) for a, b, cents in ways if cents > 0
    )
    return Entry(reason=payment.reason, moves=tuple(moves))


def refunded(table: str, held: Mapping[str, int]) -> tuple[Entry, ...]:
    """Return the entries that give held cents back, one for each handle."""
    pot = stakes(table)
    return tuple(
        Entry(
            reason=Reason.REFUND,
            moves=(Move(source=pot, target=player(handle), amount=cents),),
        )
        for handle, cents in sorted(held.items())
    )
