from dataclasses import replace
from typing import Any

import pytest

from bj_server.bank.books import Books
from bj_server.bank.error import (
    LineError,
    MispostedError,
    OverdraftError,
    UnbalancedError,
)
from bj_server.bank.line import Line
from bj_server.bank.move import (
    DONOR,
    HOUSE,
    PLAYER,
    STAKES,
    Entry,
    Move,
    Posting,
    Reason,
)

NED = PLAYER + "ned21"
LIA = PLAYER + "lia9"
MAIN = STAKES + "main"


def posting(*moves: tuple[str, str, int], **changes: Any) -> Posting:
    entries = tuple(
        Entry(reason=Reason.BET, moves=(Move(source=a, target=b, amount=cents),))
        for a, b, cents in moves
    )
    fields = {"kind": "stake", "table": "main", "round": 1, **changes}
    return Posting(entries=entries, **fields)


@pytest.fixture
def books() -> Books:
    """Two players with 100 each, of which 60 and 10 are held for round 1."""
    books = Books()
    books.apply(posting((DONOR, NED, 100), (DONOR, LIA, 100), kind="gift", round=None))
    books.apply(posting((NED, MAIN, 60), (LIA, MAIN, 10)))
    return books


def test_books_know_whose_the_stakes_are(books: Books) -> None:
    assert books.held("main", 1) == {"ned21": 60, "lia9": 10}
    assert books.held("main", 2) == {}
    assert books.live_rounds == [("main", 1)]
    assert books.rounds == {"main": 1}
    books.audit()


def test_a_settlement_ends_its_round(books: Books) -> None:
    settled = posting((MAIN, HOUSE, 60), (MAIN, LIA, 10), (HOUSE, LIA, 10))
    books.apply(Posting(kind="settle", table="main", round=1, entries=settled.entries))
    assert books.live_rounds == []
    assert books.ledger.balance(NED) == 40
    assert books.ledger.balance(LIA) == 110
    with pytest.raises(MispostedError, match="Round 1 at table main is over"):
        books.apply(posting((NED, MAIN, 1)))
    books.apply(posting((NED, MAIN, 1), round=2))
    books.audit()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (posting((MAIN, HOUSE, 69), kind="settle"), "1 cents short"),
        (posting(kind="settle"), "70 cents short"),
        (posting((MAIN, NED, 70), (NED, MAIN, 1), kind="settle"), "another round"),
        (posting((MAIN, NED, 61), kind="refund"), "More would go back to ned21"),
        (posting((MAIN, HOUSE, 60), kind="refund"), "not to house"),
        (posting((HOUSE, MAIN, 60)), "house is no player"),
        (posting((MAIN, NED, 60), round=2), "More would go back to ned21"),
        (posting((MAIN, NED, 60), round=None), "another round or table"),
        (posting((NED, MAIN, 1), table=None), "another round or table"),
        (posting((NED, STAKES + "other", 1)), "another round or table"),
        (posting((MAIN, NED, 60), table="other"), "another round or table"),
        (posting(kind="seal", data={"seats": 5}), "fits no state of the table"),
        (
            posting(kind="seal", data={"seats": {"1": {"seat": 2, "handle": "lia9"}}}),
            "fits no state of the table",
        ),
    ],
)
def test_stakes_go_in_and_out_by_their_round_only(
    books: Books, wrong: Posting, reason: str
) -> None:
    before = books.ledger.accounts
    with pytest.raises(MispostedError, match=reason):
        books.apply(wrong)
    assert books.ledger.accounts == before
    assert books.held("main", 1) == {"ned21": 60, "lia9": 10}
    books.audit()


def test_P9_a_stake_that_cannot_be_paid_is_not_held(books: Books) -> None:
    wrong = posting((LIA, MAIN, 5), (NED, MAIN, 41))
    with pytest.raises(OverdraftError):
        books.apply(wrong)
    assert books.held("main", 1) == {"ned21": 60, "lia9": 10}


def test_money_may_move_beside_the_stakes(books: Books) -> None:
    books.apply(posting((HOUSE, NED, 5), (NED, MAIN, 5)))
    assert books.held("main", 1)["ned21"] == 65


def test_a_stake_that_goes_back_in_part_is_held_for_the_rest(books: Books) -> None:
    books.apply(posting((MAIN, NED, 20), kind="refund"))
    assert books.held("main", 1) == {"ned21": 40, "lia9": 10}
    books.apply(posting((MAIN, NED, 40), kind="refund"))
    assert books.held("main", 1) == {"lia9": 10}


def test_P10_who_had_a_stake_when_the_server_stopped_is_told_once(
    books: Books,
) -> None:
    books.apply(posting((MAIN, NED, 60), (MAIN, LIA, 10), kind="void"))
    books.apply(Posting(kind="seal", table="main"))
    assert books.notices["ned21"] == [
        "The server stopped during round 1 at table main: your $0.60 came back."
    ]
    books.apply(Posting(kind="told", data={"handle": "ned21"}))
    assert "ned21" not in books.notices
    assert len(books.notices["lia9"]) == 1
    books.apply(Posting(kind="told"))
    assert len(books.notices["lia9"]) == 1


def test_a_line_that_does_not_fit_those_before_it_is_damage(books: Books) -> None:
    wrong = Line(
        seq=9,
        time="",
        kind="refund",
        table="main",
        round=1,
        entries=posting((MAIN, NED, 61)).entries,
        synced=8,
        prev="",
    )
    for entries, reason in (
        (wrong.entries, "More would go back to ned21 than is held"),
        (
            posting((NED, LIA, 41)).entries,
            "The account player:ned21 holds $0.40 and cannot pay $0.41",
        ),
    ):
        with pytest.raises(LineError) as caught:
            books.follow(replace(wrong, entries=entries))
        assert str(caught.value) == f"it does not fit the lines before it. {reason}"


def test_an_audit_finds_stakes_that_are_nobodys(books: Books) -> None:
    del books.live["main", 1]
    with pytest.raises(
        UnbalancedError, match="stakes:main holds 70 cents, but the stakes"
    ):
        books.audit()


def test_a_table_may_hold_the_stakes_of_two_rounds(books: Books) -> None:
    books.apply(posting((NED, MAIN, 5), round=2))
    books.audit()
    assert books.live_rounds == [("main", 1), ("main", 2)]
