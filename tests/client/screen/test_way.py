"""The way of a bet from the key to the socket is the one that the docs tell."""

import asyncio
import re
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, Self

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from bj_client.fair.witness import Witness
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.net.connection import Connection
from bj_client.net.follow import Follower
from bj_client.net.reconnect import ReconnectingLine, ReconnectPolicy
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Chosen, Given
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.question.asked import question_for
from bj_client.question.question import Question, Word
from bj_client.screen import Screen, ScreenNarrator
from bj_client.screen.scene import SETTLE_SECONDS
from bj_client.style.iipp6 import DealSession
from bj_protocol.codec import decode_command
from bj_protocol.commands import PlaceBet
from support.message import make_ask, make_snapshot

PAGE = Path(__file__).parents[3] / "docs" / "architecture.md"
WAY = PAGE.read_text("utf-8").split("### From the ")[1]
MOST = 15
FACES = Faces(symbols=True)


class Terminal:
    """A terminal that shows nothing."""

    terminal = DummyOutput()


class Socket:
    """A socket of a server that says nothing."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[str] = asyncio.Queue()

    async def send(self, text: str) -> None:
        self.sent.put_nowait(text)


class Walk:
    """Notes which functions of the client are called, and who waits for them."""

    def __init__(self) -> None:
        self.called: set[str] = set()
        self.passed: set[str] = set()
        """Who was waiting when the console, and when the connection sent."""

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        name = _name(frame)
        if event == "call" and name.startswith("bj_client."):
            self.called.add(name)
            if name.endswith((".Console._send", ".Connection.send")):
                waiting = {_name(each) for each in _stack(frame)}
                self.passed |= {name for name in waiting if name.startswith("bj_")}


def _name(frame: FrameType) -> str:
    name = f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}"
    return name.partition(".<locals>")[0]


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


@pytest.fixture
def pipe() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        yield pipe


def feed(pipe: Any, screen: Any, text: str) -> None:
    """Have the screen take a text, as if it had been read at once."""
    pipe.vt100_parser.feed(text)
    keys = screen._app.key_processor
    keys.feed_multiple(pipe.flush_keys())
    keys.process_keys()


async def sitting(socket: Any) -> Hotseat:
    """Return a player who is asked for a bet, and whose commands go into a socket."""
    nowhere: Any = None

    async def join() -> Any:
        return Connection(socket, nowhere), make_snapshot(make_ask(1))

    ear = Witness("here").ear("ned21")
    line = ReconnectingLine("here", join, ReconnectPolicy(), ear, unproven=True)
    return Hotseat([Follower(line, await line.open())])


async def test_the_way_of_a_bet_is_as_the_docs_tell_it(pipe: PipeInput) -> None:
    socket = Socket()
    hotseat = await sitting(socket)
    terminal: Any = Terminal()
    screen = Screen(terminal, FACES)
    screen.seat(hotseat)
    at = [0.0]
    screen.scene.now = lambda: at[0]
    session = LineSession(hotseat, ScreenNarrator(screen, screen.faces), screen)
    playing = asyncio.create_task(session.run())
    async with asyncio.timeout(60):
        for _ in range(1_000):
            await asyncio.sleep(0)
            if screen.scene.drawn is not None:
                break
        at[0] += 2 * SETTLE_SECONDS
        feed(pipe, screen, "50")
        with Walk() as walk:
            feed(pipe, screen, "\r")
            text = await socket.sent.get()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    bet = decode_command(text)
    assert isinstance(bet, PlaceBet)
    assert (bet.prompt, bet.amount) == (1, 5000)
    told = set(re.findall(r"`(bj_client\.[\w.]+)`", WAY))
    assert walk.passed <= told, "docs/architecture.md leaves out who is passed"
    assert told <= walk.called | walk.passed, "docs/architecture.md names who is not"
    assert len(told) == MOST


class Keys:
    """An input of keys that were pressed already."""

    is_live = True

    def __init__(self, *given: Given) -> None:
        self._given = list(given)

    async def read(self) -> Given:
        return self._given.pop(0)

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        """Show nothing."""

    async def echo(self, text: str) -> None:
        """Show nothing."""

    async def close(self) -> None:
        """Hold nothing."""


@pytest.mark.parametrize(
    ("kind", "told"),
    [(LineSession, ["That came too late: the question is over."]), (DealSession, [])],
)
async def test_a_key_for_a_question_that_is_over_answers_no_other(
    kind: type[LineSession] | type[DealSession], told: list[str]
) -> None:
    socket, output = Socket(), StringIO()
    over = question_for(make_ask(0), Table(make_snapshot()))
    stale = Chosen(PlaceBet(prompt=0, amount=5000), over)
    narrator = Narrator(PlainOutput(output), FACES)
    session = kind(await sitting(socket), narrator, Keys(stale, Word.LEAVE))
    async with asyncio.timeout(60):
        await session.run()
    lines = output.getvalue().splitlines()
    assert [line for line in lines if "too late" in line] == told
    sent = [
        decode_command(socket.sent.get_nowait()) for _ in range(socket.sent.qsize())
    ]
    assert all(not isinstance(each, PlaceBet) or each.prompt == 1 for each in sent)
