"""The story on the screen: one event at a time, and at once for whoever hurries."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input

from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.play.narrator import Pace
from bj_client.play.output import Tone
from bj_client.screen import Screen, ScreenNarrator
from bj_client.screen.scene import Scene
from bj_protocol.action import Action
from bj_protocol.messages import Snapshot
from support.message import make_ask, make_snapshot, make_update
from support.told import told

DEALT = told("""
    2 bets 50 -> 9950
    round 3 begins: 2
    2a 8s = 8
    dealer Td = 10
""")
FACES = Faces(symbols=True)


@pytest.fixture(autouse=True)
def _keys() -> Iterator[None]:
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        yield


class Hotseat:
    """As much of a party as a screen looks at."""

    is_cut_off = has_lobby = False

    def __init__(self, table: Table) -> None:
        self.table = table
        self.storyteller = self
        self.deadline = None


class Output:
    """A paper without a terminal."""

    terminal = None

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        self.lines.append(text)


def seated(snapshot: Snapshot, paper: Any) -> tuple[Screen, Scene]:
    screen = Screen(paper, FACES)
    hotseat: Any = Hotseat(Table(snapshot))
    screen.seat(hotseat)
    return screen, screen.scene


async def test_what_is_told_waits_for_the_pace_until_someone_hurries() -> None:
    screen, scene = seated(make_snapshot(), Output())
    waiting = asyncio.Event()

    def behind() -> int:
        waiting.set()
        return 0

    narrator = ScreenNarrator(screen, screen.faces, Pace(3600, behind))
    asked = (make_ask(2, Action.HIT, Action.STAND),)
    news = make_update(11, *DEALT, asks=asked)
    telling = asyncio.create_task(narrator.update(scene.table, news))
    async with asyncio.timeout(60):
        await waiting.wait()
        assert scene.is_telling
        assert len(scene.log.lines) == 1
        screen.hurry.set()
        await telling
    assert [text for text, _ in scene.log.lines][-1] == "The dealer gets 10♦: 10."
    assert not scene.is_telling
    assert scene.in_turn == {(2, 0)}


async def test_lines_are_printed_once_the_screen_is_closed() -> None:
    paper = Output()
    screen, scene = seated(make_snapshot(), paper)
    await screen.line("in the log")
    await screen.close()
    await screen.line("Good-bye")
    assert [text for text, _ in scene.log.lines] == ["in the log"]
    assert paper.lines == ["Good-bye"]
