"""The key of the hint: in the prompt each play with its worth, the best first."""

from typing import Any

import pytest

from bj_client.model.seat import Judged
from bj_protocol.action import Action
from support.message import make_ask
from support.playing import playing


def hinting(*actions: Action) -> Any:
    shown = playing(make_ask(1, *(actions or (Action.HIT, Action.STAND))))
    shown.scene.has_hints = True
    return shown


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ((40, 16), "stand -0.16, hit -0.43?"),
        ((80, 24), "Best first: stand -0.16, hit -0.43?"),
        ((140, 45), "Best first: stand -0.16, hit -0.43?"),
    ],
)
def test_it_shows_the_plays_in_the_prompt_and_takes_them_back(
    size: tuple[int, int], told: str
) -> None:
    shown = hinting()
    assert "Hit or stand?" in shown.look(80, 24)
    shown.press("%")
    assert told in shown.look(*size)
    shown.press("%")
    assert "Best first" not in shown.look(80, 24)


def test_the_next_question_begins_without_it() -> None:
    shown = hinting()
    shown.press("%")
    shown.ask(make_ask(2, Action.HIT, Action.STAND))
    assert "Best first" not in shown.look(80, 24)


def test_it_has_no_button_for_those_who_want_none() -> None:
    shown = hinting()
    assert "% Hint" in shown.look(100, 30)
    shown.scene.has_hints = False
    assert "Hint" not in shown.look(100, 30)
    shown.press("%")
    assert "Best first" not in shown.look(100, 30)


def test_a_table_that_forbids_hints_says_so() -> None:
    shown = hinting()
    table = shown.scene.table
    terms = table.house.terms | {"hints": False}
    table.house = table.house.model_copy(update={"terms": terms})
    shown.press("%")
    assert "Hints are forbidden at this table." in shown.look(100, 30)
    assert "Best first" not in shown.look(100, 30)


def test_where_no_play_is_asked_it_tells_of_the_last_one() -> None:
    shown = hinting()
    shown.ask(make_ask(2))
    shown.press("%")
    assert "Basic strategy has nothing to say now" in shown.look(100, 30)
    judged = Judged("hard 16 against 6", "hit", "stand", 42)
    shown.scene.table.record.judged[1] = judged
    shown.press("%")
    assert "basic strategy stands; that cost $0.42." in shown.look(100, 30)


def test_for_several_players_at_one_keyboard_it_says_once_that_there_is_nothing() -> (
    None
):
    shown = hinting()
    shown.ask(make_ask(2))
    table = shown.scene.table
    table.ours[3] = table.ours[2]
    shown.press("%")
    assert shown.look(100, 30).count("Basic strategy has nothing to say now") == 1
