"""The engine against the reference, and both against the rounds that are written."""

from dataclasses import replace

import pytest

from game.transcript import Transcript, load, read_all, read_answer
from reference import Answer, Bet, disagreements, settle
from reference.driver import SHIPPED, Driven, drive
from reference.play import IllegalAnswerError, NoCardError

CHUNK = 500
SOME = range(0, 10_000, CHUNK)
MANY = range(1_000_000, 1_300_000, 10_000)
STAND = [Answer(1, "stand")]
BET = [Bet(1, 500, 0)]


@pytest.mark.parametrize("first", SOME)
def test_engine_and_reference_agree_on_random_rounds_in_all_houses(first: int) -> None:
    assert list(drive(first, CHUNK)) == []


@pytest.mark.torture
@pytest.mark.parametrize("first", MANY)
def test_engine_and_reference_agree_on_300_000_rounds(first: int) -> None:
    assert list(drive(first, 10_000)) == []


@pytest.mark.parametrize("written", read_all(), ids=lambda written: written.name)
def test_a_round_that_is_written_down_comes_out_by_the_reference(
    written: Transcript,
) -> None:
    house = replace(load(written.house), **written.rules)
    bets = [
        Bet(seat, bet * 100, (balance - bet * spots) * 100, spots)
        for seat, (bet, balance, spots) in enumerate(
            zip(written.bets, written.balances, written.spots, strict=True), start=1
        )
        if bet
    ]
    replies = [read_answer(text) for text in written.answers if "!" not in text]
    answers = [Answer(seat, reply.play, reply.amount) for seat, reply in replies]
    cards = written.shoe.split()
    settlement = settle(house, cards, bets, answers)
    after = [
        (bet.amount * bet.spots + bet.funds + settlement.nets[bet.seat]) / 100
        for bet in bets
    ]
    assert after == written.after
    assert settlement.drawn == len(cards) - written.left


def test_the_judge_sees_every_number_that_is_told_otherwise() -> None:
    driven = Driven(load("vegas-strip"), 7)
    driven.play()
    assert disagreements(driven.house, driven.bets, driven.answers, driven.told) == []
    for number, event in enumerate(driven.told):
        for name in {"payout", "stake", "balance", "outcome", "reason"} & event.keys():
            changed = f"no {name}" if name in ("outcome", "reason") else event[name] + 1
            told = list(driven.told)
            told[number] = event | {name: changed}
            found = disagreements(driven.house, driven.bets, driven.answers, told)
            assert found, (number, name)


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [Answer(1, "double")],
        [Answer(2, "stand")],
        [Answer(1, "insure", 100)],
        [*STAND, *STAND],
    ],
)
def test_the_reference_refuses_what_is_not_legal(answers: list[Answer]) -> None:
    cards = ["Ts", "9h", "9s", "8h"]
    with pytest.raises(IllegalAnswerError):
        settle(load("cpsc386"), cards, BET, answers)


def test_the_reference_needs_all_cards_of_the_round() -> None:
    with pytest.raises(NoCardError):
        settle(load("cpsc386"), ["Ts", "9h", "9s", "7h"], BET, STAND)


def test_every_shipped_house_is_driven() -> None:
    assert len(SHIPPED) == 10
