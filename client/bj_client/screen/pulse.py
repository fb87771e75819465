"""The pulse: the changes of the screen by time alone, at the least cost.

A question that is too new to be answered makes one whole frame more once it counts.
A running clock is written by itself whenever it looks different, which a bar of eighths
does some times a second.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from prompt_toolkit.application import Application

from bj_client.screen.canvas import Canvas
from bj_client.screen.canvas_control import rewrite
from bj_client.screen.frame import prompt_place
from bj_client.screen.prompt import Bar, bar_of
from bj_client.screen.scene import SETTLE_SECONDS, Scene


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
        if self.scene.question is not None and not self._is_settled:
            self._timer = self.later(SETTLE_SECONDS, self.app.invalidate)
        else:
            self._wait()

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        left = self.scene.clock.read()
        if self._bar is None or left is None:
            return
        seconds = self._bar.next_change(left)
        if seconds is not None:
            self._timer = self.later(seconds, self._tick)

    def _tick(self) -> None:
        bar, left = self._bar, self.scene.clock.read()
        if self.app.invalidated or bar is None or left is None:
            return  # a whole frame comes, and the next tick with it
        if not bar.fits(left):
            self.app.invalidate()
            return
        canvas = Canvas(bar.width, 1)
        bar.draw(canvas, 0, 0, left)
        rewrite(self.app, *self._place, canvas.cells(0))
        self._wait()
