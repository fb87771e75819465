"""The screen: the one place that knows the terminal, and the time that passes there.

It is an output for lines: they go into the log while the table is on view, and onto
the plain terminal once it is given back. It is an input, too: keys and clicks come out
of it as commands. A line draws nothing by itself: it marks the screen as stale, and the
screen is drawn from the scene when the terminal is ready.

``Pulse`` has the changes by time alone, at the least cost. A question that is too new
to be answered makes one whole frame more once it counts. A running clock is written by
itself whenever it looks different, which a bar of eighths does some times a second.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from prompt_toolkit.application import Application

from bj_client.error import OutputClosedError
from bj_client.keymap import Keymap
from bj_client.model.seat import Faces
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import EndOfInputError, Given, Line
from bj_client.play.output import Output, Tone
from bj_client.play.terminal import TerminalOutput
from bj_client.question.question import Question
from bj_client.screen.canvas import Canvas
from bj_client.screen.canvas_control import canvas_app, rewrite
from bj_client.screen.console import Console
from bj_client.screen.frame import frame, is_too_small, prompt_place
from bj_client.screen.prompt import Bar, bar_of
from bj_client.screen.scene import SETTLE_SECONDS, Log, Page, Scene, Showing
from bj_client.stop import StopError
from bj_client.style import iipp6


class _Timer(Protocol):
    def cancel(self) -> None: ...


Later = Callable[[float, Callable[[], None]], _Timer]
"""Has something done after so many seconds, like ``loop.call_later``."""


@dataclass(eq=False)
class Pulse:
    """Keeps the screen in step with the time."""

    scene: Scene
    app: Application[None]
    """What shows the scene."""
    later: Later
    _timer: _Timer | None = field(default=None, init=False)
    _is_settled: bool = field(default=True, init=False)
    _bar: Bar | None = field(default=None, init=False)
    _place: tuple[int, int] = field(default=(0, 0), init=False)
    """Its first column, and its row."""

    def draw(self) -> None:
        """Note that a whole frame is about to be drawn."""
        self.scene.mark_drawn()
        self._is_settled = self.scene.is_settled

    def drawn(self) -> None:
        """Note that it is on view, and wait for the next change."""
        self.stop()
        size = self.app.output.get_size()
        y = prompt_place(self.scene, size.columns, size.rows)
        self._bar = None if y is None else bar_of(self.scene, size.columns)
        if y is not None and self._bar is not None:
            self._place = size.columns - self._bar.width, y
        is_asked = self.scene.question is not None and y is not None
        if is_asked and not self._is_settled:
            self._timer = self.later(SETTLE_SECONDS, self.app.invalidate)
        else:
            self._wait()

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        left = self.scene.time_left
        if self._bar is None or left is None:
            return
        seconds = self._bar.next_change(left)
        if seconds is not None:
            self._timer = self.later(seconds, self._tick)

    def _tick(self) -> None:
        bar, left = self._bar, self.scene.time_left
        if self.app.invalidated or bar is None or left is None:
            return  # a whole frame comes, and the next tick with it
        if not bar.fits(left):
            self.app.invalidate()
            return
        canvas = Canvas(bar.width, 1)
        bar.draw(canvas, 0, 0, left)
        rewrite(self.app, *self._place, canvas.cells(0))
        self._wait()


class Screen(Output):
    """The table on the whole terminal, until it is closed."""

    is_live = True

    scene: Scene
    """What is on view, from ``seat`` or ``lay`` on."""
    _console: Console

    def __init__(
        self, output: TerminalOutput, faces: Faces, keymap: Keymap | None = None
    ) -> None:
        """Draw on a terminal, and print there once the screen is closed."""
        self._output = output
        self.faces = faces
        self._keymap = keymap or Keymap()
        self.log = Log()
        self._given: asyncio.Queue[Given | Exception] = asyncio.Queue()
        self._running: asyncio.Task[None] | None = None
        self._app: Application[None] | None = None
        self._pulse: Pulse | None = None
        self._is_over = False
        self.hurry = asyncio.Event()
        """Set when events that are being told shall be shown at once."""

    def seat(self, hotseat: Hotseat, *, has_hints: bool = False) -> None:
        """Show the table of a party, and take its keys."""
        now = asyncio.get_running_loop().time
        table = hotseat.table
        scene = Scene(
            table=table,
            faces=self.faces,
            now=now,
            deadline=lambda: hotseat.storyteller.deadline,
            keymap=self._keymap,
            log=self.log,
            is_cut_off=lambda: hotseat.is_cut_off,
            has_hints=has_hints,
            has_lobby=hotseat.has_lobby,
            deals=len(table.ours) == 1 and table.house.name in iipp6.STYLE.houses,
        )
        self.lay(scene, Console(scene, self._given.put_nowait, self.hurry.set))

    def lay(self, scene: Scene, console: Console) -> None:
        """Show a scene that has our log, and take the keys of a console."""
        self.scene, self._console = scene, console

    def type(self, text: str) -> None:
        """Let a line be read as if it were typed to no question."""
        self._given.put_nowait(Line(text, None))

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Add a line to the log; once the screen is closed, print it."""
        if self._is_over:
            await self._output.line(text, tone)
        else:
            self.log.add(text, tone)
            self._stale()

    @property
    def is_on_view(self) -> bool:
        """Whether the terminal is covered, so that nothing else may write on it."""
        return self._running is not None and not self._running.done()

    def warn(self, sentence: str) -> None:
        """Add a warning to the log."""
        self.log.add(sentence, Tone.NOTICE)
        self._stale()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Return a context in which events are being told."""
        self.hurry.clear()
        self.scene.is_telling = True
        self.scene.told = None
        yield
        self.scene.is_telling = False
        self._stale()

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        """Open a question, or close the open one with None."""
        is_new = question is not None and question is not self.scene.question
        self.scene.pose(question)
        if is_new and not again:
            self._console.open()
        self._stale()

    def play(self, showing: Showing) -> None:
        """Show how far a record is that is played back."""
        self.scene.showing = showing
        self._stale()

    def show(self, page: Page) -> None:
        """Lay a page over the table."""
        self.scene.page = page
        self._stale()

    async def read(self) -> Given:
        """Return the meaning of the next key or click that counts."""
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        given = await self._given.get()
        if isinstance(given, Exception):
            self._given.put_nowait(given)
            raise given
        return given

    async def echo(self, text: str) -> None:
        """Do nothing: no line is typed before its question is open."""

    async def close(self) -> None:
        """Give the terminal back as it was."""
        self._is_over = True
        if self._pulse is not None:
            self._pulse.stop()
        if self._app is not None and self._app.is_running and not self._app.is_done:
            self._app.exit()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)

    async def _run(self) -> None:
        press, paste = self._console.press, self._console.paste
        app = self._app = canvas_app(self._draw, press, paste, self._output.terminal)
        loop = asyncio.get_running_loop()
        pulse = self._pulse = Pulse(self.scene, app, loop.call_later)
        app.after_render += lambda _: pulse.drawn()
        try:
            await app.run_async(set_exception_handler=False, handle_sigint=False)
        except (EndOfInputError, StopError, OutputClosedError) as end:
            self._given.put_nowait(end)
        except (OSError, EOFError):
            self._given.put_nowait(EndOfInputError())

    def _draw(self, width: int, height: int) -> Canvas:
        self.scene.is_small = is_too_small(width, height)
        if self._pulse is not None:
            self._pulse.draw()
        return frame(self.scene, width, height, self._console.click)

    def _stale(self) -> None:
        if self._app is not None and not self._is_over:
            self._app.invalidate()
