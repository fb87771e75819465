"""What a table has pending, through its rounds and over a restart."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bj_server.bank.error import JournalError, MispostedError
from bj_server.bank.move import Payment, Posting, Reason, Stake
from bj_server.bank.pending import PendingRound, changed
from bj_server.bank.till import Till
from support.banks import OpenBank


def deal(till: Till) -> None:
    till.open("ned21", 100)
    till.record("house", None, {"name": "cpsc386"})
    till.record("draw", 1, {"cut": 60})
    till.stake(1, "ned21", 10)
    till.record("deal", 1, {"dealt": 0})
    more = Stake(handle="ned21", amount=10, reason=Reason.DOUBLE)
    till.record("answer", 1, {"play": "double"}, [more])
    till.record("note", 1, {})
    till.seal({"seats": ["ned21"]})


PENDING = PendingRound(
    house=Posting(kind="house", round=None, data={"name": "cpsc386"}),
    draw=Posting(kind="draw", round=1, data={"cut": 60}),
    deal=Posting(kind="deal", round=1, data={"dealt": 0}),
    answers=(Posting(kind="answer", round=1, data={"play": "double"}),),
    state={"seats": ["ned21"]},
)


def settle(till: Till) -> None:
    push = Payment(handle="ned21", reason=Reason.PUSH, stake=20, payout=20)
    till.settle(1, [push], {})


@pytest.mark.parametrize(
    "end", [settle, lambda till: till.void(1), lambda till: till.refund(1)]
)
def test_a_docket_holds_the_running_round_and_forgets_it_when_it_is_over(
    open_bank: OpenBank, end: Callable[[Till], object]
) -> None:
    till = open_bank().till("main")
    assert till.pending == PendingRound()
    deal(till)
    assert till.pending == PENDING
    end(till)
    assert (till.pending.deal, till.pending.answers) == (None, ())
    assert till.pending.draw == PENDING.draw
    till.record("draw", 2, {"cut": 61})
    assert till.pending.draw == Posting(kind="draw", round=2, data={"cut": 61})
    till.seal({"seats": []})
    assert till.pending.state == {"seats": []}


def test_the_secret_of_a_round_that_cannot_go_on_is_told() -> None:
    drawn = Posting(kind="draw", round=2, data={"secret": "ab"})
    dealt = Posting(kind="deal", round=1, data={"secret": "cd"})
    assert PendingRound().told == {}
    assert PendingRound(draw=drawn).told == {"secret": "ab"}
    assert PendingRound(draw=drawn, deal=dealt).told == {"secret": "cd"}
    assert PendingRound(deal=replace(dealt, data={"dealt": 0})).told == {}


def test_a_refund_of_one_stake_leaves_the_round_of_the_others(
    open_bank: OpenBank,
) -> None:
    till = open_bank().till("main")
    deal(till)
    till.open("lia9", 100)
    till.stake(1, "lia9", 5)
    till.refund(1, "lia9")
    assert till.pending.deal == PENDING.deal


@pytest.mark.parametrize(
    "seats",
    [
        5,
        {"one": {}},
        {"1": 5},
        {"1": {"seat": 2}},
        {"1": {"handle": 7}},
        {"2": {"bet": 5}},
    ],
)
def test_a_change_of_what_is_not_there_is_refused(seats: object) -> None:
    with pytest.raises(MispostedError) as caught:
        changed({"seats": [{"seat": 1, "handle": "ned21"}]}, {"seats": seats})
    assert str(caught.value) == "The change fits no state of the table."


def test_a_state_whose_seats_are_none_takes_no_change() -> None:
    with pytest.raises(MispostedError, match="fits no state"):
        changed({"seats": ["ned21"]}, {"seats": {"1": {"bet": 5}}})


def test_a_change_names_what_differs() -> None:
    state = changed(None, {"seq": 1, "seats": {"3": {"handle": "ned21", "bet": 5}}})
    state = changed(state, {"phase": "playing"})
    state = changed(state, {"seats": {"1": {"handle": "lia9"}, "3": {"bet": None}}})
    lia, ned = {"seat": 1, "handle": "lia9"}, {"seat": 3, "handle": "ned21"}
    assert state == {"seq": 1, "phase": "playing", "seats": [lia, ned]}
    assert changed(state, {"seats": {"1": None}})["seats"] == [ned]
    assert changed(state, {"seats": {"2": None}})["seats"] == [lia, ned]
    both = changed(state, {"seats": {"1": None, "3": {"bet": 7}}})
    assert both["seats"] == [{**ned, "bet": 7}]
    assert changed(state, {"seats": []}) == {"seats": []}


def test_a_closed_bank_carries_nothing_out(open_bank: OpenBank) -> None:
    bank = open_bank()
    bank.close()
    with pytest.raises(JournalError, match="it is closed"):
        bank.till("main").open("ned21", 100)
    assert bank.till("main").account("ned21") is None


async def test_lines_without_a_seal_are_not_committed(open_bank: OpenBank) -> None:
    bank = open_bank()
    till = bank.till("main")
    assert till.is_sealed
    till.open("ned21", 100)
    assert not till.is_sealed
    with pytest.raises(
        MispostedError, match="The command of table main has no end yet"
    ):
        await till.commit()
    with pytest.raises(
        MispostedError, match="The command of table main has no end yet"
    ):
        bank.till("other").open("lia9", 100)
    with pytest.raises(
        MispostedError, match="The command of table main has no end yet"
    ):
        bank.till("other").seal({})
    till.seal({})
    await till.commit()
    bank.till("other").open("lia9", 100)


def test_a_deal_forgets_the_decisions_of_the_round_before() -> None:
    answer = Posting(kind="answer", round=1, data={"play": "hit"})
    kept = PendingRound().after(answer)
    assert kept.answers == (answer,)
    dealt = kept.after(Posting(kind="deal", round=2, data={"dealt": 4}))
    assert dealt.answers == ()
    assert dealt.deal == Posting(kind="deal", round=2, data={"dealt": 4})
