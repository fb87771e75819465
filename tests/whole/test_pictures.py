"""The pictures of the documents: they are there, sound, and tell nothing private."""

import re
import socket
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from make_pictures import FILM, MAKERS, PICTURES, film_of_session
from picture.cast import Cast, read_cast
from picture.screen import Screen

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FILES = sorted(PICTURES.iterdir())
DRAWN = [path for path in FILES if path.suffix == ".svg"]
ALTERNATE, MICE = 1049 << 5, {mode << 5 for mode in (1000, 1002, 1003, 1006)}


@pytest.fixture(scope="module")
def cast() -> Cast:
    return read_cast((PICTURES / "session.cast").read_text("utf-8"))


def shown(page: Path) -> set[str]:
    return set(
        re.findall(r"!\[[^]]+\]\((?:docs/)?pictures/([^)]+)\)", page.read_text())
    )


def words(path: Path) -> str:
    tree = ElementTree.fromstring(path.read_text("utf-8"))
    return "\n".join("".join(text.itertext()) for text in tree)


def test_every_picture_is_there_and_is_shown_and_nothing_else_is() -> None:
    named = set[str]().union(*(shown(page) for page in PAGES))
    assert {path.name for path in FILES} == {*MAKERS, FILM}
    assert {path.name for path in DRAWN} == named
    screen = ROOT / "docs" / "screen.md"
    assert "docs/pictures/session.cast" in screen.read_text("utf-8")


def test_the_film_is_that_of_the_recorded_session() -> None:
    made = film_of_session()
    said = "the session was recorded anew: run docs/make_pictures.py session.svg"
    assert (PICTURES / FILM).read_text("utf-8") == made, said


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_a_picture_is_a_drawing_that_needs_no_other_file(path: Path) -> None:
    source = path.read_text("utf-8")
    root = ElementTree.fromstring(source)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "bj-client" in words(path)
    assert len(words(path)) > 200
    assert not re.search(r"href|url\(|@import|<script|<image|<foreignObject", source)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_picture_tells_of_a_machine_or_its_user(path: Path) -> None:
    said = path.read_text("utf-8")
    told = said if path.suffix == ".cast" else words(path)
    private = [str(Path.home()), "/home/", "/tmp/", "127.0.0.1", str(ROOT)]
    private += ["sha256:", "Traceback"]
    # A machine may have the name of a word that is rightly there, but not with a digit.
    private += [name for name in (socket.gethostname(),) if not name.isalpha()]
    assert [text for text in private if text in told] == []
    # A key or a seed is long, and is no word.
    assert re.findall(r"\b(?=\w*\d)(?=\w*[a-zA-Z])\w{32,}\b", told) == []


def test_the_session_is_short_and_lets_a_reader_read(cast: Cast) -> None:
    times = [seconds for seconds, _ in cast.events]
    assert 30 <= times[-1] <= 75
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert max(gaps) < 10


def test_the_session_shows_the_table_and_leaves_the_terminal_as_it_was(
    cast: Cast,
) -> None:
    screen = Screen(cast.columns, cast.rows)
    leaving = next(at for at, text in cast.events if "\x1b[?1049l" in text)
    cast.play(screen, until=leaving - 0.001)
    assert "Blackjack" in screen.display[0]
    assert ALTERNATE in screen.mode
    assert MICE & screen.mode
    cast.play(screen := Screen(cast.columns, cast.rows), until=leaving + 60)
    text = "\n".join(screen.display)
    assert "bj-client --handle ned21" in text
    assert "Good-bye, ned21: 2 rounds" in text
    assert not ({ALTERNATE} | MICE) & screen.mode
    assert not screen.cursor.hidden
