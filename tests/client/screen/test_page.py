"""Pages: the help in columns, at every size."""

import pytest
from prompt_toolkit.utils import get_cwidth

from bj_client.screen.scene import Page
from bj_protocol.action import Action
from support.message import make_ask, make_snapshot
from support.stage import make_stage

KEYS = ("Enter Deal", "h Hit", "s Stand", "d Double", "p Split")


@pytest.mark.parametrize(
    ("width", "abreast"), [(12, 1), (29, 1), (30, 2), (36, 2), (46, 3), (74, 4)]
)
def test_short_texts_stand_below_each_other(width: int, abreast: int) -> None:
    *grid, blank, line = Page("Help", ("A line.",), cells=KEYS).rows(width)
    starts = range(0, len(KEYS), abreast)
    assert [row.split("  ")[0] for row in grid] == [KEYS[start] for start in starts]
    assert max(map(len, grid)) <= width
    assert (blank, line) == ("", "A line.")


def test_a_long_one_makes_all_columns_wider() -> None:
    first, second, *_ = Page("", (), cells=(*KEYS, "g Give up, deal anew")).rows(74)
    assert first == "Enter Deal            h Hit                 s Stand"
    assert second == "d Double              p Split               g Give up, deal anew"


def test_no_key_is_parted_from_its_name_in_a_small_window() -> None:
    shown = make_stage(make_snapshot())
    shown.ask(make_ask(1, Action.HIT, Action.STAND))
    shown.settle()
    shown.press("?")
    rows = [line.strip() for line in shown.look(40, 40).splitlines()]
    assert "Enter Deal      h Hit" in rows
    assert "s Stand         d Double" in rows


def test_the_title_of_a_long_page_ends_before_the_rows_on_view_are_told() -> None:
    shown = make_stage(make_snapshot())
    title = "The rules of Las Vegas Strip, four decks:"
    shown.scene.page = Page(title, ("A line.",) * 56)
    rows = shown.look(40, 16).splitlines()
    assert "   The rules of Las Vegas…  1-8 of 56" in map(str.rstrip, rows)
    assert f"{title}  " in shown.look(80, 24)


def test_a_wide_key_moves_none_of_its_neighbours() -> None:
    (row, *_) = Page("Help", (), cells=("牌 Rules", "q Leave")).rows(40)
    assert get_cwidth(row.partition("q")[0]) == 16
