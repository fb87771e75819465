"""What grows with the accounts is done on a thread, beside the event loop."""

import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank import snapshot as statement
from bj_server.bank import store as caged
from bj_server.bank.bank import Bank
from bj_server.bank.books import Books
from bj_server.bank.ledger import Ledger


@pytest.mark.parametrize("turns", [True, False])
async def test_14_7_the_books_are_checked_and_taken_down_beside_the_loop(
    open_bank: Any, monkeypatch: pytest.MonkeyPatch, turns: bool
) -> None:
    bank = open_bank()
    where: list[tuple[str, bool]] = []

    def watched(name: str, really: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            is_loop = threading.current_thread() is threading.main_thread()
            where.append((name, is_loop))
            return really(*arguments, **options)

        return call

    till = bank.till("main")
    till.open("ned21", 1000_00)
    till.seal({})
    if turns:
        bank._segment_bytes = 0
    else:
        bank._settled = caged.ROUNDS_PER_SNAPSHOT
    monkeypatch.setattr(Books, "audit", watched("audit", Books.audit))
    really = statement.state
    monkeypatch.setattr("bj_server.bank.store.state", watched("state", really))
    await till.commit()
    assert where == [("audit", False), ("state", False)]
    assert Books(ledger=Ledger({"b": 1, "a": 2})).copy().ledger.accounts == {
        "a": 2,
        "b": 1,
    }


async def test_14_7_the_books_are_checked_as_they_were_when_that_began(
    open_bank: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = open_bank()
    really = Books.copy

    def copy_and_go_on(books: Books) -> Books:
        copy = really(books)
        books.ledger.balances["house"] = 1  # as if in the middle of a move
        return copy

    bank._settled = caged.ROUNDS_PER_SNAPSHOT
    monkeypatch.setattr(Books, "copy", copy_and_go_on)
    await bank.commit(bank.journal.seq, 0)
    assert bank.is_sound
    del bank.books.ledger.balances["house"]


def counted_calls(act: Callable[[], object]) -> int:
    """Return how many functions are called."""
    calls: list[str] = []
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: calls.append(event))
    try:
        act()
    finally:
        sys.setprofile(before)
    return len(calls)


def calls_of_a_copy(accounts: int) -> int:
    """Return how many functions are called to copy books of so many accounts."""
    handles = [f"ned{number}" for number in range(accounts)]
    books = Books(
        ledger=Ledger({f"player:{handle}": 100 for handle in handles}),
        keys=dict.fromkeys(handles, "0" * 64),
    )
    copies: list[Books] = []
    calls = counted_calls(lambda: copies.append(books.copy()))
    (copy,) = copies
    assert copy.ledger.players == accounts
    assert copy.keys == books.keys
    return calls


def test_14_7_a_copy_calls_nothing_for_each_account() -> None:
    assert calls_of_a_copy(10) == calls_of_a_copy(1000)


def open_into(banks: list[Bank], folder: Path) -> None:
    banks.append(Bank.open(folder, keep=None))


def test_14_7_each_account_in_the_journal_costs_a_start_the_same(
    tmp_path: Path,
) -> None:
    calls = []
    for accounts in (20, 120, 220):
        folder = tmp_path / str(accounts)
        bank = Bank.open(folder)
        till = bank.till("main")
        for number in range(accounts):
            till.open(f"ned{number}", 1000_00)
            till.seal({})
        bank.close()
        (folder / "bank.json").unlink()
        banks: list[Bank] = []
        calls.append(counted_calls(partial(open_into, banks, folder)))
        banks[0].close()
    first, second = calls[1] - calls[0], calls[2] - calls[1]
    assert second == pytest.approx(first, rel=0.1)
