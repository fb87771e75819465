"""Drawings of small screens: colours, places, shapes, and what XML must not read."""

import json
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pyte
import pytest
from picture.cast import read_cast, written_cast
from picture.colour import BACKGROUND, FOREGROUND, mixed
from picture.screen import Screen
from picture.shape import HEIGHT, WIDTH, shape
from picture.svg import drawing

SVG = "{http://www.w3.org/2000/svg}"


def draw(written: str, columns: int = 20, rows: int = 2) -> Element:
    screen = Screen(columns, rows)
    pyte.Stream(screen).feed(written)
    root = ElementTree.fromstring(drawing(screen, "a title"))
    body = root.find(f"{SVG}g")
    assert body is not None
    return body


def texts(written: str) -> list[Element]:
    return draw(written).findall(f"{SVG}text")


def ink(written: str) -> str | None:
    (text,) = texts(written)
    return text.get("fill")


def grounds(written: str) -> list[Element]:
    return draw(written).findall(f"{SVG}rect")[1:]


@pytest.mark.parametrize(
    ("code", "colour"),
    [
        ("0", FOREGROUND),
        ("31", "e5534b"),
        ("97", "ffffff"),
        ("38;5;196", "ff0000"),
        ("38;2;10;85;40", "0a5528"),
        ("31;39", FOREGROUND),
    ],
)
def test_text_has_its_colour_of_16_of_256_or_of_all(code: str, colour: str) -> None:
    assert ink(f"\x1b[{code}mx") == f"#{colour}"


def test_a_stripe_of_one_background_is_one_rectangle() -> None:
    (stripe,) = grounds("ab\x1b[48;2;1;2;3mcd\x1b[1mef\x1b[0mgh")
    assert stripe.get("fill") == "#010203"
    assert stripe.get("x") == f"{2 * WIDTH:g}"
    assert stripe.get("width") == f"{4 * WIDTH:g}"


@pytest.mark.parametrize("number", range(8))
def test_every_bright_background_has_a_colour(number: int) -> None:
    assert len(grounds(f"\x1b[{100 + number}mx")) == 1


def test_reverse_exchanges_the_colours() -> None:
    written = "\x1b[7;38;2;1;2;3mx"
    assert ink(written) == f"#{BACKGROUND}"
    assert grounds(written)[0].get("fill") == "#010203"


def test_bold_italics_and_lines_are_told() -> None:
    (text,) = texts("\x1b[1;3;4;9mx")
    assert text.get("font-weight") == "bold"
    assert text.get("font-style") == "italic"
    assert text.get("text-decoration") == "underline line-through"


def test_a_mixed_colour_lies_between_its_two() -> None:
    assert mixed("000000", "ffffff", 0.2) == "333333"
    assert mixed("ff0000", "0000ff", 1.0) == "0000ff"


def test_dim_text_is_nearer_to_its_background() -> None:
    dim = f"#{mixed('ffffff', BACKGROUND, 0.45)}"
    assert ink("\x1b[2;38;2;255;255;255mx") == dim
    assert ink("\x1b[2m\x1b[38;2;255;255;255mx") == dim
    assert ink("\x1b[2m\x1b[0;38;2;255;255;255mx") == "#ffffff"
    assert ink("\x1b[2;22;38;2;255;255;255mx") == "#ffffff"
    assert ink("\x1b[38;2;2;2;2mx") == "#020202"


def test_every_character_stands_in_its_cell() -> None:
    first, second = texts("ab c   d")
    assert (first.text, second.text) == ("ab c", "d")
    assert first.get("x") == " ".join(f"{column * WIDTH:g}" for column in range(4))
    assert second.get("x") == f"{7 * WIDTH:g}"


def test_a_wide_character_fills_two_cells_and_what_follows_stays_in_place() -> None:
    place = {text.text: text for text in texts("a京b…")}
    assert place["京"].get("textLength") == f"{2 * WIDTH:g}"
    assert place["…"].get("textLength") == f"{WIDTH:g}"
    assert place["b"].get("x") == f"{3 * WIDTH:g}"


def test_what_xml_would_read_comes_out_as_it_was_written() -> None:
    (text,) = texts("<b>&amp;'\"")
    assert text.text == "<b>&amp;'\""
    screen = Screen(4, 1)
    title = ElementTree.fromstring(drawing(screen, "1 < 2 & 3")).find(f"{SVG}title")
    assert title is not None
    assert title.text == "1 < 2 & 3"


@pytest.mark.parametrize("char", "♠♥♦♣─│╭╮╰╯┏┓┗┛━┃┼├█▏▎▍▌▋▊▉▄▀▐▒▶▷")
def test_what_must_join_is_a_path_inside_its_cell(char: str) -> None:
    drawn = shape(char)
    assert drawn is not None
    path = drawn.path(WIDTH, HEIGHT)
    numbers = path.translate(str.maketrans("MLCZ", "    ")).split()
    across, down = (list(map(float, numbers[start::2])) for start in (0, 1))
    assert WIDTH <= min(across) <= max(across) <= 2 * WIDTH
    assert HEIGHT <= min(down) <= max(down) <= 2 * HEIGHT
    assert texts(char) == []
    (path_element,) = draw(f"\x1b[32m{char}").findall(f"{SVG}path")
    assert "#57ab5a" in (path_element.get("fill"), path_element.get("stroke"))


def test_lines_of_neighbours_meet() -> None:
    (path,) = draw("──").findall(f"{SVG}path")
    assert f"L{WIDTH / 2 - 0.6:g} " in (path.get("d") or "")
    assert f"M{WIDTH:g} {HEIGHT / 2:g}" in (path.get("d") or "")


def test_a_letter_and_a_line_of_two_kinds_are_written() -> None:
    assert shape("A") is None
    assert shape("╼") is None


def test_fewer_rows_than_there_are_may_be_drawn() -> None:
    screen = Screen(5, 9)
    pyte.Stream(screen).feed("one\r\ntwo\r\nsix")
    source = drawing(screen, "", rows=2)
    assert ">two<" in source
    assert "six" not in source


def test_what_was_before_the_alternate_screen_comes_back() -> None:
    screen = Screen(8, 2)
    stream = pyte.Stream(screen)
    stream.feed("$ play\r\n\x1b[?1049h\x1b[Htable\x1b[2;1Hfelt")
    assert screen.display == ["table   ", "felt    "]
    stream.feed("\x1b[?1049lbye")
    assert screen.display == ["$ play  ", "bye     "]


def test_a_cast_is_read_as_it_was_written() -> None:
    heart = "♥".encode()
    written = [(0.5, b"\x1b[1mA"), (1.0, heart[:1]), (2.25, heart[1:])]
    cast = read_cast(written_cast((9, 2), "two", written))
    assert (cast.columns, cast.rows, cast.title) == (9, 2, "two")
    assert cast.events == ((0.5, "\x1b[1mA"), (2.25, "♥"))
    screen = Screen(9, 2)
    cast.play(screen, until=1.0)
    assert screen.display[0].strip() == "A"


@pytest.mark.parametrize(
    ("version", "second", "sentence"),
    [(1, 2.0, "no asciicast of version 2"), (2, 1.25, "Time goes back to 1.25 s")],
)
def test_a_cast_that_cannot_be_played_is_refused(
    version: int, second: float, sentence: str
) -> None:
    header = {"version": version, "width": 9, "height": 2, "title": ""}
    lines = [header, [1.5, "o", "a"], [second, "o", "b"]]
    with pytest.raises(ValueError, match=sentence):
        read_cast("\n".join(map(json.dumps, lines)))
