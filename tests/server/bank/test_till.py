from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_server.bank.bank import Bank
from bj_server.bank.error import (
    LineError,
    MispostedError,
    OverdraftError,
)
from bj_server.bank.move import Payment, Reason, Stake
from bj_server.bank.till import Till
from support.banks import read_bank


def last_act(bank: Bank, folder: Path) -> dict[str, Any]:
    """End the command of the table, and return the last thing that it did."""
    bank.till("main").seal({})
    bank.journal.write()
    return read_bank(folder)[-2]


def payment(handle: str, reason: Reason, stake: int, payout: int) -> Payment:
    return Payment(handle=handle, reason=reason, stake=stake, payout=payout)


def test_an_opening_balance_comes_once_and_from_the_donor(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.open("eve", 100_00)
    line = last_act(bank, folder)
    assert (line["kind"], line["table"], line["round"]) == ("open", "main", None)
    assert line["entries"] == [
        {"reason": "opening_balance", "moves": [["donor", "player:eve", 10000]]}
    ]
    till.open("lia9", 5)
    bank.till("other").open("lia9", 5)
    assert bank.balance("lia9") == 100_00
    assert till.is_sealed


def test_B15_a_gift_is_an_entry_of_its_own(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.give("ned21", 50_00)
    line = last_act(bank, folder)
    assert line["kind"] == "gift"
    assert line["entries"] == [
        {"reason": "gift", "moves": [["donor", "player:ned21", 5000]]}
    ]
    assert bank.balance("ned21") == 150_00


def test_B13_a_stake_is_taken_when_it_is_made_and_held(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.stake(1, "ned21", 60_00)
    assert bank.balance("ned21") == 40_00
    assert till.held(1) == {"ned21": 60_00}
    assert bank.journal.seq == 2  # a command that goes on is no line yet
    line = last_act(bank, folder)
    assert (line["kind"], line["round"], line["data"]) == ("stake", 1, {})
    assert line["entries"] == [
        {"reason": "bet", "moves": [["player:ned21", "stakes:main", 6000]]}
    ]


def test_P9_of_a_burst_of_bets_only_the_affordable_ones_are_taken(
    bank: Bank, till: Till
) -> None:
    taken = 0
    for _ in range(5):
        try:
            till.stake(1, "ned21", 30_00)
            taken += 1
        except OverdraftError:
            continue
    assert taken == 3
    assert till.held(1) == {"ned21": 90_00}
    bank.audit()


@pytest.mark.parametrize("amount", [0, -1, -(10**12), 0.5, float("nan"), True])
def test_B1_B9_a_stake_that_is_no_amount_changes_nothing(
    bank: Bank, till: Till, amount: int
) -> None:
    with pytest.raises(ValueError, match="whole number of cents"):
        till.stake(1, "ned21", amount)
    assert till.is_sealed
    assert till.held(1) == {}


def test_B4_stakes_in_a_record_are_taken_all_or_none(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.stake(1, "ned21", 60_00)
    split = Stake(handle="ned21", amount=60_00, reason=Reason.SPLIT)
    insured = Stake(handle="lia9", amount=5_00, reason=Reason.INSURANCE)
    with pytest.raises(OverdraftError):
        till.record("answer", 1, {}, [insured, split])
    assert last_act(bank, folder)["kind"] == "stake"
    till.record("answer", 1, {"seat": 1}, [insured])
    assert till.held(1) == {"ned21": 60_00, "lia9": 5_00}
    assert last_act(bank, folder)["kind"] == "answer"


@pytest.mark.parametrize("kind", ["settle", "void", "journal", "told", "gift"])
def test_a_record_cannot_pass_for_a_line_of_the_bank(till: Till, kind: str) -> None:
    with pytest.raises(ValueError, match="the bank's own"):
        till.record(kind, 1, {})


def test_a_record_that_is_no_json_changes_nothing(bank: Bank, till: Till) -> None:
    stake = Stake(handle="ned21", amount=60_00, reason=Reason.DOUBLE)
    with pytest.raises(LineError, match="set"):
        till.record("answer", 1, {"cards": {"As"}}, [stake])
    assert bank.balance("ned21") == 100_00
    assert till.held(1) == {}
    bank.audit()


def test_a_record_may_be_of_no_round(bank: Bank, till: Till) -> None:
    till.record("draw", None, {"cut": 60})
    assert till.last_round == 0


@pytest.mark.parametrize(
    ("reason", "payout", "moves", "balance"),
    [
        (Reason.HAND_LOST, 0, [["stakes:main", "house", 5000]], 50_00),
        (Reason.PUSH, 5000, [["stakes:main", "player:ned21", 5000]], 100_00),
        (
            Reason.HAND_WON,
            12500,
            [
                ["stakes:main", "player:ned21", 5000],
                ["house", "player:ned21", 7500],
            ],
            175_00,
        ),
        (
            Reason.HAND_SURRENDERED,
            2500,
            [
                ["stakes:main", "player:ned21", 2500],
                ["stakes:main", "house", 2500],
            ],
            75_00,
        ),
    ],
)
def test_B6_R15_each_way_to_be_paid_moves_the_stake_once(
    bank: Bank,
    till: Till,
    folder: Path,
    reason: Reason,
    payout: int,
    moves: list[list[object]],
    balance: int,
) -> None:
    till.stake(1, "ned21", 50_00)
    till.settle(1, [payment("ned21", reason, 50_00, payout)], {"dealer": "Td 7s"})
    line = last_act(bank, folder)
    assert line["kind"] == "settle"
    assert line["data"] == {"dealer": "Td 7s"}
    assert line["entries"] == [{"reason": reason, "moves": moves}]
    assert bank.balance("ned21") == balance
    assert till.held(1) == {}
    bank.audit()


def test_R17_a_round_is_settled_in_one_line_with_an_entry_a_wager(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.stake(1, "ned21", 50_00)
    insured = Stake(handle="ned21", amount=25_00, reason=Reason.INSURANCE)
    till.record("answer", 1, {}, [insured])
    till.stake(1, "lia9", 10_00)
    till.settle(
        1,
        [
            payment("ned21", Reason.INSURANCE_WON, 25_00, 75_00),
            payment("ned21", Reason.HAND_LOST, 50_00, 0),
            payment("lia9", Reason.PUSH, 10_00, 10_00),
        ],
        {},
    )
    reasons = [entry["reason"] for entry in last_act(bank, folder)["entries"]]
    assert reasons == ["insurance_won", "hand_lost", "push"]
    assert (bank.balance("ned21"), bank.balance("lia9")) == (100_00, 100_00)
    bank.audit()


@pytest.mark.parametrize(
    "payments",
    [
        [],
        [payment("ned21", Reason.PUSH, 50_00, 50_00)],
        [
            payment("ned21", Reason.PUSH, 10_00, 10_00),
            payment("lia9", Reason.PUSH, 50_00, 50_00),
        ],
        [
            payment("ned21", Reason.PUSH, 50_00, 50_00),
            payment("ned21", Reason.PUSH, 50_00, 50_00),
            payment("lia9", Reason.PUSH, 10_00, 10_00),
        ],
        [
            payment("ned21", Reason.PUSH, 50_00, 50_00),
            payment("lia9", Reason.PUSH, 10_00, 10_00),
            payment("eve", Reason.HAND_WON, 1, 2),
        ],
    ],
)
def test_P10_a_round_is_settled_whole_or_not_at_all(
    bank: Bank, till: Till, folder: Path, payments: list[Payment]
) -> None:
    till.stake(1, "ned21", 50_00)
    till.stake(1, "lia9", 10_00)
    with pytest.raises(MispostedError, match="cents short of the stakes of"):
        till.settle(1, payments, {})
    assert last_act(bank, folder)["kind"] == "stake"
    assert till.held(1) == {"ned21": 50_00, "lia9": 10_00}


def test_a_round_is_settled_once(bank: Bank, till: Till) -> None:
    till.stake(1, "ned21", 50_00)
    won = [payment("ned21", Reason.HAND_WON, 50_00, 100_00)]
    till.settle(1, won, {})
    with pytest.raises(MispostedError):
        till.settle(1, won, {})
    with pytest.raises(MispostedError, match="is over"):
        till.stake(1, "ned21", 50_00)
    assert bank.balance("ned21") == 150_00


@pytest.mark.parametrize(("stake", "payout"), [(0, 0), (0, 50_00), (50_00, -1)])
def test_a_payment_below_nothing_is_none(till: Till, stake: int, payout: int) -> None:
    if stake:
        till.stake(1, "ned21", stake)
    with pytest.raises(ValueError, match="at least"):
        till.settle(1, [payment("ned21", Reason.PUSH, stake, payout)], {})


def test_a_refund_gives_one_handle_or_all_their_stakes_back(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.stake(1, "ned21", 50_00)
    double = Stake(handle="ned21", amount=25_00, reason=Reason.DOUBLE)
    till.record("answer", 1, {}, [double])
    till.stake(1, "lia9", 10_00)
    assert till.refund(1, "lia9") == {"lia9": 10_00}
    assert till.held(1) == {"ned21": 75_00}
    till.stake(1, "lia9", 20_00)
    assert till.refund(1) == {"ned21": 75_00, "lia9": 20_00}
    assert last_act(bank, folder)["entries"] == [
        {"reason": "refund", "moves": [["stakes:main", "player:lia9", 2000]]},
        {"reason": "refund", "moves": [["stakes:main", "player:ned21", 7500]]},
    ]
    assert (bank.balance("ned21"), bank.balance("lia9")) == (100_00, 100_00)
    assert till.refund(1) == {}
    assert till.refund(2, "ned21") == {}
    assert till.is_sealed


def test_who_never_came_has_nothing(till: Till) -> None:
    assert till.balance("eve") == 0
    assert till.account("eve") is None


def test_all_rounds_of_a_table_end_with_what_is_known_of_them(
    bank: Bank, till: Till, folder: Path
) -> None:
    till.stake(1, "ned21", 50_00)
    till.void_all({"secret": "ab"})
    act = last_act(bank, folder)
    assert (act["kind"], act["round"], act["data"]) == ("void", 1, {"secret": "ab"})
    assert bank.balance("ned21") == 100_00


def test_tables_hold_their_stakes_apart(bank: Bank, till: Till) -> None:
    other = bank.till("other")
    till.stake(1, "ned21", 50_00)
    till.seal({})
    other.stake(1, "ned21", 20_00)
    other.stake(2, "ned21", 5_00)
    assert (till.held(1), other.held(1)) == ({"ned21": 50_00}, {"ned21": 20_00})
    assert other.refund(1) == {"ned21": 20_00}
    assert other.held(2) == {"ned21": 5_00}
    assert (till.last_round, other.last_round) == (1, 2)
    bank.audit()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ned21", "lia9", "eve"]),
            st.integers(1, 40_00),
            st.integers(0, 100_00),
        ),
        max_size=12,
    )
)
def test_P8_money_is_conserved_through_any_rounds(
    tmp_path_factory: pytest.TempPathFactory, bets: list[tuple[str, int, int]]
) -> None:
    bank = Bank.open(tmp_path_factory.mktemp("bank"))
    till = bank.till("main")
    expected = {"ned21": 100_00, "lia9": 100_00, "eve": 100_00}
    for handle, cents in expected.items():
        till.open(handle, cents)
    for round, (handle, stake, payout) in enumerate(bets, 1):
        try:
            till.stake(round, handle, stake)
        except OverdraftError:
            assert expected[handle] < stake
            continue
        bank.audit()
        till.settle(round, [payment(handle, Reason.PUSH, stake, payout)], {})
        expected[handle] += payout - stake
    bank.audit()
    assert {handle: bank.balance(handle) for handle in expected} == expected
    bank.close()
