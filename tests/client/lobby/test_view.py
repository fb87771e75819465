"""What the lobby shows, cell by cell, and what clicks on it do."""

from typing import Any

import pytest
from prompt_toolkit.utils import get_cwidth

from bj_client.lobby import Lobby
from bj_client.lobby.screen import draw_lobby
from bj_client.screen.canvas import ASCII, UNICODE, Canvas, Glyphs
from bj_protocol.views import Phase
from support.tableview import a_table

HIGH = a_table(
    name="high",
    title="Las Vegas Strip, four decks",
    phase=Phase.PLAYING,
    handles=("eve",),
    seats_taken=1,
    seat_count=5,
    watchers=2,
    minimum_bet=500,
    maximum_bet=500_000,
)
FRIENDS = a_table(name="friends", handles=(), seats_taken=4, private=True)
TABLES = (a_table(), HIGH, FRIENDS)


class Stage:
    """A lobby that is drawn, and what its buttons have done."""

    def __init__(self, *, handles: tuple[str, ...] = ("tess",), **known: Any) -> None:
        tables = known.pop("tables", TABLES)
        self.lobby = Lobby(tables, server="cards.example.org", handles=handles, **known)
        self.pressed: list[str] = []
        self.pointed: list[tuple[str, str]] = []

    def draw(
        self, width: int = 100, height: int = 24, glyphs: Glyphs = UNICODE
    ) -> Canvas:
        return draw_lobby(
            self.lobby,
            width,
            height,
            glyphs,
            self.pressed.append,
            lambda name, key: self.pointed.append((name, key)),
        )

    def look(self, width: int = 100, height: int = 24) -> list[str]:
        return [line.rstrip() for line in self.draw(width, height).lines]

    def click(self, x: int, y: int) -> None:
        click = self.draw().clicks.get((x, y))
        assert click is not None
        click()


def test_each_table_is_told_in_two_rows() -> None:
    rows = Stage().look()
    assert rows[0].startswith(" Blackjack · the tables at cards.example.org")
    assert rows[0].endswith("tess")
    assert rows[2].startswith("▶ 1  main · Eight decks, even money  ")
    assert rows[2].endswith(" Sit   Watch")
    assert rows[3] == (
        "     2 of 4 seats taken (ned21, lia9) · bets from $1 · taking bets"
    )
    assert rows[5].startswith("  2  high · Las Vegas Strip, four decks  ")
    assert rows[6] == (
        "     1 of 5 seats taken (eve) · bets $5 to $5,000 · in a round · 2 watching"
    )
    assert rows[9] == (
        "     4 of 4 seats taken · a code is needed · bets from $1 · taking bets"
    )
    assert rows[-2].startswith(" ▶ Which table? Up, down and Enter or its number")
    assert rows[-1] == "  ⏎ Sit   w Watch   r Refresh   q Leave"


@pytest.mark.parametrize("width", [40, 100])
@pytest.mark.parametrize("phase", Phase)
def test_a_table_is_told_in_every_phase(phase: Phase, width: int) -> None:
    rows = Stage(tables=(a_table(phase=phase),)).look(width, 24)
    assert "2 of 4" in rows[3]
    is_in_round = phase in {Phase.CALLING, Phase.PLAYING}
    assert ("in a round" in rows[3]) is is_in_round


def test_buttons_stay_beside_their_tables_on_a_very_wide_terminal() -> None:
    rows = Stage().look(200, 60)
    assert rows[2].endswith(" Sit   Watch")
    assert len(rows[2]) < 100


def test_ones_own_seat_is_named() -> None:
    rows = Stage(handles=("EVE",)).look()
    assert rows[5].startswith("▶ 2  high")
    assert "your seat · 1 of 5 seats taken" in rows[6]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("typed", [None, "sesame"])
@pytest.mark.parametrize(
    ("width", "height"), [(20, 5), (40, 16), (60, 20), (80, 24), (200, 60)]
)
def test_every_size_is_filled_and_has_the_marked_table(
    width: int, height: int, typed: str | None, glyphs: Glyphs
) -> None:
    many = tuple(a_table(name=f"table{number}") for number in range(1, 31))
    stage = Stage(tables=many)
    stage.lobby.mark("table20")
    stage.lobby.typed = typed
    stage.lobby.notice = "Every seat at this table is taken. " * 3
    canvas = stage.draw(width, height, glyphs)
    assert [get_cwidth(line) for line in canvas.lines] == [width] * height
    text = "\n".join(canvas.lines)
    assert glyphs.arrow in text
    if height > 5:
        assert "20  table20" in text
        assert "Every seat at" in text
    if glyphs is ASCII:
        assert text.isascii()


def test_the_number_of_a_table_stands_apart_from_its_name() -> None:
    many = tuple(a_table(name=f"table{number}") for number in range(1, 1001))
    stage = Stage(tables=many)
    stage.lobby.mark("table1000")
    assert any("▶1000 table1000" in row for row in stage.look(40, 16))


def test_a_small_window_has_what_counts() -> None:
    rows = Stage().look(40, 16)
    assert rows[3] == "     2 of 4 taken · $1 up · taking bets"
    assert rows[9] == "     4 of 4 taken · code · $1 up"
    assert Stage().look(30, 10)[-1] == "  ⏎ Sit   w Watch   q Leave"


def test_a_click_on_a_table_marks_it_and_its_buttons_choose() -> None:
    stage = Stage()
    row = stage.draw().lines[5]
    stage.click(8, 5)
    stage.click(60, 6)
    stage.click(row.index("Sit"), 5)
    stage.click(row.index("Watch"), 5)
    assert stage.pointed == [
        ("high", ""),
        ("high", ""),
        ("high", "enter"),
        ("high", "w"),
    ]


def test_the_buttons_below_are_keys() -> None:
    stage = Stage()
    row = stage.draw().lines[-1]
    for words in ("Sit", "Watch", "Refresh", "Leave"):
        stage.click(row.index(words), 23)
    assert stage.pressed == ["enter", "w", "r", "q"]


def test_a_code_is_given_by_mouse_too() -> None:
    stage = Stage()
    stage.lobby.press("3")
    row = stage.draw().lines[-1]
    for words in ("Go in", "Stay out"):
        stage.click(row.index(words), 23)
    assert stage.pressed == ["enter", "escape"]
    assert "Watch" not in row
    assert stage.look(40, 16)[-1] == "  ⏎ Go in   Esc Stay out"


def test_one_who_looks_has_no_button_to_sit_down() -> None:
    rows = Stage(handles=()).look()
    assert rows[0].endswith("looking on")
    assert not any("Sit" in row for row in rows)


def test_a_code_that_is_typed_is_on_view_and_a_long_one_by_its_end() -> None:
    stage = Stage()
    stage.lobby.press("3")
    stage.lobby.paste("abc")
    assert stage.look()[-2] == (
        " ▶ The code of friends (Enter goes in, Esc stays out): abc▏"
    )
    stage.lobby.paste("d" * 150 + "z")
    assert stage.look(40, 16)[-2].endswith("ddz▏")


def test_C12_names_of_tables_reach_no_terminal_as_escapes() -> None:
    table = a_table(name="\x1b[31mred", title="a\nb", handles=("\x07eve",))
    text = "\n".join(Stage(tables=(table,)).look())
    assert "[31mred · a b" in text
    assert "(eve)" in text
    assert "\x1b" not in text


def test_a_server_without_tables_says_so() -> None:
    assert "There are no tables just now." in "\n".join(Stage(tables=()).look())
