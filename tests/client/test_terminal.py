"""The interactive prompt, with keys from a pipe and a screen that is thrown away."""

import asyncio
import os
import pty
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from bj_client.play.input import EndOfInputError
from bj_client.play.output import Tone
from bj_client.play.terminal import TerminalInput, TerminalOutput, fragments
from bj_client.question.question import play_again
from bj_client.stop import StopError


class Screen:
    """A paper without a terminal."""

    def __init__(self) -> None:
        self.terminal = DummyOutput()
        self.lines: list[str] = []

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        self.lines.append(text)


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        yield pipe


def prompt_on(screen: Screen) -> TerminalInput:
    paper: Any = screen
    return TerminalInput(paper, lambda _: "status")


def test_what_is_drawn_at_once_is_shown_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    master, slave = pty.openpty()
    pictures = b"\x1b[?2026h21.\x1b[?2026l\x1b[?2026hwon.\x1b[?2026l"
    with os.fdopen(master, "rb") as glass, os.fdopen(slave, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        terminal = TerminalOutput().terminal
        for words in ("21", "won"):
            terminal.write(words)
            terminal.write(".")
            terminal.flush()
            terminal.flush()
        drawn = glass.read(len(pictures))
    assert drawn == pictures


def test_red_suits_are_red_with_symbols_and_letters() -> None:
    assert fragments("a gets 10♥: 5.", Tone.PLAIN) == [
        ("", "a gets "),
        (" class:red", "10♥"),
        ("", ": 5."),
    ]
    assert fragments("9D", Tone.MINE) == [("class:mine class:red", "9D")]
    assert fragments("9S", Tone.MINE) == [("class:mine", "9S")]


async def test_a_line_answers_the_question_it_was_typed_to(keys: PipeInput) -> None:
    screen = Screen()
    source = prompt_on(screen)
    question = play_again()
    await source.pose(question)
    keys.send_text("y\r")
    line = await source.read()
    await source.close()
    assert (line.text, line.question) == ("y", question)
    assert screen.lines == ["Play again (y/n)? y"]


async def test_lines_typed_ahead_have_no_question(keys: PipeInput) -> None:
    screen = Screen()
    source = prompt_on(screen)
    await source.pose(play_again())
    keys.send_text("y\r5\rs\r")
    texts = [await source.read() for _ in range(3)]
    await source.close()
    assert [(line.text, line.question is None) for line in texts] == [
        ("y", False),
        ("5", True),
        ("s", True),
    ]


async def test_what_is_left_of_half_a_line_does_not_answer_the_next_question(
    keys: PipeInput,
) -> None:
    paper: Any = Screen()
    seconds = [0.0]
    source = TerminalInput(paper, lambda _: "status", lambda: seconds[0])
    await source.pose(play_again())
    reading = asyncio.create_task(source.read())
    typed, pressed = asyncio.Event(), asyncio.Event()
    session = source._session
    session.default_buffer.on_text_changed += lambda _: typed.set()
    keys.send_text("7")
    await typed.wait()
    await source.pose(play_again())
    presses = session.app.key_processor.after_key_press
    presses += lambda sender: None if sender.input_queue else pressed.set()
    keys.send_text("5\r")
    await pressed.wait()
    assert (session.default_buffer.text, reading.done()) == ("", False)
    seconds[0] += 1
    keys.send_text("75\r")
    assert (await reading).text == "75"
    await source.close()


@pytest.mark.parametrize(
    ("key", "end"), [("\x03", StopError), ("\x04", EndOfInputError)]
)
async def test_c3_c4_keys_that_end_the_visit(
    keys: PipeInput, key: str, end: type[Exception]
) -> None:
    source = prompt_on(Screen())
    keys.send_text(key)
    for _ in range(2):
        with pytest.raises(end):
            await source.read()
    await source.close()


@pytest.mark.parametrize("key", ["\x00", "\x11", "\x12", "\x13", "\x1a"])
async def test_c3_no_key_of_an_editor_keeps_ctrl_d_from_leaving(
    keys: PipeInput, key: str
) -> None:
    source = prompt_on(Screen())
    keys.send_text(f"5{key}{key}\x15\x04")
    async with asyncio.timeout(60):
        with pytest.raises(EndOfInputError):
            await source.read()
    await source.close()


async def test_a_long_question_has_rows_of_whole_words(keys: PipeInput) -> None:
    source = prompt_on(Screen())
    question = replace(play_again(), prompt="one " * 25 + "two?")
    await source.pose(question)
    asked = source._message()[0][1]
    await source.close()
    assert asked.splitlines() == ["one " * 19 + "one", "  one one one one one two?"]
