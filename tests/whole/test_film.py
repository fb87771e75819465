"""Films: what is to be seen at each moment, and where nothing moves."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from picture.cast import Cast
from picture.film import film

SVG = "{http://www.w3.org/2000/svg}"
# Frames are at 0.3, 0.6, 0.9 and 1.2 seconds of the session, and each stays for 0.214
# seconds of the film; the last one stays for 3 seconds more.
CAST = Cast(
    columns=12,
    rows=3,
    title="a session",
    events=(
        (0.1, "always\r\n"),
        (0.5, "one two"),
        (0.8, "\r\x1b[31mthree\x1b[0m  "),
        (1.1, "\rone two"),
    ),
)


def words(element: Element) -> set[str]:
    return {"".join(text.itertext()) for text in element.iter(f"{SVG}text")}


def keyframes(name: str, style: str) -> list[tuple[float, bool]]:
    """Return from which percent on a group is seen or not."""
    (body,) = re.findall(
        rf"@keyframes {name}\{{((?:[^{{}}]+\{{[^{{}}]+\}})+)\}}", style
    )
    found = re.findall(r"([\d.]+)%\{visibility:(visible|hidden)\}", body)
    return [(float(percent), how == "visible") for percent, how in found]


def seen(root: Element, percent: float) -> set[str]:
    """Return the words that are to be seen at a moment of the film."""
    (style,) = (element.text or "" for element in root.iter(f"{SVG}style"))
    (body,) = root.findall(f"{SVG}g")
    shown = {"".join(text.itertext()) for text in body.findall(f"{SVG}text")}
    for group in body.findall(f"{SVG}g"):
        name = (group.get("style") or "").partition(":")[2]
        times = [how for at, how in keyframes(name, style) if at <= percent]
        shown |= words(group) if times[-1] else set()
    return shown


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (0, {"always"}),
        (5, {"always"}),
        (6, {"always", "one two"}),
        (12, {"always", "three"}),
        (17, {"always", "one two"}),
        (99, {"always", "one two"}),
    ],
)
def test_each_moment_shows_what_the_terminal_showed(
    percent: float, text: set[str]
) -> None:
    assert seen(ElementTree.fromstring(film(CAST)), percent) == text


def test_a_film_begins_again_and_what_stays_is_drawn_once() -> None:
    drawn = film(CAST)
    assert "animation-iteration-count:infinite" in drawn
    assert drawn.count(">always<") == drawn.count(">one two<") == 1


def test_where_nothing_moves_one_whole_frame_is_seen() -> None:
    (body,) = ElementTree.fromstring(film(CAST)).findall(f"{SVG}g")
    groups = body.findall(f"{SVG}g")
    still = [words(group) for group in groups if group.get("visibility") != "hidden"]
    assert still == [{"three"}]
    assert "prefers-reduced-motion:reduce" in film(CAST)
