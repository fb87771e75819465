"""A restart of a table without proof, which names no run: it makes nobody a liar.

Only the numbers of updates tell of it, and those of questions may begin anew.
"""

import pytest

from bj_client.fair.answers import Answers
from bj_client.fair.checker import Checker
from bj_client.fair.finding import Report
from bj_client.fair.ways_out import Ways
from bj_game.hand import Outcome, SettleReason
from bj_protocol.action import Action
from bj_protocol.commands import Hit, PlaceBet, Stand
from bj_protocol.events import GiftGiven, HandSettled
from bj_protocol.views import StoryView, Turn
from support.message import make_ask, make_seat, make_snapshot, make_update


@pytest.mark.parametrize("cents", [999_500, 900_000])
def test_money_that_a_round_has_cost_meanwhile_is_not_missed(cents: int) -> None:
    checker = Checker()
    checker.hear(make_snapshot())
    checker.lose()
    seats = make_seat(1, "lia9"), make_seat(2, "ned21", balance=cents)
    checker.hear(make_snapshot(seq=12, seats=seats))
    lost = HandSettled(
        seat=2,
        hand=0,
        outcome=Outcome.LOSE,
        reason=SettleReason.LOWER_TOTAL,
        stake=500,
        payout=0,
        balance=999_500,
    )
    checker.hear(make_update(11))
    remarks = checker.hear(make_update(12, lost))
    is_less = any("lower after a restart" in str(remark) for remark in remarks)
    assert is_less is (cents < 999_500)


def test_a_guess_is_no_answer_to_a_question_that_was_answered() -> None:
    report = Report()
    answers = Answers(report, Ways())
    answers.send(Stand(prompt=99), 1.0)
    first = make_ask(7, Action.HIT, Action.STAND)
    answers.hear_turn(Turn(asks=(first,), milliseconds=8000), first.seat, 2.0)
    answers.send(Hit(prompt=7), 3.0)
    for told, is_found in (
        ("stand", True),
        ("hit", False),
        ("stand", False),  # it may be the guess, asked in the same update
        ("stand", True),
    ):
        answers.check(4, 7, told)
        assert bool(report.take()) is is_found


def test_a_question_to_several_may_be_too_short_as_well() -> None:
    report = Report()
    answers = Answers(report, Ways())
    asks = tuple(make_ask(7 + seat, Action.INSURE, seat=seat) for seat in (1, 2))
    turn = Turn(asks=asks, milliseconds=1000)
    answers.hear_turn(turn, 2, 1.0, 20.0)
    answers.check_default(4, 9, "clock", 2.0)
    assert "we had 1.0 of 20.0 seconds" in str(report.take()[0])
    later = tuple(make_ask(10 + seat, Action.INSURE, seat=seat) for seat in (1, 2))
    for those in later[:1], later:  # the clock of the first one runs for both
        answers.hear_turn(Turn(asks=those, milliseconds=1000), 2, 3.0, 20.0)
    answers.check_default(4, 12, "clock", 4.0)
    assert report.take() == []


@pytest.mark.parametrize("told", ["stand", "hit"])
def test_a_question_may_have_the_number_of_another_one_of_before(told: str) -> None:
    report = Report()
    answers = Answers(report, Ways())
    first = make_ask(7, Action.PLACE_BET, Action.SIT_OUT)
    answers.hear_turn(Turn(asks=(first,), milliseconds=8000), first.seat, 1.0)
    answers.send(PlaceBet(prompt=7, amount=500), 2.0)
    again = make_ask(7, Action.HIT, Action.STAND)
    answers.hear_turn(Turn(asks=(again,), milliseconds=8000), again.seat, 9.0)
    answers.send(Stand(prompt=7), 10.0)
    answers.check(4, 7, told)
    assert bool(report.take()) is (told == "hit")


def test_a_picture_of_before_a_restart_is_not_gone_on_to_after_it() -> None:
    checker = Checker()
    checker.hear(make_snapshot())
    checker.lose()
    seats = make_seat(1, "lia9"), make_seat(2, "ned21", balance=999_000)
    checker.hear(make_snapshot(seq=12, seats=seats))
    checker.lose()
    checker.hear(make_snapshot())  # the server has lost updates 11 and 12
    gift = GiftGiven(seat=2, amount=100, balance=1_000_100, by_host=True)
    remarks = [
        remark
        for update in (make_update(11), make_update(12), make_update(13, gift))
        for remark in checker.hear(update)
    ]
    assert remarks == []


@pytest.mark.parametrize(("run", "is_found"), [("ab", True), ("cd", False)])
def test_a_run_that_goes_back_behind_a_picture_is_found(
    run: str, is_found: bool
) -> None:
    checker = Checker()
    remarks = []
    for seq, number in ((10, "ab"), (13, "ab"), (11, run)):
        story = StoryView(key="12" * 32, run=number * 32, head="34" * 32)
        remarks = checker.hear(make_snapshot(seq=seq, story=story))
        checker.lose()
    assert any("gone back" in str(remark) for remark in remarks) is is_found


@pytest.mark.parametrize("is_restarted", [True, False])
def test_an_answer_that_the_power_took_may_be_given_again(is_restarted: bool) -> None:
    report = Report()
    answers = Answers(report, Ways())
    ask = make_ask(7, Action.HIT, Action.STAND)
    for at, played in ((1.0, Stand(prompt=7)), (3.0, Hit(prompt=7))):
        answers.hear_turn(Turn(asks=(ask,), milliseconds=8000), ask.seat, at)
        answers.send(played, at + 1)
        answers.check(4, 7, played.type.value)
        if is_restarted:
            answers.turn_to_run()
    assert bool(report.take()) is not is_restarted
