import re

import make_houses

from bj_game.house import parse_house


def test_the_page_of_houses_is_current() -> None:
    assert make_houses.PAGE.read_text() == make_houses.page(), "run make pages"


def test_13_6_the_charity_night_of_the_page_is_a_house() -> None:
    example = re.search(r"```toml\n(.*?)```", make_houses.page(), re.DOTALL)
    assert example is not None
    house = parse_house(example[1])
    assert (house.natural, house.tie) == ("3:2", "dealer")
