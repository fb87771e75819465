import pytest

from bj_game.money import dollars
from bj_server.bank.move import (
    DONOR,
    HOUSE,
    MAX_CENTS,
    PLAYER,
    STAKES,
    VAULT,
    Move,
    Payment,
    Posting,
    Reason,
    Stake,
    gained,
    handle_of,
    is_account,
    may_owe,
    paid,
    refunded,
    staked,
)


@pytest.mark.parametrize("amount", [0, -1, -(10**12), True, 1.0, 0.5, "1", None])
def test_B1_B10_only_whole_cents_above_zero_can_move(amount: int) -> None:
    with pytest.raises(ValueError, match="whole number of cents"):
        Move(source=HOUSE, target=PLAYER + "ned21", amount=amount)


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


def test_only_the_house_the_donor_and_the_vault_may_owe() -> None:
    assert may_owe(HOUSE)
    assert may_owe(VAULT)
    assert may_owe(DONOR)
    assert not may_owe(PLAYER + "house")
    assert not may_owe(STAKES + "main")


def test_only_players_accounts_belong_to_a_handle() -> None:
    assert handle_of(PLAYER + "lia9@example.org") == "lia9@example.org"
    assert handle_of(STAKES + "main") is None
    assert handle_of(HOUSE) is None


def test_what_an_account_gains_is_what_comes_less_what_goes() -> None:
    moves = [
        Move(source=DONOR, target=PLAYER + "ned21", amount=100),
        Move(source=PLAYER + "ned21", target=STAKES + "main", amount=30),
        Move(source=HOUSE, target=DONOR, amount=7),
    ]
    accounts = (PLAYER + "ned21", STAKES + "main", DONOR, HOUSE, PLAYER + "lia9")
    assert [gained(moves, each) for each in accounts] == [70, 30, -93, -7, 0]


@pytest.mark.parametrize(
    ("stake", "payout", "ways"),
    [
        (5, 0, [("stakes:main", "house", 5)]),
        (5, 2, [("stakes:main", "player:ned21", 2), ("stakes:main", "house", 3)]),
        (5, 5, [("stakes:main", "player:ned21", 5)]),
        (5, 12, [("stakes:main", "player:ned21", 5), ("house", "player:ned21", 7)]),
        (1, 2, [("stakes:main", "player:ned21", 1), ("house", "player:ned21", 1)]),
        (1, 0, [("stakes:main", "house", 1)]),
    ],
)
def test_a_wager_is_paid_from_its_stake_and_by_the_house_alone(
    stake: int, payout: int, ways: list[tuple[str, str, int]]
) -> None:
    payment = Payment(
        handle="ned21", reason=Reason.HAND_WON, stake=stake, payout=payout
    )
    entry = paid("main", payment)
    assert entry.reason is Reason.HAND_WON
    assert [(each.source, each.target, each.amount) for each in entry.moves] == ways


def test_stakes_go_back_in_the_order_of_the_handles() -> None:
    entries = refunded("main", {"ned21": 3, "lia9": 2})
    assert [entry.reason for entry in entries] == [Reason.REFUND] * 2
    moves = [move for entry in entries for move in entry.moves]
    assert moves == [
        Move(source=STAKES + "main", target=PLAYER + "lia9", amount=2),
        Move(source=STAKES + "main", target=PLAYER + "ned21", amount=3),
    ]
    touched = Posting(kind="refund", entries=entries)
    assert list(touched.moves) == moves
    assert list(touched.handles) == ["lia9", "ned21"]
    staked_by = Posting(
        kind="stake",
        entries=(staked("main", Stake(handle="ned21", amount=1, reason=Reason.BET)),),
    )
    assert list(staked_by.handles) == ["ned21"]


def test_amounts_are_told_in_dollars_to_the_cent() -> None:
    assert dollars(0) == "$0"
    assert dollars(7) == "$0.07"
    assert dollars(123_456_789) == "$1,234,567.89"
