"""Faults of the bank: money and lines that are not as they are told."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

from bj_server.bank import syncer
from bj_server.bank.journal import Journal
from bj_server.bank.ledger import Ledger
from bj_server.bank.syncer import Syncer
from bj_server.bank.till import Till


def settle_twice(patch: pytest.MonkeyPatch) -> None:
    """Pay what a hand has won once more."""
    honest = Till.settle

    def settle(till: Till, round: int, payments: Any, data: Any) -> None:
        honest(till, round, payments, data)
        for payment in payments:
            if payment.payout:
                till.give(payment.handle, payment.payout)

    patch.setattr(Till, "settle", settle)


def forget_an_escrow(patch: pytest.MonkeyPatch) -> None:
    """Take no money for a bet."""
    patch.setattr(Till, "stake", lambda *_, **__: None)


def forget_the_escrow_of_a_double(patch: pytest.MonkeyPatch) -> None:
    """Take no money for what is wagered after the deal."""
    honest = Till.record

    def record(
        till: Till, kind: str, round: Any, data: Any, _: Any = (), **more: Any
    ) -> None:
        honest(till, kind, round, data, **more)

    patch.setattr(Till, "record", record)


def make_money(patch: pytest.MonkeyPatch) -> None:
    """Add a cent to an account that comes from no other."""
    honest = Ledger.apply

    def apply(ledger: Ledger, entries: Any) -> None:
        honest(ledger, entries)
        for name in ledger.balances:
            if name.startswith("player:"):
                ledger.balances[name] += 1

    patch.setattr(Ledger, "apply", apply)


def let_a_player_owe(patch: pytest.MonkeyPatch) -> None:
    """Move more from an account than is there."""
    honest = Ledger.apply

    def apply(ledger: Ledger, entries: Any) -> None:
        honest(ledger, entries)
        for name, cents in ledger.balances.items():
            if name.startswith("player:") and cents > 0:
                ledger.balances[name] -= cents + 1
                held = ledger.balance("donor")
                ledger.balances["donor"] = held + cents + 1

    patch.setattr(Ledger, "apply", apply)


def tell_before_it_is_durable(patch: pytest.MonkeyPatch) -> None:
    """Wait for no sync."""

    async def wait(*_: Any) -> None:
        pass

    patch.setattr(Syncer, "wait", wait)


def sync_nothing(patch: pytest.MonkeyPatch) -> None:
    """Call a file durable that was never synced."""
    patch.setattr(syncer, "sync", lambda *_, **__: None)


def lose_a_line(patch: pytest.MonkeyPatch) -> None:
    """Write down all lines but a few."""
    honest, numbers = Journal.append, itertools.count(1)

    def append(journal: Journal, posting: Any) -> int:
        before = journal.place
        seq = honest(journal, posting)
        if next(numbers) % 30 == 0:
            journal._buffer.pop()
            journal.place = replace(journal.place, size=before.size)
        return seq

    patch.setattr(Journal, "append", append)
