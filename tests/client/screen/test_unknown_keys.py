"""Random bytes that begin with ESC, at every prompt: no command is sent, ever.

They go through the real bindings of the real applications, whose terminal is a pipe
and whose clock is the test's.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import get_app, set_app
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bj_client.lobby import Lobby
from bj_client.lobby.screen import LobbyScreen
from bj_client.model.seat import Faces
from bj_client.play.output import Tone
from bj_client.play.terminal import TerminalInput
from bj_client.play.vt100 import ESCAPE_SECONDS, SILENCE_SECONDS, KeyParser
from bj_client.question.asked import question_for
from bj_client.question.question import play_again
from bj_client.replay.player import ReplayKeys
from bj_client.screen import Screen
from bj_client.screen.canvas import UNICODE
from bj_client.screen.scene import SETTLE_SECONDS
from bj_protocol.action import Action
from bj_protocol.views import HandState, Phase
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.sequences import is_keypad, unknown_strings
from support.stage import make_stage
from support.tableview import a_table

PAIR = make_hand("8s 8h", 16, state=HandState.WAITING)
PROMPTS: dict[str, tuple[Action, ...]] = {
    "bet": (Action.PLACE_BET, Action.SIT_OUT),
    "gift": (Action.ACCEPT_GIFT, Action.SIT_OUT),
    "insurance": (Action.INSURE, Action.DECLINE, Action.EVEN_MONEY),
    "pair": (Action.SPLIT, Action.DECLINE),
    "offer": (Action.SURRENDER, Action.DECLINE),
    "aces": (Action.ACE_HIGH, Action.ACE_LOW),
    "play": (
        *(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT),
        *(Action.SURRENDER, Action.INSURE),
    ),
    "chat": (Action.HIT, Action.STAND),
    "page": (Action.HIT, Action.STAND),
    "again": (),
    "waiting": (),
}
DAILY, LONG, REST = 2_000, 200_000, 50_000


class Output:
    """A paper without a terminal."""

    def __init__(self) -> None:
        self.terminal = DummyOutput()
        self.lines: list[str] = []

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        self.lines.append(text)


async def started() -> Application[Any]:
    """Return the application once it runs, which takes some rounds of the loop."""
    for _ in range(100):
        await asyncio.sleep(0)
        if get_app().is_running:
            break
    return get_app()


class Keyboard:
    """What is typed into the application that runs."""

    def __init__(self, pipe: Any) -> None:
        self.time = 0.0
        emit = pipe.vt100_parser.feed_key_callback
        pipe.vt100_parser = KeyParser(emit, now=lambda: self.time)
        self._pipe = pipe

    @asynccontextmanager
    async def typing(self, running: Any) -> AsyncIterator[Application[Any]]:
        """Have an application run, and end it; its task is ``running``."""
        task = asyncio.create_task(running)
        app = await started()
        assert app.ttimeoutlen == ESCAPE_SECONDS
        try:
            with set_app(app):
                yield app
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def send(self, app: Application[Any], text: str) -> None:
        """Type a text at once, and let both silences pass."""
        self._pipe.vt100_parser.feed(text)
        self._flush(app)
        self.time += SILENCE_SECONDS + 0.01
        self._flush(app)

    def _flush(self, app: Application[Any]) -> None:
        app.key_processor.feed_multiple(self._pipe.flush_keys())
        app.key_processor.process_keys()


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        yield Keyboard(pipe)


def pose(stage: Any, kind: str) -> None:
    """Open one of the prompts."""
    scene, actions = stage.scene, PROMPTS[kind]
    scene.chat = scene.page = scene.preset = None
    if kind == "again":
        scene.pose(play_again())
    elif kind == "waiting":
        scene.pose(None)
    else:
        asked = make_ask(1, *actions, gift=1_000_000)
        scene.pose(question_for(asked, scene.table))
    scene.typed, scene.is_leaving = "", False
    scene.mark_drawn()
    stage.time[0] += SETTLE_SECONDS + 0.01
    stage.press(*{"chat": ":", "page": "r"}.get(kind, ""))


async def try_prompts(keyboard: Keyboard, stage: Any, count: int) -> None:
    paper: Any = Output()
    screen = Screen(paper, Faces(symbols=True))
    screen.lay(stage.scene, stage.console)
    seed = random.Random(13)
    async with keyboard.typing(screen.read()) as app:
        for kind in PROMPTS:
            pose(stage, kind)
            for text in unknown_strings(seed, count // len(PROMPTS) + 1):
                scene = stage.scene
                keyboard.send(app, text)
                assert (stage.sent, app.is_done) == ([], False), (kind, text)
                if is_keypad(text) or kind in {"chat", "page"}:
                    pose(stage, kind)
                else:
                    changed = scene.typed, scene.preset, scene.chat, scene.page
                    assert changed == ("", None, None, None), (kind, text)
                    assert scene.is_leaving is False, (kind, text)
        pose(stage, "play")
        keyboard.send(app, "d")
        assert stage.done == ["double"]


async def try_lobby(keyboard: Keyboard, count: int) -> None:
    tables = (a_table(), a_table(name="high"), a_table(name="den", private=True))

    async def fetch() -> Any:
        return tables

    lobby = Lobby(tables, server="cards.example.org", handles=("ned21",))
    screen = LobbyScreen(lobby, fetch, DummyOutput(), UNICODE)
    seed = random.Random(14)
    async with keyboard.typing(screen.choose()) as app:
        for code in (None, ""):
            for text in unknown_strings(seed, count // 2):
                if not is_keypad(text):
                    lobby.mark("den")
                    lobby.typed = code
                    keyboard.send(app, text)
                    assert not app.is_done, text
                    if code is None:
                        assert lobby.typed is None, text
        lobby.typed = None
        keyboard.send(app, "1")
        assert app.is_done


async def try_replay(keyboard: Keyboard, stage: Any, count: int) -> None:
    paper: Any = Output()
    wanted: list[str] = []
    screen = Screen(paper, Faces(symbols=True))
    screen.lay(stage.scene, ReplayKeys(stage.scene, wanted.append))
    async with keyboard.typing(screen.read()) as app:
        for text in unknown_strings(random.Random(15), count):
            if not is_keypad(text):
                keyboard.send(app, text)
                assert set(wanted) <= {"n"}, text  # by the arrow to the right
                assert stage.scene.page is None, text
        keyboard.send(app, "q")
        assert wanted[-1] == "q"


async def try_lines(keyboard: Keyboard, count: int) -> None:
    paper: Any = Output()
    source = TerminalInput(paper, lambda _: "status")
    await source.pose(play_again())
    async with keyboard.typing(source.read()) as app:
        for text in unknown_strings(random.Random(16), count):
            keyboard.send(app, text)
            assert not app.is_done, text
            app.current_buffer.reset()
            app.reset()
    await source.close()


@pytest.fixture
def playing() -> Any:
    seats = (make_seat(1, "lia9", hands=(PAIR,)), make_seat(2, "ned21", hands=(PAIR,)))
    return make_stage(make_snapshot(phase=Phase.PLAYING, seats=seats))


async def test_13_1_no_unknown_bytes_send_a_command_at_any_prompt_or_in_chat(
    keyboard: Keyboard, playing: Any
) -> None:
    await try_prompts(keyboard, playing, DAILY)


async def test_13_1_no_unknown_bytes_choose_a_table_or_send_a_code(
    keyboard: Keyboard,
) -> None:
    await try_lobby(keyboard, DAILY // 4)


async def test_13_1_no_unknown_bytes_end_a_replay(
    keyboard: Keyboard, playing: Any
) -> None:
    await try_replay(keyboard, playing, DAILY // 4)


async def test_13_1_no_unknown_bytes_end_a_typed_line(keyboard: Keyboard) -> None:
    await try_lines(keyboard, DAILY // 4)


@pytest.mark.torture
async def test_13_1_200_000_random_strings_move_no_money(
    keyboard: Keyboard, playing: Any
) -> None:
    await try_prompts(keyboard, playing, LONG)


@pytest.mark.torture
async def test_13_1_50_000_random_strings_choose_no_table(keyboard: Keyboard) -> None:
    await try_lobby(keyboard, REST)


@pytest.mark.torture
async def test_13_1_50_000_random_strings_end_no_replay(
    keyboard: Keyboard, playing: Any
) -> None:
    await try_replay(keyboard, playing, REST)


@pytest.mark.torture
async def test_13_1_50_000_random_strings_end_no_line(keyboard: Keyboard) -> None:
    await try_lines(keyboard, REST)


async def test_K5_13_2_a_paste_is_text_where_one_writes_and_nothing_elsewhere(
    keyboard: Keyboard, playing: Any
) -> None:
    paper: Any = Output()
    screen = Screen(paper, Faces(symbols=True))
    screen.lay(playing.scene, playing.console)
    async with keyboard.typing(screen.read()) as app:
        pose(playing, "play")
        keyboard.send(app, "\x1b[200~d\x1b[201~")
        keyboard.send(app, "\x1b[200~d")
        assert (playing.sent, playing.scene.chat) == ([], None)
        keyboard.send(app, ":")
        keyboard.send(app, "\x1b[200~good\r")
        assert playing.scene.chat == "good"
        keyboard.send(app, "\x1b")
        assert playing.scene.chat is None
