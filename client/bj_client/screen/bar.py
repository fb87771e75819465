"""The bar: a running clock and its seconds, at the right end of the prompt.

Time alone changes it, several times a second, so that it draws itself without the rest
and tells when it will look different.
"""

from dataclasses import dataclass
from math import ceil

from bj_client.screen.canvas import Canvas
from bj_client.screen.clock import TimeLeft
from bj_client.screen.glyph import Glyphs

FASTEST_SECONDS = 0.125
"""The least time from one change of a bar to the next that is shown."""
_LOW_SECONDS = 5.0


def label(left: TimeLeft) -> str:
    """Return the seconds that are left, the one that runs out included."""
    return f"{ceil(left.seconds)} s"


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
        return len(label(left)) == self.label_width

    def draw(self, canvas: Canvas, x: int, y: int, left: TimeLeft) -> None:
        """Draw what is left from a cell on."""
        style = "class:clock.low" if left.seconds <= _LOW_SECONDS else "class:clock"
        canvas.fill(x, y, self.width, 1, "class:clock")
        if self.cells:
            canvas.put(x + 1, y, self.glyphs.rest * self.cells, "class:clock.rest")
            canvas.put(x + 1, y, self._full(left), style)
        canvas.put(x + self.width - self.label_width - 1, y, label(left), style)

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

    def _full(self, left: TimeLeft) -> str:
        whole, rest = divmod(self._steps(left), self._parts)
        glyphs = self.glyphs
        return glyphs.full * whole + (glyphs.parts[rest - 1] if rest else "")
