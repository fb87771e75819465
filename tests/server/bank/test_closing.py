"""An account is closed whole: with all that it holds, and nothing at stake."""

from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import MispostedError
from bj_server.bank.key import digest_of
from bj_server.bank.move import DONOR, HOUSE, PLAYER, Entry, Move, Posting, Reason
from bj_server.bank.snapshot import Snapshot
from support.banks import OpenBank


def opened(open_bank: OpenBank) -> Bank:
    """Return a bank in which ned21 and lia9 have 100 cents each, and a key."""
    bank = open_bank()
    till = bank.till("main")
    for handle in ("ned21", "lia9"):
        till.open(handle, 100)
        till.claim(handle, digest_of(handle))
    till.seal({})
    return bank


def closing(handle: object, *moves: Move) -> Posting:
    entries = (Entry(reason=Reason.CLOSING_BALANCE, moves=moves),)
    return Posting(kind="close", entries=entries, data={"handle": handle})


def test_14_10_a_closed_account_leaves_nothing_and_is_on_the_disk(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = opened(open_bank)
    bank.close_accounts(["lia9"])
    assert bank.books.ledger.players == 1
    assert "player:lia9" not in bank.books.ledger
    bank.audit()
    again = open_bank()  # as after kill -9
    assert (again.books.ledger.players, again.balance("ned21")) == (1, 100)
    till = again.till("main")
    assert till.key_of("lia9") is None
    assert till.key_of("ned21") == digest_of("ned21")
    snapshot = Snapshot.read(folder)
    assert snapshot is not None
    assert snapshot.statement["accounts"] == {"donor": -100, "player:ned21": 100}
    till.open("lia9", 200)
    till.claim("lia9", digest_of("eve"))
    till.seal({})
    assert (again.books.ledger.players, again.balance("lia9")) == (2, 200)


def test_14_10_notices_are_forgotten_with_the_account(open_bank: OpenBank) -> None:
    bank = opened(open_bank)
    till = bank.till("main")
    till.stake(1, "ned21", 100)
    till.void(1)
    till.seal({})
    bank.close_accounts(["ned21"])
    assert bank.take_notices("ned21") == ()


def test_14_10_an_account_with_stakes_stays_open(open_bank: OpenBank) -> None:
    bank = opened(open_bank)
    till = bank.till("main")
    till.stake(1, "ned21", 100)
    till.seal({})
    with pytest.raises(MispostedError, match="ned21 has stakes"):
        bank.close_accounts(["ned21"])
    bank.close_accounts(["lia9"])
    assert till.held(1) == {"ned21": 100}


@pytest.mark.parametrize(
    ("posting", "what"),
    [
        (closing("eve"), "no account of 'eve'"),
        (closing(None), "no account of None"),
        (closing("ned21"), "All that ned21 has"),
        (
            closing("ned21", Move(source=PLAYER + "ned21", target=DONOR, amount=99)),
            "All that ned21 has",
        ),
        (
            closing("ned21", Move(source=PLAYER + "ned21", target=HOUSE, amount=100)),
            "All that ned21 has",
        ),
    ],
)
def test_14_10_a_closing_that_does_not_fit_changes_nothing(
    open_bank: OpenBank, posting: Posting, what: str
) -> None:
    books = opened(open_bank).books
    with pytest.raises(MispostedError, match=what):
        books.apply(posting)
    assert books.ledger.players == 2
    assert books.ledger.balance(DONOR) == -200
