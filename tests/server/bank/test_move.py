import pytest

from bj_game.money import dollars
from bj_server.bank.move import (
    DONOR,
    HOUSE,
    MAX_CENTS,
    Move,
    handle_of,
    is_account,
    may_owe,
    player,
    stakes,
)


@pytest.mark.parametrize("amount", [0, -1, -(10**12), True, 1.0, 0.5, "1", None])
def test_B1_B10_only_whole_cents_above_zero_can_move(amount: int) -> None:
    with pytest.raises(ValueError, match="whole number of cents"):
        Move(source=HOUSE, target=player("ned21"), amount=amount)


def test_B12_amounts_are_exact_up_to_a_ceiling_that_python_can_write() -> None:
    move = Move(source=DONOR, target=HOUSE, amount=MAX_CENTS)
    assert move.amount == 10**4000
    with pytest.raises(ValueError, match="whole number of cents"):
        Move(source=DONOR, target=HOUSE, amount=MAX_CENTS + 1)


def test_a_move_to_the_same_account_is_none() -> None:
    with pytest.raises(ValueError, match="to itself"):
        Move(source=HOUSE, target=HOUSE, amount=1)


@pytest.mark.parametrize("account", ["", "casino", "player:", "stakes:", "Player:a"])
def test_money_moves_between_known_kinds_of_accounts_only(account: str) -> None:
    assert not is_account(account)
    with pytest.raises(ValueError, match="no account named"):
        Move(source=HOUSE, target=account, amount=1)


def test_only_the_house_and_the_donor_may_owe() -> None:
    assert may_owe(HOUSE)
    assert may_owe(DONOR)
    assert not may_owe(player("house"))
    assert not may_owe(stakes("main"))


def test_only_players_accounts_belong_to_a_handle() -> None:
    assert handle_of(player("lia9@example.org")) == "lia9@example.org"
    assert handle_of(stakes("main")) is None
    assert handle_of(HOUSE) is None


def test_amounts_are_told_in_dollars_to_the_cent() -> None:
    assert dollars(0) == "$0"
    assert dollars(7) == "$0.07"
    assert dollars(123_456_789) == "$1,234,567.89"
