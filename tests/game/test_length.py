from dataclasses import replace

import pytest
from make_houses import most_decisions

from bj_game.house import House
from bj_server.settings import load_house


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("cs1114", 19),  # with two aces, and so on to twenty of them
        ("cs1114-baby", 1),  # where nobody draws
        ("dsc20", 9),  # with two cards to ten: four aces, four twos, two threes
        ("iipp6", 10),  # which asks at 21 points, too
        ("cs220", 19),  # and after each of ten cards, how the aces count
        ("cpsc386", 2 * (19 + 2)),  # a split and insurance
        ("vegas-strip", 12 * (17 + 2)),  # three spots of four hands, 16 aces in all
    ],
)
def test_T6_a_seat_has_only_so_many_decisions(name: str, decisions: int) -> None:
    assert most_decisions(load_house(name)) == decisions


def test_a_charlie_ends_a_hand_before_its_last_decision() -> None:
    house = House(name="own", title="", charlie=5, split="none", insurance="none")
    assert most_decisions(house) == 3


@pytest.mark.parametrize("rule", [{"even_money": True}, {"surrender": "early"}])
def test_an_offer_is_a_decision(rule: dict[str, object]) -> None:
    plain = replace(
        load_house("vegas-strip"), insurance="none", even_money=False, surrender="none"
    )
    house = replace(plain, **rule)  # type: ignore[arg-type]
    assert most_decisions(house) == most_decisions(plain) + 12


def test_a_half_that_is_a_pair_again_is_asked_about_and_may_be_kept() -> None:
    house = replace(load_house("cpsc386"), max_hands=4)
    assert most_decisions(house) == 4 * (19 + 1 + 2)
