"""What a caller gives the engine is checked, and the error names it."""

from dataclasses import replace
from typing import Any

import pytest

from bj_game.card import parse_cards
from bj_game.house import House, HouseError
from bj_game.play import Play, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe

HOUSE = House(name="own", title="")
STAKE = Stake(seat=1, amount=100, funds=0)


def shoe() -> Shoe:
    return Shoe(parse_cards("8h 9d 8c Th 2s 3s"))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"play": "split"}, "play is 'split'; it must be a Play."),
        ({"play": None}, "play is None; it must be a Play."),
        ({"amount": 12.5}, "amount is 12.5; it must be a whole number, an int."),
        ({"amount": True}, "amount is True; it must be a whole number, an int."),
        ({"by": "clock"}, "by is 'clock'; it must be a By."),
    ],
)
def test_13_7_a_reply_is_checked(given: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        Reply(**{"play": Play.INSURE, **given})
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"amount": -5}, "amount is -5; it must be at least 1."),
        ({"amount": 12.5}, "amount is 12.5; it must be a whole number, an int."),
        ({"amount": "100"}, "amount is '100'; it must be a whole number, an int."),
        ({"seat": 0}, "seat is 0; it must be at least 1."),
        ({"funds": -1}, "funds is -1; it must be at least 0."),
        ({"spots": 0}, "spots is 0; it must be at least 1."),
    ],
)
def test_13_7_a_stake_is_checked(given: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        Stake(**{"seat": 1, "amount": 100, "funds": 0, **given})
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"stakes": []}, "stakes is empty; a round needs at least one."),
        ({"stakes": [STAKE, STAKE]}, "stakes are for seats [1, 1]; each seat has one."),
        ({"stakes": [100]}, "stake is 100; it must be a Stake."),
        (
            {"stakes": [replace(STAKE, spots=2)]},
            "spots is 2; this house has at most 1.",
        ),
        ({"house": "cpsc386"}, "house is 'cpsc386'; it must be a House."),
        ({"shoe": []}, "shoe is []; it must be a Shoe."),
    ],
)
def test_13_7_a_round_checks_what_it_is_dealt_from(
    given: dict[str, Any], error: str
) -> None:
    known: dict[str, Any] = {"house": HOUSE, "shoe": shoe(), "stakes": [STAKE]}
    with pytest.raises((TypeError, ValueError)) as raised:
        Round(**(known | given))
    assert str(raised.value) == error


def test_13_7_an_answer_is_checked_and_changes_nothing() -> None:
    played = Round(HOUSE, shoe(), [STAKE])
    before = played.prompts
    wrong = (
        (1, "split", "reply is 'split'; it must be a Reply."),
        ("1", Reply(play=Play.HIT), "seat is '1'; it must be a whole number, an int."),
        (True, None, "seat is True; it must be a whole number, an int."),
    )
    for seat, reply, error in wrong:
        with pytest.raises(TypeError) as raised:
            played.answer(seat, reply)  # type: ignore[arg-type]
        assert str(raised.value) == error
    assert played.prompts == before


@pytest.mark.parametrize(
    ("key", "value"), [("tie", "pussh"), ("decks", 2.5), ("hit", 1), ("name", None)]
)
def test_13_7_a_house_that_is_made_in_code_is_checked_like_a_file(
    key: str, value: Any
) -> None:
    with pytest.raises(HouseError, match=f"^{key} is {value!r}; it must be "):
        House(**{"name": "own", "title": "", key: value})
