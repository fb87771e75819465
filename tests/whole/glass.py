"""The glass of a terminal: a screen that is quick to say what can be read on it."""

import pyte

_SYNCHRONIZED = 2026 << 5
"""The private mode as pyte keeps it."""


class Glass(pyte.Screen):
    """A screen that reads anew only the rows on which something was drawn since."""

    def __init__(self, columns: int, rows: int) -> None:
        self._read: dict[int, str] = {}
        super().__init__(columns, rows)

    @property
    def is_drawing(self) -> bool:
        """Whether a picture has begun and not ended (synchronized output)."""
        return _SYNCHRONIZED in self.mode

    @property
    def text(self) -> str:
        """All rows, without the blanks at their ends."""
        for y in self.dirty:
            row = self.buffer[y]
            cells = (row[x].data for x in range(self.columns))
            self._read[y] = "".join(cells).rstrip()
        self.dirty.clear()
        return "\n".join(self._read.get(y, "") for y in range(self.lines)).rstrip()
