"""The log: what has been told, for the pane that shows it."""

from collections import deque
from dataclasses import dataclass, field

from bj_client.paper import Tone
from bj_client.screen.wrap import wrap
from bj_client.text import printable

_KEPT = 500


@dataclass(slots=True)
class Log:
    """The last lines that were told, each with its tone."""

    lines: deque[tuple[str, Tone]] = field(default_factory=lambda: deque(maxlen=_KEPT))
    back: int = 0
    """Rows that the pane is scrolled back; 0 shows the newest."""
    has_warned: bool = False
    """Whether a warning is among all that was told, or has gone by."""

    def add(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Add a line below all others."""
        self.lines.append((printable(text), tone))
        self.has_warned |= tone is Tone.WARNING

    def scroll(self, rows: int) -> None:
        """Look further back, or with fewer than 0 rows forward."""
        self.back = max(0, min(self.back + rows, len(self.lines)))

    def rows(self, width: int, height: int) -> list[tuple[str, Tone]]:
        """Return the rows of a pane, the newest last."""
        wanted = height + self.back
        rows: list[tuple[str, Tone]] = []
        for text, tone in reversed(self.lines):
            wrapped = [(row, tone) for row in wrap(text, width)]
            rows = wrapped + rows
            if len(rows) >= wanted:
                break
        end = len(rows) - min(self.back, max(0, len(rows) - height))
        return rows[max(0, end - height) : end]
