"""What a real input of prompt_toolkit hands on, at the prompts where money moves."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import get_app
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bj_client.model.seat import Faces
from bj_client.play.input import EndOfInputError
from bj_client.play.output import Tone
from bj_client.play.terminal import TerminalInput
from bj_client.screen import Screen
from bj_client.stop import StopError
from bj_protocol.action import Action
from bj_protocol.views import Phase
from support.message import make_ask, make_snapshot
from support.stage import make_stage

PLAYS = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT)
BETS = (Action.PLACE_BET, Action.SIT_OUT)
NO_KEYS = {
    "K1 urxvt Shift+Left": "\x1b[d",
    "K1 urxvt Shift+Up": "\x1b[a",
    "K1 urxvt Ctrl+Up": "\x1bOa",
    "K1 rxvt Shift+Home": "\x1b[7$",
    "K1 kitty h": "\x1b[104u",
    "K1 kitty s with modifiers and event": "\x1b[115;1:3u",
    "K1 iTerm Ctrl+d by modifyOtherKeys": "\x1b[27;5;100~",
    "K1 Linux console, its palette": "\x1b]P0000000",
    "K2 keypad minus": "\x1bOm",
    "K2 a byte of SS3 that is no key": "\x1bOh",
    "K3 background, ST": "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "K3 background, BEL": "\x1b]11;rgb:1e1e/1e1e/1e1e\x07",
    "K3 DCS": "\x1bP>|iTerm2 3.5.0\x1b\\",
    "K3 APC of kitty": "\x1b_Gi=31;OK\x1b\\",
    "Alt+h": "\x1bh",
    "Alt+5": "\x1b5",
}


class Output:
    """A paper without a terminal."""

    def __init__(self) -> None:
        self.terminal = DummyOutput()

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Nothing is written here."""


@asynccontextmanager
async def reading(
    source_of: Callable[[], Any],
) -> AsyncIterator[tuple[Any, asyncio.Task[Any]]]:
    """Have a source read from a pipe, and yield the pipe and what reads."""
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        source = source_of()
        task = asyncio.create_task(source.read())
        for _ in range(100):
            await asyncio.sleep(0)
            if get_app().is_running:
                break
        try:
            yield pipe, task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await source.close()


def send(pipe: Any, text: str) -> None:
    """Have the application take a text, as if it had been read at once."""
    app = get_app()
    pipe.vt100_parser.feed(text)
    app.key_processor.feed_multiple(pipe.flush_keys())
    app.key_processor.process_keys()


def lines() -> TerminalInput:
    paper: Any = Output()
    return TerminalInput(paper, lambda _: "status")


def screen_of(stage: Any) -> Screen:
    paper: Any = Output()
    screen = Screen(paper, Faces(symbols=True))
    screen.lay(stage.scene, stage.console)
    return screen


@pytest.mark.parametrize("name", NO_KEYS)
async def test_K1_K2_K3_13_1_a_sequence_that_is_no_key_plays_and_types_nothing(
    name: str,
) -> None:
    playing = make_stage(make_snapshot(phase=Phase.PLAYING))
    async with reading(lambda: screen_of(playing)) as (pipe, _):
        for number, actions in enumerate((BETS, PLAYS)):
            playing.ask(make_ask(number, *actions))
            playing.settle()
            send(pipe, NO_KEYS[name])
            assert (playing.sent, playing.scene.typed) == ([], "")
            assert (playing.scene.chat, playing.scene.page) == (None, None)


async def test_13_1_a_key_that_is_one_plays_at_the_same_prompts() -> None:
    playing = make_stage(make_snapshot(phase=Phase.PLAYING))
    async with reading(lambda: screen_of(playing)) as (pipe, _):
        playing.ask(make_ask(1, *PLAYS))
        playing.settle()
        send(pipe, "d")
        assert playing.done == ["double"]


@pytest.mark.parametrize(
    ("key", "end"), [("\x03", StopError), ("\x04", EndOfInputError)]
)
@pytest.mark.parametrize("is_screen", [True, False])
async def test_K5_13_2_ctrl_c_and_ctrl_d_leave_in_an_unfinished_paste(
    key: str, end: type[Exception], is_screen: bool
) -> None:
    playing = make_stage(make_snapshot())
    source_of = (lambda: screen_of(playing)) if is_screen else lines
    async with reading(source_of) as (pipe, task), asyncio.timeout(60):
        pipe.send_text(f"\x1b[200~{key}")
        with pytest.raises(end):
            await task
