"""What the screen shows, as text, at every size that it has to fit."""

from collections.abc import Callable
from typing import Any

import pytest
from prompt_toolkit.utils import get_cwidth

from bj_client.play.output import Tone
from bj_client.question.question import play_again
from bj_client.screen.canvas import Canvas, wrap
from bj_client.screen.frame import frame
from bj_client.words.text import in_rows
from bj_protocol.action import Action
from bj_protocol.messages import Snapshot
from bj_protocol.views import (
    Ask,
    DealerView,
    HandState,
    HandView,
    Phase,
    Presence,
)
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.stage import make_stage
from support.told import told

PLAY = (Action.HIT, Action.STAND)
SIZES = [(40, 16), (41, 17), (60, 20), (80, 24), (100, 30), (160, 50), (200, 60)]
DEALER = DealerView(name="Dealer", cards=("Kd", "??"), total=10, soft=False)


def hand(*cards: str, total: int = 16, **fields: Any) -> HandView:
    known: dict[str, Any] = {
        "cards": cards,
        "total": total,
        "soft": False,
        "stake": 5000,
        "insurance": 0,
        "state": HandState.WAITING,
    }
    return HandView(**(known | fields))


def full(*asks: Ask, split: bool) -> Snapshot:
    """Return seven seats in play, each with one hand or with two."""
    hands = (hand("8s", "3d", total=11), hand("8h", "Td", total=18))
    seats = tuple(
        make_seat(number, f"player{number}", hands=hands if split else hands[1:])
        for number in range(1, 8)
    )
    return make_snapshot(
        *asks, phase=Phase.PLAYING, seats=seats, seat_count=7, dealer=DEALER
    )


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_size_is_filled_and_says_whose_turn_it_is(
    width: int, height: int, split: bool, symbols: bool
) -> None:
    shown = make_stage(full(make_ask(1, *PLAY), split=split), symbols=symbols)
    shown.scene.pose(play_again())
    canvas = frame(shown.scene, width, height, shown.console.press)
    assert [get_cwidth(line) for line in canvas.lines] == [width] * height
    text = "\n".join(canvas.lines)
    assert "Blackjack" in canvas.lines[0]
    assert "main" in canvas.lines[0]
    assert "round 3" in canvas.lines[0]
    assert shown.scene.glyphs.arrow in text
    for word in ("Dealer", "bank", "New deal?", shown.scene.faces.card("Kd")):
        assert word in text


@pytest.mark.parametrize("split", [True, False])
def test_seven_seats_fit_in_80_by_24(split: bool) -> None:
    shown = make_stage(full(make_ask(1, *PLAY), split=split))
    text = shown.look(80, 24)
    for number in range(1, 8):
        assert f"player{number}" in text
    assert text.count("8♥ 10♦") + text.count("│8♥ │ │10♦│") == 7
    if split:
        assert text.count("8♠ 3♦") + text.count("│8♠ │ │3♦ │") == 7


def test_the_seat_in_turn_of_a_crowded_small_window_is_on_view() -> None:
    asked = make_ask(1, *PLAY, seat=7, hand=1)
    text = make_stage(full(asked, split=True)).look(40, 16)
    row = next(line for line in text.splitlines() if "▶" in line)
    assert "8♥ 10♦" in row


def test_a_seat_shows_who_has_what() -> None:
    soft = hand("As", "6d", total=17, soft=True, insurance=2500)
    bust = hand("Ts", "6d", "9c", total=25, state=HandState.BUSTED)
    seats = (
        make_seat(1, "lia9", hands=(bust,), presence=Presence.AWAY, balance=123_400),
        make_seat(2, "ned21", hands=(soft,)),
    )
    asked = make_ask(1, *PLAY)
    text = make_stage(
        make_snapshot(asked, phase=Phase.PLAYING, seats=seats, dealer=DEALER), left=30
    ).look()
    for word in (
        "lia9 (away)",
        "$1,234",
        "25 $50",
        "bust",
        "▶ ned21 (you)",
        "soft 17 $50",
        "shows 10",
        "│▒▒▒▒▒│",
        "30 s",
        "416 left, cut 345",
    ):
        assert word in text
    assert "┏" in text


def test_a_table_without_a_clock_says_so() -> None:
    assert "no clock" in make_stage(make_snapshot(make_ask(1))).look()


def test_the_clock_runs_down() -> None:
    shown = make_stage(make_snapshot(make_ask(1)), left=20)
    whole = shown.look().count("█")
    shown.time[0] += 10
    half = shown.look()
    assert "10 s" in half
    assert 0 < half.count("█") <= whole // 2


def test_results_stay_on_view_until_the_next_bet() -> None:
    seats = (make_seat(2, "ned21", hands=(hand("Ts", "9d", total=19),)),)
    shown = make_stage(make_snapshot(phase=Phase.PLAYING, seats=seats, dealer=DEALER))
    (won,) = told("2a win 50 -> 100 = 10050: higher_total")
    for event in (
        won,
        *told("""
            round 3 ends: 400 left, cut in 330
            round 4 opens
        """),
    ):
        shown.scene.last.note(event, shown.scene.table)
        shown.scene.table.fold(event)
    for width, height in SIZES:
        text = shown.look(width, height)
        assert "won +$50" in text
        assert "10♠" in text
    shown.scene.table.seat(2).bet = 5000
    text = shown.look()
    assert "won +$50" not in text
    assert "bet $50" in text


@pytest.mark.parametrize(("width", "height"), [(39, 40), (100, 15), (12, 4), (1, 1)])
def test_c10_a_window_that_is_too_small_says_so(width: int, height: int) -> None:
    shown = make_stage(make_snapshot())
    canvas = frame(shown.scene, width, height, shown.console.press)
    assert len(canvas.lines) == height
    if width > 30:
        assert "too small" in "\n".join(canvas.lines)


def test_c10_no_key_answers_in_a_window_that_is_too_small() -> None:
    shown = make_stage(make_snapshot(make_ask(1)))
    shown.ask(make_ask(1))
    shown.look(39, 16)
    shown.time[0] += 60
    shown.press("5", "0", "enter", ":", "h", "enter")
    shown.console.paste("50")
    assert not shown.done
    shown.look(40, 16)
    shown.press("5", "0", "enter")
    assert not shown.done
    shown.time[0] += 0.2
    shown.look(40, 16)
    shown.press("enter")
    assert shown.done == ["place_bet 5000"]


def test_c10_a_window_that_is_too_small_is_left_as_any_other() -> None:
    hand = make_hand("Ts 6h", 16)
    seats = (make_seat(2, "ned21", hands=(hand,)),)
    shown = make_stage(make_snapshot(phase=Phase.PLAYING, seats=seats))
    assert "Only q counts here" in " ".join(shown.look(39, 16).split())
    shown.press("q")
    asked = "You have money in play. Leave all the same? q leaves."
    assert asked in " ".join(shown.look(39, 16).split())
    shown.press("x", "q")
    assert shown.done == []
    shown.press("q")
    assert shown.done == ["leave"]


def test_long_and_wide_handles_are_cut_by_their_cells() -> None:
    seats = (make_seat(1, "庄" * 40), make_seat(2, "n" * 64))
    for width, height in SIZES:
        shown = make_stage(make_snapshot(make_ask(1), seats=seats, phase=Phase.BETTING))
        canvas = frame(shown.scene, width, height, shown.console.press)
        assert {get_cwidth(line) for line in canvas.lines} == {width}
        assert "庄" in "\n".join(canvas.lines)


def test_whoever_looks_on_has_no_buttons_to_play() -> None:
    text = make_stage(make_snapshot(make_ask(1), you=None)).look()
    assert "You are looking on; 2 of 4 seats are taken" in text
    assert "Waiting for ned21" in text
    assert "Leave" in text
    assert "Deal " not in text.splitlines()[-1]
    assert "Chat" not in text


def test_the_log_shows_the_newest_and_can_be_looked_back_in() -> None:
    shown = make_stage(make_snapshot())
    for number in range(100):
        shown.scene.log.add(f"line {number}", Tone.PLAIN)
    assert "line 99" in shown.look()
    shown.press("pageup")
    assert "line 99" not in shown.look()
    assert "line 94" in shown.look()
    shown.press("pagedown")
    assert "line 99" in shown.look()


def test_a_typed_amount_stays_on_view_in_the_smallest_window() -> None:
    shown = make_stage(make_snapshot(make_ask(1)), left=30)
    shown.ask(make_ask(1))
    shown.settle()
    shown.press(*"1234")
    assert "$1234▏" in shown.look(40, 16)


def test_what_matters_most_is_said_in_the_smallest_window() -> None:
    shown = make_stage(make_snapshot(make_ask(1)), left=30)
    shown.ask(make_ask(1))
    shown.scene.is_leaving = True
    assert "Leave all the same?" in shown.look(40, 16)
    shown.scene.is_cut_off = lambda: True
    assert "The line is lost; only q counts" in shown.look(40, 16)


def test_c12_text_of_others_cannot_reach_the_terminal() -> None:
    seats = (make_seat(2, "ned21"),)
    shown = make_stage(make_snapshot(seats=seats, table="ma\x1b[2Jin"))
    shown.scene.log.add("lia9 says: \x1b]0;x\x07 hi")
    text = shown.look()
    assert "\x1b" not in text
    assert "\x07" not in text


@pytest.mark.parametrize("size", SIZES)
def test_c12_markup_in_a_handle_is_shown_to_the_letter(size: tuple[int, int]) -> None:
    seats = (make_seat(1, "<b>&{0}%s[red]"), make_seat(2, "ned21"))
    assert "<b>&{0}%s[red]" in make_stage(make_snapshot(seats=seats)).look(*size)


def test_wide_characters_and_marks_keep_the_columns() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "庄e\u0301庄x")
    assert canvas.lines == ["庄e\u0301庄x"]
    canvas.put(5, 0, "庄")
    assert get_cwidth(canvas.lines[0]) == 6


@pytest.mark.parametrize("rows_of", [in_rows, wrap])
def test_no_part_of_a_line_looks_like_a_line_of_its_own(
    rows_of: Callable[[str, int], list[str]],
) -> None:
    for width in range(40, 121):
        said = f"lia9: {'x' * (width - 6)} Round 57 is proven: 1234 5678."
        assert rows_of(said, width)[1] == "  Round 57 is proven: 1234 5678."


def test_a_word_longer_than_the_row_is_broken() -> None:
    assert wrap("ab 庄庄庄庄 c", 5) == ["ab", "庄庄", "庄庄", "c"]
