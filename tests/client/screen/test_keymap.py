"""Keys of a player's own, pressed and shown on the screen."""

from typing import Any

import pytest

from bj_client.keymap import read_keymap
from bj_client.question.question import play_again
from bj_protocol.action import Action
from support.message import make_ask, make_snapshot
from support.stage import make_stage

PLAY = (Action.HIT, Action.STAND)


@pytest.fixture
def asked() -> Any:
    """Return a stage with a hand to play, hit with j and stood with h."""
    made = make_stage(make_snapshot(make_ask(1, *PLAY)))
    made.scene.keymap = read_keymap("hit=j stand=h leave=x chip-25=! no=- yes=+")
    made.ask(make_ask(1, *PLAY))
    made.settle()
    return made


def test_buttons_and_help_show_them(asked: Any) -> None:
    text = asked.look()
    assert "j Hit   h Stand   d Double" in text
    assert "x Leave" in text
    asked.press("?")
    assert "j, h, d and p choose ahead" in asked.look()


def test_they_mean_what_ours_would(asked: Any) -> None:
    asked.press("s")
    assert asked.done == []
    asked.press("h")
    assert asked.done == ["stand"]


def test_a_click_is_that_of_its_button(asked: Any) -> None:
    asked.click("h Stand")
    assert asked.done == ["stand"]


def test_in_chat_every_key_is_a_letter(asked: Any) -> None:
    asked.press(":", *"hjx", "enter")
    assert asked.done == ["say hjx"]


def test_what_is_asked_names_them(asked: Any) -> None:
    asked.scene.pose(play_again())
    assert "New deal? + plays on, x leaves" in asked.look()
    asked.scene.pose(None)
    asked.ask(make_ask(2, Action.INSURE, Action.DECLINE))
    assert "or - for none" in asked.look()
    asked.ask(make_ask(3, Action.SPLIT, Action.DECLINE))
    assert "Split the pair? + or -" in asked.look()
    asked.settle()
    asked.press("q", "x")
    assert asked.done == ["leave"]
