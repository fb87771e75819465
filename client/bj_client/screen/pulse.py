"""The pulse: the changes of the screen by time alone, at the least cost.

A question that is too new to be answered makes one whole frame more once it counts.
A running clock is written by itself whenever it looks different, which a bar of eighths
does some times a second.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.application import Application

from bj_client.screen.canvas import Canvas
from bj_client.screen.canvas_control import rewrite
from bj_client.screen.frame import prompt_place
from bj_client.screen.prompt import bar_of
from bj_client.screen.scene import SETTLE_SECONDS, Scene

if TYPE_CHECKING:
    from bj_client.screen.prompt import Bar


class _Timer(Protocol):
    def cancel(self) -> None: ...


Later = Callable[[float, Callable[[], None]], _Timer]
"""Has something done after so many seconds, like ``loop.call_later``."""


class Pulse:
    """Keeps the screen in step with the time."""

    def __init__(self, scene: Scene, app: Application[None], later: Later) -> None:
        """Watch the scene that the application shows."""
        self._scene = scene
        self._app = app
        self._later = later
        self._timer: _Timer | None = None
        self._is_settled = True
        self._bar: Bar | None = None
        self._place = (0, 0)
        """Its first column, and its row."""

    def draw(self) -> None:
        """Note that a whole frame is about to be drawn."""
        self._scene.mark_drawn()
        self._is_settled = self._scene.is_settled

    def drawn(self) -> None:
        """Note that it is on view, and wait for the next change."""
        self.stop()
        size = self._app.output.get_size()
        y = prompt_place(self._scene, size.columns, size.rows)
        self._bar = None if y is None else bar_of(self._scene, size.columns)
        if y is not None and self._bar is not None:
            self._place = size.columns - self._bar.width, y
        if self._scene.question is not None and not self._is_settled:
            self._timer = self._later(SETTLE_SECONDS, self._app.invalidate)
        else:
            self._wait()

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        left = self._scene.clock.read()
        if self._bar is None or left is None:
            return
        seconds = self._bar.next_change(left)
        if seconds is not None:
            self._timer = self._later(seconds, self._tick)

    def _tick(self) -> None:
        bar, left = self._bar, self._scene.clock.read()
        if self._app.invalidated or bar is None or left is None:
            return  # a whole frame comes, and the next tick with it
        if not bar.fits(left):
            self._app.invalidate()
            return
        canvas = Canvas(bar.width, 1)
        bar.draw(canvas, 0, 0, left)
        rewrite(self._app, *self._place, canvas.cells(0))
        self._wait()
