"""The keys that count while a record is played, and those that do not."""

import pytest

from bj_client.replay.player import ReplayKeys
from bj_client.screen.frame import frame
from bj_client.screen.scene import Scene, Showing
from support.message import make_snapshot
from support.stage import make_stage


@pytest.fixture
def scene() -> Scene:
    shown: Scene = make_stage(make_snapshot()).scene
    return shown


@pytest.mark.parametrize(
    ("key", "wants"),
    [
        (" ", ["p"]),
        ("n", ["n"]),
        ("right", ["n"]),
        ("q", ["q"]),
        ("h", []),
        ("enter", []),
        ("/", []),
        (":", []),
        ("m", []),
        ("escape", []),
    ],
)
def test_a_key_is_a_wish_or_nothing(scene: Scene, key: str, wants: list[str]) -> None:
    said: list[str] = []
    keys = ReplayKeys(scene, said.append)
    keys.press(key)
    keys.paste("q")
    assert said == wants
    assert (scene.chat, scene.preset, scene.page) == (None, None, None)


@pytest.mark.parametrize(("key", "title"), [("r", "The rules of"), ("?", "Replay")])
def test_a_page_is_closed_before_a_key_counts_again(
    scene: Scene, key: str, title: str
) -> None:
    said: list[str] = []
    keys = ReplayKeys(scene, said.append)
    keys.click(key)
    shown = [scene.page and scene.page.title.startswith(title)]
    keys.press("n")
    keys.press(" ")
    assert shown == [True]
    assert (scene.page, said) == (None, [])
    keys.press("r")
    keys.press("q")
    assert said == ["q"]


def test_the_log_can_be_looked_back_in(scene: Scene) -> None:
    keys = ReplayKeys(scene, lambda text: None)
    for number in range(40):
        scene.log.add(f"line {number}")
    newest = scene.log.rows(40, 5)
    keys.press("pageup")
    assert scene.log.rows(40, 5) != newest
    keys.press("pagedown")
    assert scene.log.rows(40, 5) == newest


@pytest.mark.parametrize(
    ("showing", "said", "button"),
    [
        (Showing.RUNS, "Space pauses, n ", " Space Pause "),
        (Showing.PAUSED, "Paused: Space ", " Space Play on "),
        (Showing.OVER, "The record ends here; q closes it", " Space Play on "),
    ],
)
@pytest.mark.parametrize(("width", "height"), [(40, 16), (80, 24), (200, 60)])
def test_what_can_be_pressed_is_on_view_and_nothing_else(
    scene: Scene, showing: Showing, said: str, button: str, width: int, height: int
) -> None:
    wanted: list[str] = []
    scene.showing = showing
    keys = ReplayKeys(scene, wanted.append)
    canvas = frame(scene, width, height, keys.click)
    text = "\n".join(canvas.lines)
    assert canvas.lines[0].startswith(" Replay")
    assert said in text
    assert "…" not in text
    for word in ("Hit", "Chat", "$25", "My rounds", "no clock"):
        assert word not in text
    row = next(n for n, line in enumerate(canvas.lines) if button in line)
    for words in (button, " n Next event "):
        x = canvas.lines[row].index(words) + 1
        click = canvas.clicks.get((x, row))
        assert click is not None
        click()
    assert wanted == ["p", "n"]
