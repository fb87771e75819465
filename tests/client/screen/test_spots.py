"""Bets on several spots, and the advice on the page of the keys."""

from typing import Any

import pytest

from bj_protocol.action import Action
from bj_protocol.views import Ask
from support.message import make_ask, make_seat, make_snapshot
from support.playing import playing
from support.stage import make_stage


def betting(ask: Ask) -> Any:
    shown = make_stage(make_snapshot(ask))
    shown.ask(ask)
    shown.settle()
    return shown


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        ("50x3", "50x3"),
        ("50X3", "50x3"),
        ("50xx3", "50x3"),
        ("50xz2", "55x2"),
        ("x", "25"),
        ("zx", "30"),
    ],
)
def test_behind_a_digit_x_means_times_where_there_are_spots(
    keys: str, typed: str
) -> None:
    shown = betting(make_ask(1, spots=3))
    shown.press(*keys)
    assert shown.scene.typed == typed


def test_elsewhere_x_is_the_chip() -> None:
    shown = betting(make_ask(1))
    shown.press("5", "0", "x")
    assert shown.scene.typed == "75"
    assert "spot" not in shown.look()


def test_a_click_on_a_chip_is_never_times() -> None:
    shown = betting(make_ask(1, spots=3))
    shown.press("5", "0")
    shown.click("x $25")
    assert shown.scene.typed == "75"


def test_how_to_bet_on_spots_is_on_view() -> None:
    shown = betting(make_ask(1, spots=3))
    assert "a spot (50x2 for two), or o to sit out: $" in shown.look()
    shown.press("?")
    assert "50x2 bets 50 dollars on each of 2 spots" in shown.look()


@pytest.mark.parametrize("size", [(40, 16), (80, 24)])
def test_the_help_advises_who_wants_hints(size: tuple[int, int]) -> None:
    shown = playing(make_ask(1, Action.HIT, Action.STAND))
    shown.scene.has_hints = True
    shown.press("?")
    assert "Basic strategy: stand." in shown.look(*size)


def test_the_help_advises_nobody_else() -> None:
    shown = playing(make_ask(1, Action.HIT, Action.STAND))
    shown.press("?")
    assert "Basic strategy" not in shown.look()
    shown.press(" ")
    shown.scene.has_hints = True
    shown.ask(make_ask(2))
    shown.press("?")
    assert "Basic strategy" not in shown.look()


@pytest.mark.parametrize(
    ("size", "words"), [((40, 16), "bet $50 x3"), ((100, 30), "bet $50 on each of 3")]
)
def test_a_bet_on_several_spots_is_told_as_one(
    size: tuple[int, int], words: str
) -> None:
    seats = (make_seat(1, "lia9"), make_seat(2, "ned21", bet=5000, spots=3))
    text = make_stage(make_snapshot(seats=seats)).look(*size)
    assert words in text
    assert "at stake $150" in text
