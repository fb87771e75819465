"""The prompt: one row that tells who must do what, and the clock at its right."""

from dataclasses import dataclass
from math import ceil

from prompt_toolkit.utils import get_cwidth

from bj_client.screen.canvas import Canvas, Glyphs
from bj_client.screen.hint import hint
from bj_client.screen.scene import Scene, TimeLeft

FASTEST_SECONDS = 0.125
"""The least time from one change of a bar to the next that is shown."""
_LOW_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of so many cells, each of which runs out in as many steps as it can."""

    glyphs: Glyphs
    cells: int
    """0 where there is only room for the seconds."""
    label_width: int

    @property
    def width(self) -> int:
        """The columns that are taken, with a blank at each side."""
        return self.label_width + 2 + (self.cells + 1 if self.cells else 0)

    def fits(self, left: TimeLeft) -> bool:
        """Say whether the seconds still take as many columns."""
        return len(left.label) == self.label_width

    def draw(self, canvas: Canvas, x: int, y: int, left: TimeLeft) -> None:
        """Draw the time that is left from a cell on."""
        style = "class:clock.low" if left.seconds <= _LOW_SECONDS else "class:clock"
        canvas.fill(x, y, self.width, 1, "class:clock")
        if self.cells:
            glyphs, (whole, rest) = self.glyphs, divmod(self._steps(left), self._parts)
            canvas.put(x + 1, y, glyphs.rest * self.cells, "class:clock.rest")
            part = glyphs.parts[rest - 1] if rest else ""
            canvas.put(x + 1, y, f"{glyphs.full * whole}{part}", style)
        canvas.put(x + self.width - self.label_width - 1, y, left.label, style)

    def next_change(self, left: TimeLeft) -> float | None:
        """Return the seconds until it looks different, ``FASTEST_SECONDS`` at least.

        None once all time is over.
        """
        if not left.seconds:
            return None
        until = left.seconds - (ceil(left.seconds) - 1)
        if self.cells:
            rest = (self._steps(left) - 1) / (self.cells * self._parts)
            until = min(until, left.seconds - rest * left.whole)
        return max(FASTEST_SECONDS, until)

    @property
    def _parts(self) -> int:
        return len(self.glyphs.parts) + 1

    def _steps(self, left: TimeLeft) -> int:
        most = self.cells * self._parts
        return min(most, ceil(left.seconds / left.whole * most))


_WIDE = 60
"""The columns from which on a table without a clock says so."""
_LEAST, _MOST = 5, 30
"""The cells of a bar; where there are fewer the seconds stand alone."""
_BEFORE = 3
"""The columns before the text: a blank, a mark and a blank."""


def prompt_row(canvas: Canvas, scene: Scene, y: int) -> None:
    """Draw the hint, and the clock to the right of it."""
    canvas.fill(0, y, canvas.width, 1, _style(scene))
    mark = scene.glyphs.dot
    if scene.question is not None:
        mark = scene.glyphs.arrow if scene.keys_count else scene.glyphs.soon
    canvas.put(1, y, mark)
    canvas.put(_BEFORE, y, _text(scene, canvas.width))
    left, bar = scene.time_left, bar_of(scene, canvas.width)
    if left is not None and bar is not None:
        bar.draw(canvas, canvas.width - bar.width, y, left)
    else:
        clock = _no_clock(scene, canvas.width)
        canvas.put(canvas.width - len(clock) - 1, y, clock)


def bar_of(scene: Scene, width: int) -> Bar | None:
    """Return the bar for which the prompt has room; None while no clock runs."""
    left = scene.time_left
    if left is None:
        return None
    taken = _BEFORE + get_cwidth(_text(scene, width)) + 1
    bar = Bar(scene.glyphs, 0, len(left.label))
    cells = min(_MOST, width - taken - bar.width - 1)
    return bar if cells < _LEAST else Bar(scene.glyphs, cells, bar.label_width)


def _text(scene: Scene, width: int) -> str:
    left = scene.time_left
    clock = _no_clock(scene, width) if left is None else left.label
    return hint(scene, width - _BEFORE - 1 - (len(clock) + 2 if clock else 0))


def _no_clock(scene: Scene, width: int) -> str:
    is_asked = scene.table.turn is not None and not scene.is_telling
    is_known = is_asked and not scene.is_cut_off() and scene.showing is None
    return "no clock" if is_known and width >= _WIDE else ""


def _style(scene: Scene) -> str:
    if scene.is_cut_off():
        return "class:banner"
    if scene.chat is not None or scene.is_leaving:
        return "class:prompt.yours"
    if scene.question is None:
        return "class:prompt"
    return "class:prompt.yours" if scene.keys_count else "class:prompt.soon"
