"""A person's hands: what is typed to the whole client, and what is seen of it."""

import sys
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from bj_client.app import App
from bj_client.play.output import Tone
from bj_client.play.terminal import TerminalOutput
from bj_client.question.question import Question
from bj_client.screen import Screen
from bj_client.screen.frame import frame
from bj_client.screen.screen import Pulse

if TYPE_CHECKING:
    from bj_client.screen.scene import Scene

LOUD = "THE SERVER IS WRONG. "


@dataclass
class Seen:
    """What a person has seen of a visit."""

    told: list[str] = field(default_factory=list)
    """The lines, or those of the log of the screen."""
    loud: list[str] = field(default_factory=list)
    """Those of them that warn."""
    last: str = ""
    """What is on view before the person leaves."""
    late: list[str] = field(default_factory=list)
    """What is written when the screen is closed."""
    errors: str = ""
    code: int = 0
    record: Path = Path()


class _Hand:
    """A person's hand: types, and knows what is asked."""

    def open(self, evening: App) -> None:
        """Take the streams of a client."""

    @property
    def question(self) -> Question | None:
        """What is asked now, and can be answered."""
        raise NotImplementedError

    def type(self, text: str) -> None:
        """Answer."""
        raise NotImplementedError


class Lines(_Hand):
    """Lines that are typed to ``--plain``."""

    arguments = ("--plain",)

    def __init__(self, stack: ExitStack, patch: pytest.MonkeyPatch) -> None:
        self._stdout = StringIO()
        self._typed: deque[str] = deque()
        patch.setattr(sys, "stdout", self._stdout)
        patch.setattr(sys, "stdin", None)

    def open(self, evening: App) -> None:
        self._source = evening.front._plain_input()
        self._source._reader.has_ended = False  # it goes on, by our hand

    @property
    def question(self) -> Question | None:
        return self._source._question

    def type(self, text: str) -> None:
        self._source._reader._feed(f"{text}\n".encode())

    def see(self, seen: Seen) -> None:
        seen.told = self._stdout.getvalue().splitlines()
        seen.loud = [line for line in seen.told if line.startswith(LOUD)]
        seen.late = seen.loud

    def look(self) -> str:
        return self._stdout.getvalue()


class _Terminal(StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Keys(_Hand):
    """Keys that are pressed on the whole screen."""

    arguments = ("--pace", "0")

    def __init__(self, stack: ExitStack, patch: pytest.MonkeyPatch) -> None:
        terminal = self._terminal = _Terminal()
        patch.setenv("TERM", "xterm")
        patch.setattr(sys, "stdout", terminal)
        patch.setattr(sys, "stdin", _Terminal())
        self._after: list[tuple[str, Tone]] = []
        self._keep(patch)
        # It is drawn when something is asked: to draw each event takes seconds.
        patch.setattr(Screen, "_stale", lambda screen: None)
        patch.setattr(Pulse, "drawn", lambda pulse: None)
        output = Vt100_Output(terminal, lambda: Size(rows=24, columns=80), "xterm")
        patch.setattr("bj_client.play.terminal._open_output", lambda _: output)
        self._pipe: PipeInput = stack.enter_context(create_pipe_input())
        stack.enter_context(create_app_session(input=self._pipe, output=output))
        self._time = 1e9

    def _keep(self, patch: pytest.MonkeyPatch) -> None:
        """Keep what is written when the screen is closed."""
        write = TerminalOutput.line

        async def line(paper: Any, text: str, tone: Tone = Tone.PLAIN) -> None:
            self._after.append((text, tone))
            await write(paper, text, tone)

        patch.setattr(TerminalOutput, "line", line)

    def open(self, evening: App) -> None:
        screen = evening.front.screen
        assert screen is not None
        self._screen = screen

    @property
    def question(self) -> Question | None:
        scene: Scene | None = getattr(self._screen, "scene", None)
        if scene is None:
            return None
        scene.now = self._now
        if scene.keys_count:
            return scene.question
        app = self._screen._app
        if app is not None and scene.is_open and not app.invalidated:
            app.invalidate()
        return None

    def _now(self) -> float:
        """Return a time at which any question has been on view for long."""
        self._time += 1.0
        return self._time

    def type(self, text: str) -> None:
        keys = text.replace(" ", "").replace("i", "")
        self._pipe.send_text(f"{keys}\r" if keys[:1].isdigit() else text)

    def see(self, seen: Seen) -> None:
        lines = [*self._screen.log.lines, *self._after]
        seen.told = [text for text, _ in lines]
        seen.late = [text for text, _ in self._after if text.startswith(LOUD)]
        seen.loud = [text for text, tone in lines if tone is Tone.WARNING]

    def look(self) -> str:
        scene: Scene | None = getattr(self._screen, "scene", None)
        if scene is None:
            return ""
        canvas = frame(scene, 80, 24, lambda _: None)
        return "\n".join(canvas.lines)
