"""A page: a text over the table, such as the rules, until it is closed."""

from dataclasses import dataclass

from bj_client.screen.canvas import wrap
from bj_client.words.text import printable

_CELL = 16
"""The columns of a short text, unless one is longer."""
_GAP = 2
_ABREAST = 4
"""The most short texts beside each other."""


@dataclass(slots=True)
class Page:
    """A title and its lines."""

    title: str
    lines: tuple[str, ...]
    cells: tuple[str, ...] = ()
    """Short texts above the lines, as many beside each other as there is room for."""
    lead: str = ""
    """The line above all else."""
    key: str = ""
    """The key that opens the page, and closes it again."""
    top: int = 0
    """The first row on view."""

    def rows(self, width: int) -> list[str]:
        """Return all of the page, in rows of ``width`` cells at most."""
        rows = [*wrap(printable(self.lead), width), ""] if self.lead else []
        wrapped = [row for line in self.lines for row in wrap(printable(line), width)]
        if not self.cells:
            return [*rows, *wrapped]
        cell = max(_CELL, *(len(text) + _GAP for text in self.cells))
        abreast = max(1, min(_ABREAST, (width + _GAP) // cell))
        padded = [text.ljust(cell) for text in self.cells]
        starts = range(0, len(padded), abreast)
        grid = ["".join(padded[start : start + abreast]).rstrip() for start in starts]
        return [*rows, *grid, "", *wrapped]

    def scroll(self, rows: int) -> None:
        """Look further down, or with fewer than 0 rows up."""
        self.top = max(0, self.top + rows)
