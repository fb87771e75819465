"""Keys and clicks: each counts for the question that was on view, and only if legal."""

import pytest

from bj_client.question.question import play_again
from bj_client.screen.scene import SETTLE_SECONDS
from bj_protocol.action import Action
from bj_protocol.messages import Snapshot
from bj_protocol.views import Ask, HandState, Phase, WagerRange
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.stage import make_stage

PLAY = (Action.HIT, Action.STAND)
PAIR = make_hand("8s 8h", 16, state=HandState.WAITING)


def playing(*asks: Ask) -> Snapshot:
    seats = (make_seat(1, "lia9", hands=(PAIR,)), make_seat(2, "ned21", hands=(PAIR,)))
    return make_snapshot(*asks, phase=Phase.PLAYING, seats=seats)


def test_an_amount_is_typed_and_enter_deals() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.press("5", "0", "7", "backspace", "enter")
    assert scene.answered == [("place_bet 5000", make_ask(1))]


@pytest.mark.parametrize(
    ("typed", "why"),
    [("0", "That is less than $1"), ("1.2.3", "That is not an amount")],
)
def test_an_amount_that_is_no_bet_is_answered_by_a_sentence(
    typed: str, why: str
) -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.press(*typed, "enter")
    (complaint,) = scene.done
    assert complaint.startswith(f"{why}: bet ")


@pytest.mark.parametrize("typed", ["75", "75x2", "7.5"])
@pytest.mark.parametrize("first", [None, 1])
def test_an_amount_that_was_begun_before_the_question_is_none(
    first: int | None, typed: str
) -> None:
    scene = make_stage(make_snapshot(make_ask(2, spots=3)))
    if first is not None:
        scene.ask(make_ask(first, spots=3))
    scene.press(typed[0])
    scene.ask(make_ask(2, spots=3))
    scene.press(*typed[1:])
    scene.settle()
    scene.press("enter")
    assert scene.done == []  # and no $5
    scene.press(*typed, "enter")
    assert len(scene.done) == 1


def test_a_digit_that_did_not_count_takes_no_later_amount_along() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.press("7")
    scene.ask(make_ask(1))
    scene.time[0] += 1
    scene.press("5", "0")
    assert scene.scene.typed == "50"


def test_enter_without_an_amount_deals_nothing() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.press("enter")
    assert scene.done == []


@pytest.mark.parametrize(
    ("keys", "bet"),
    [
        ("zx", "30"),
        ("cv", "600"),
        ("xw", "50"),
        ("a", "10000"),
        ("av", "10000"),
        ("b", "75x2"),
        ("bw", "150x2"),
        ("20*3", "20x3"),
    ],
)
def test_chips_put_a_bet_together(keys: str, bet: str) -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.scene.bets[2] = "75x2"
    scene.ask(make_ask(1, spots=3))
    scene.settle()
    scene.press(*keys, "enter")
    amount, *spots = bet.split("x")
    assert scene.done == [" x".join([f"place_bet {amount}00", *spots])]
    assert scene.scene.bets[2] == bet


def test_all_in_is_a_whole_number_of_steps() -> None:
    odd = make_ask(1, wager=WagerRange(minimum=100, maximum=10_050, step=100))
    scene = make_stage(make_snapshot(odd))
    scene.ask(odd)
    scene.settle()
    scene.press("a", "enter")
    assert scene.done == ["place_bet 10000"]


def test_an_illegal_key_and_a_dim_button_do_nothing() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.press("d", "p", "i", "e", "u", "o", "y", "n", "enter", "5")
    scene.click("d Double")
    assert scene.done == []
    scene.click("s Stand")
    assert scene.done == ["stand"]


def test_a_key_counts_once_for_each_question() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.press("h", "h", "h")
    assert scene.done == ["hit"]
    assert scene.scene.preset is None


def test_a_key_answers_no_question_that_was_not_on_view() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.ask(make_ask(2, *PLAY))
    scene.press("s")
    assert scene.done == []
    scene.look()
    scene.press("s")
    assert scene.answered == [("stand", make_ask(2, *PLAY))]


def test_a_question_of_another_kind_takes_no_key_at_once() -> None:
    insurance = make_ask(1, Action.INSURE, Action.DECLINE)
    scene = make_stage(playing(insurance))
    scene.ask(insurance)
    scene.settle()
    scene.press("n")
    scene.ask(make_ask(2, Action.SPLIT, Action.DECLINE))
    assert scene.scene.glyphs.soon in scene.look()
    scene.time[0] += SETTLE_SECONDS - 0.01
    scene.press("n")
    assert scene.done == ["decline"]
    scene.time[0] += 0.02
    scene.press("n")
    assert scene.done == ["decline", "decline"]


def test_a_decision_chosen_ahead_is_sent_once() -> None:
    others = make_ask(1, *PLAY, seat=1)
    scene = make_stage(playing(others))
    scene.press("h", "s")
    assert "Waiting for lia9; you will stand" in scene.look()
    scene.ask(make_ask(2, *PLAY))
    assert scene.answered == [("stand", make_ask(2, *PLAY))]
    scene.ask(make_ask(3, *PLAY))
    assert scene.done == ["stand"]


def test_a_decision_chosen_ahead_can_be_taken_back() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY, seat=1)))
    scene.press("h", "h")
    scene.ask(make_ask(2, *PLAY))
    assert scene.done == []


def test_what_was_chosen_ahead_and_is_illegal_is_dropped_with_a_word() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY, seat=1)))
    scene.press("p")
    scene.ask(make_ask(2, *PLAY))
    assert scene.done == []
    assert scene.scene.preset is None
    assert "Your choice ahead is not possible now." in scene.look()


def test_nothing_is_chosen_ahead_after_the_turn() -> None:
    stood = PAIR.model_copy(update={"state": HandState.STOOD})
    seats = (make_seat(1, "lia9", hands=(PAIR,)), make_seat(2, "ned21", hands=(stood,)))
    asked = make_ask(1, *PLAY, seat=1)
    scene = make_stage(make_snapshot(asked, phase=Phase.PLAYING, seats=seats))
    scene.press("h")
    assert scene.scene.preset is None


def test_insurance_is_proposed_at_half_the_stake() -> None:
    insurance = make_ask(1, Action.INSURE, Action.DECLINE)
    scene = make_stage(playing(insurance))
    scene.ask(insurance)
    scene.settle()
    scene.press("i")
    assert "or n for none: $25" in scene.look()
    scene.press("i")
    assert scene.done == ["insure 2500"]


def test_insurance_is_proposed_in_steps_that_the_house_takes() -> None:
    insurance = make_ask(1, Action.INSURE, Action.DECLINE)
    scene = make_stage(playing(insurance))
    scene.scene.table.hand(2, 0).stake = 2_500
    scene.ask(insurance)
    scene.settle()
    scene.press("i", "i")
    assert scene.done == ["insure 1200"]


def test_insurance_among_the_plays_says_that_it_is_one() -> None:
    offered = make_ask(1, *PLAY, Action.INSURE)
    scene = make_stage(playing(offered))
    scene.ask(offered)
    scene.settle()
    scene.press("4", "0", "enter")
    assert scene.done == ["insure 4000"]


def test_13_6_aces_count_high_or_low_by_letter_and_by_number() -> None:
    scene = make_stage(make_snapshot(phase=Phase.PLAYING))
    keys = ("h", "l", ("1", "1", "enter"), ("1", "enter"))
    for prompt, pressed in enumerate(keys, start=1):
        scene.ask(make_ask(prompt, Action.ACE_HIGH, Action.ACE_LOW))
        scene.settle()
        scene.press(*pressed)
    assert scene.done == ["ace_high", "ace_low", "ace_high", "ace_low"]


@pytest.mark.parametrize("key", ["y", "enter"])
def test_a_new_deal_is_a_key_away_and_n_is_no_key(key: str) -> None:
    scene = make_stage(make_snapshot())
    scene.scene.pose(play_again())
    scene.settle()
    scene.press("n", key)
    assert scene.done == ["go on"]


def test_leaving_with_money_in_play_is_asked_about() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY, seat=1)))
    scene.press("q")
    assert scene.done == []
    assert "Leave all the same?" in scene.look()
    scene.press("escape", "q")
    assert scene.done == []
    scene.press("q")
    assert scene.done == ["leave"]


def test_on_a_lost_line_nothing_counts_but_leaving() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.scene.is_cut_off = lambda: True
    assert "The line is lost" in scene.look()
    scene.click("? Help")
    scene.press("h", "/", ":", "5", "r", "q")
    assert scene.scene.page is None
    assert scene.done == ["leave"]


def test_chat_takes_every_key_and_answers_nothing() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.press(":", *"hi s", "é", "backspace", "enter", ":", "x", "escape")
    scene.press("/", *"mute lia9", "enter")
    assert scene.done == ["say hi s", "mute lia9"]


def test_a_pasted_text_only_counts_in_chat() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.console.paste("50\n")
    assert scene.scene.typed == ""
    scene.press(":")
    scene.console.paste("good\nluck")
    scene.press("enter")
    assert scene.done == ["say good luck"]


def test_a_page_keeps_the_keys_from_the_table() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.press("r", "h", "s")
    assert "The dealer stands on 17." in scene.look()
    scene.press(" ", "?")
    assert "Ctrl-C and Ctrl-D leave at once." in scene.look()
    scene.press("down", "up", "escape", "s")
    assert scene.done == ["stand"]


def test_the_keys_for_pages_turn_a_page_further_than_the_arrows() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.press("r")
    page = scene.scene.page
    assert page is not None
    tops = []
    for key in ("pagedown", "down", "up", "pageup"):
        scene.press(key)
        tops.append(page.top)
    assert tops == [5, 6, 5, 0]


def test_space_hurries_and_escape_forgets_the_amount() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.press(" ", "5", "escape")
    assert scene.hurried == [True]
    assert scene.scene.typed == ""


def test_a_click_is_never_text_for_others() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY)))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.press(":", "o")
    scene.click("h Hit")
    assert scene.scene.chat == "o"
    assert scene.done == []


def test_the_lobby_is_a_key_away_where_there_is_one() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY, seat=1)))
    scene.press("t", "t")
    assert scene.done == []
    assert "t Tables" not in scene.look()
    scene.scene.has_lobby = True
    scene.click("t Tables")
    assert "t leaves, Esc stays" in scene.look()
    scene.press("t")
    assert scene.done == ["tables"]


def test_who_leaves_for_good_after_all_goes_to_no_lobby() -> None:
    scene = make_stage(playing(make_ask(1, *PLAY, seat=1)))
    scene.scene.has_lobby = True
    scene.press("t", "q")
    assert scene.done == ["leave"]
