"""What the screen does while nothing happens but time: next to nothing."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pyte
import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from bj_client.screen.canvas import Canvas
from bj_client.screen.canvas_control import STYLE, CanvasControl
from bj_client.screen.frame import frame
from bj_client.screen.prompt import FASTEST_SECONDS
from bj_client.screen.screen import Pulse
from support.message import make_ask, make_snapshot
from support.stage import make_stage

EIGHTHS = "▏▎▍▌▋▊▉█"


@pytest.fixture
def pipe() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


class Timer:
    """A call that waits for a clock that a test moves."""

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self.call, self.is_set = seconds, call, True

    def cancel(self) -> None:
        self.is_set = False


class Show:
    """A stage on a terminal, whose frames and bytes are counted."""

    def __init__(self, stage: Any, pipe: PipeInput, width: int, height: int) -> None:
        self.stage, self.frames, self.timers = stage, 0, list[Timer]()
        self.written = io.StringIO()
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)
        size = Size(rows=height, columns=width)
        self.app: Application[None] = Application(
            layout=Layout(CanvasControl(self._draw)),
            style=STYLE,
            output=Vt100_Output(self.written, lambda: size, term="xterm-256color"),
            input=pipe,
            color_depth=ColorDepth.TRUE_COLOR,
            full_screen=True,
        )
        self.pulse = Pulse(stage.scene, self.app, self._later)

    def _later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, call))
        return self.timers[-1]

    def _draw(self, width: int, height: int) -> Canvas:
        self.frames += 1
        self.pulse.draw()
        return frame(self.stage.scene, width, height, self.stage.console.click)

    def draw(self) -> None:
        with set_app(self.app):
            self.app.renderer.render(self.app, self.app.layout)
        self.pulse.drawn()

    def feed(self) -> int:
        """Show what was written, and return how much that was."""
        text = self.written.getvalue()
        self.written.truncate(0)
        self.written.seek(0)
        self._stream.feed(text)
        return len(text)

    def wait(self) -> float | None:
        """Let time pass to the next timer, and return how long; None without one."""
        timer = self.timers.pop() if self.timers else None
        if timer is None or not timer.is_set:
            return None
        self.stage.time[0] += timer.seconds
        timer.call()
        return timer.seconds


def betting(left: float | None) -> Any:
    shown = make_stage(make_snapshot(make_ask(1)), left=left)
    shown.ask(make_ask(1))
    shown.settle()
    return shown


@pytest.mark.parametrize(("width", "height"), [(40, 16), (100, 30), (200, 60)])
def test_a_running_clock_draws_its_few_cells_and_no_frame(
    pipe: PipeInput, width: int, height: int
) -> None:
    show = Show(betting(30), pipe, width, height)
    show.draw()
    show.feed()
    steps, start = 0, show.stage.time[0]
    while (seconds := show.wait()) is not None:
        steps += 1
        assert seconds >= FASTEST_SECONDS
        assert show.feed() <= 150
    # Ten seconds take a column more than nine: there the whole is drawn anew.
    assert show.stage.time[0] - start == pytest.approx(20.8, abs=0.2)
    assert show.frames == 1
    assert 20 <= steps <= 170


def test_the_terminal_shows_what_a_whole_frame_would(pipe: PipeInput) -> None:
    show = Show(betting(9), pipe, 100, 30)
    show.draw()
    bars = set()
    while show.wait() is not None:
        show.feed()
        wanted = show.stage.look(100, 30).split("\n")
        assert [line.rstrip() for line in show.screen.display] == wanted
        bar = next(line for line in show.screen.display if "Bet $1" in line)
        bars.add("".join(mark for mark in bar if mark in EIGHTHS))
    assert len(bars) > 60
    assert "0 s" in "\n".join(show.screen.display)
    written = show.feed()
    show.draw()
    assert not written
    assert "─" not in show.written.getvalue()  # it has kept in step


def test_without_a_clock_nothing_is_waited_for(pipe: PipeInput) -> None:
    show = Show(betting(None), pipe, 200, 60)
    show.draw()
    assert show.wait() is None


def test_a_new_question_is_drawn_again_once_keys_count(pipe: PipeInput) -> None:
    shown = make_stage(make_snapshot(make_ask(1)))
    shown.ask(make_ask(1))
    show = Show(shown, pipe, 100, 30)
    with set_app(show.app):
        show.app.renderer.render(show.app, show.app.layout)
    shown.time[0] += 0.2  # drawing took so long that keys count by now
    show.pulse.drawn()
    show.feed()
    assert "▷ Bet $1" in "\n".join(show.screen.display)
    assert show.wait() is not None
    show.draw()
    show.feed()
    assert "▶ Bet $1" in "\n".join(show.screen.display)
    assert show.wait() is None


def test_a_clock_is_left_alone_when_a_whole_frame_comes(pipe: PipeInput) -> None:
    show = Show(betting(30), pipe, 100, 30)
    show.draw()
    show.feed()
    show.app._invalidated = True
    assert show.wait() is not None
    assert show.feed() == 0
    assert show.wait() is None
    show.pulse.stop()
