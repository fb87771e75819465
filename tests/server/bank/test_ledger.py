from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_server.bank.error import OverdraftError, UnbalancedError
from bj_server.bank.ledger import Ledger
from bj_server.bank.move import DONOR, HOUSE, PLAYER, STAKES, Entry, Move, Reason

NED = PLAYER + "ned21"
TABLE = STAKES + "main"

accounts = st.sampled_from([HOUSE, DONOR, NED, PLAYER + "lia9", TABLE])
moves = st.builds(
    lambda pair, amount: Move(source=pair[0], target=pair[1], amount=amount),
    st.tuples(accounts, accounts).filter(lambda pair: pair[0] != pair[1]),
    st.one_of(st.integers(1, 300), st.integers(2**53, 10**30)),
)
entries = st.lists(
    st.builds(
        lambda some: Entry(reason=Reason.GIFT, moves=tuple(some)),
        st.lists(moves, max_size=4),
    ),
    max_size=5,
)


def entry(source: str, target: str, amount: int) -> Entry:
    move = Move(source=source, target=target, amount=amount)
    return Entry(reason=Reason.BET, moves=(move,))


@given(st.lists(entries, max_size=8))
def test_P8_money_is_neither_made_nor_lost_whatever_is_posted(
    history: list[list[Entry]],
) -> None:
    ledger = Ledger()
    for some in history:
        before = ledger.accounts
        try:
            ledger.apply(some)
        except OverdraftError:
            assert ledger.accounts == before
        ledger.audit()
        assert ledger.total == 0


@given(st.lists(entries, max_size=8))
def test_P8_a_balance_is_the_sum_of_the_moves_that_were_carried_out(
    history: list[list[Entry]],
) -> None:
    ledger = Ledger()
    expected = 0
    for some in history:
        try:
            ledger.apply(some)
        except OverdraftError:
            continue
        for move in (move for one in some for move in one.moves):
            expected += move.amount * ((move.target == NED) - (move.source == NED))
    assert ledger.balance(NED) == expected


def test_P9_of_several_moves_that_cannot_all_be_paid_none_is_carried_out() -> None:
    ledger = Ledger()
    ledger.apply([entry(DONOR, NED, 100)])
    both = [entry(NED, TABLE, 60), entry(NED, TABLE, 60)]
    with pytest.raises(
        OverdraftError, match=r"player:ned21 holds \$0\.40 and cannot pay \$0\.60"
    ) as caught:
        ledger.apply(both)
    assert (caught.value.account, caught.value.balance) == (NED, 40)
    assert caught.value.amount == 60
    assert ledger.balance(NED) == 100
    assert TABLE not in ledger


def test_money_that_comes_and_goes_in_one_posting_is_followed_move_by_move() -> None:
    ledger = Ledger()
    ledger.apply([entry(DONOR, NED, 100), entry(NED, TABLE, 100)])
    with pytest.raises(OverdraftError):
        ledger.apply([entry(NED, HOUSE, 50), entry(HOUSE, NED, 50)])
    ledger.apply([entry(HOUSE, NED, 50), entry(NED, HOUSE, 50)])
    assert ledger.balance(NED) == 0


def test_a_table_cannot_pay_more_than_it_holds() -> None:
    with pytest.raises(OverdraftError, match="stakes:main"):
        Ledger().apply([entry(TABLE, NED, 1)])


def test_an_account_is_known_from_its_first_move_on_even_when_empty() -> None:
    ledger = Ledger()
    assert NED not in ledger
    assert ledger.balance(NED) == 0
    ledger.apply([entry(DONOR, NED, 5), entry(NED, HOUSE, 5)])
    assert NED in ledger
    assert ledger.accounts == {DONOR: -5, HOUSE: 5, NED: 0}


@pytest.mark.parametrize("amount", [2**31, 2**53 + 1, 10**30])
def test_B12_big_balances_are_exact(amount: int) -> None:
    ledger = Ledger()
    ledger.apply([entry(DONOR, NED, amount), entry(DONOR, NED, 1)])
    assert ledger.balance(NED) == amount + 1
    assert ledger.balance(DONOR) == -amount - 1


def test_an_audit_finds_money_that_came_from_nowhere() -> None:
    ledger = Ledger()
    ledger.balances[HOUSE] = 7
    with pytest.raises(UnbalancedError, match="together hold 7 cents"):
        ledger.audit()


def test_an_audit_finds_a_player_who_owes() -> None:
    ledger = Ledger()
    ledger.balances.update({HOUSE: 7, NED: -7})
    with pytest.raises(UnbalancedError, match="player:ned21 holds -7 cents"):
        ledger.audit()


def test_14_9_the_room_of_a_ledger_is_what_players_may_still_come_to_hold() -> None:
    ledger = Ledger()
    assert ledger.room == 2**52
    given = Move(source="donor", target="player:ned21", amount=1000)
    won = Move(source="house", target="stakes:main:1", amount=500)
    ledger.apply([Entry(reason=Reason.GIFT, moves=(given, won))])
    assert ledger.room == 2**52 - 1500
    lots = Move(source="donor", target="player:ned21", amount=2**60)
    ledger.apply([Entry(reason=Reason.GIFT, moves=(lots,))])
    assert ledger.room == 0


class Unread(dict[str, int]):
    """Balances that may be looked up, and not gone through."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError

    def keys(self) -> Any:
        raise AssertionError


def test_a_new_account_is_found_without_going_through_all_others() -> None:
    ledger = Ledger({DONOR: 0})
    ledger.balances = Unread(ledger.balances)
    move = Move(source=DONOR, target=PLAYER + "ned21", amount=5)
    ledger.apply([Entry(reason=Reason.GIFT, moves=(move, move))])
    assert (ledger.players, ledger.balance(PLAYER + "ned21")) == (1, 10)


def test_each_account_that_is_opened_is_one_player_more() -> None:
    ledger = Ledger()
    for handle in ("ned21", "lia9", "ned21"):
        ledger.open(PLAYER + handle)
    assert ledger.players == 2
