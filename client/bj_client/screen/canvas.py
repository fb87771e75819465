"""The canvas: a grid of cells on which a frame is drawn.

A cell has a text of one cell's width, a style and what a click on it does. A wide
character takes two cells, the second of which is empty; what adds no width joins the
character before it. Whatever falls outside is cut off.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.utils import get_cwidth

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

__all__ = ["Canvas", "Click", "cut"]

Click = Callable[[], None]


def cut(text: str, width: int, more: str = "…") -> str:
    """Return ``text`` in at most ``width`` cells, with ``more`` where it was cut.

    >>> cut("ned21", 5), cut("ned21x", 5), cut("庄家庄家", 5)
    ('ned21', 'ned2…', '庄家…')
    """
    if get_cwidth(text) <= width:
        return text
    kept = ""
    for mark in text:
        if get_cwidth(kept) + get_cwidth(mark) > width - get_cwidth(more):
            break
        kept += mark
    return f"{kept}{more}" if width >= get_cwidth(more) else ""


class Canvas:
    """Cells of one style to begin with."""

    def __init__(self, width: int, height: int, style: str = "class:felt") -> None:
        """Lay out blank cells."""
        self.width = width
        self.height = height
        self._text = [[" "] * width for _ in range(height)]
        self._style = [[style] * width for _ in range(height)]
        self._click: dict[tuple[int, int], Click] = {}
        self._click_rows: set[int] = set()

    def put(
        self, x: int, y: int, text: str, style: str = "", click: Click | None = None
    ) -> int:
        """Write ``text`` from a cell on, and return the column after it.

        The style is laid over that of the cells.
        """
        for mark in text:
            cells = get_cwidth(mark)
            if cells == 0:
                self._join(x - 1, y, mark)
            elif x >= 0 and x + cells <= self.width and 0 <= y < self.height:
                self._set(x, y, mark, style, click)
                if cells == 2:
                    self._set(x + 1, y, "", style, click)
            x += cells
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: str) -> None:
        """Give a part of the canvas another ground."""
        for row in range(max(0, y), min(y + height, self.height)):
            for column in range(max(0, x), min(x + width, self.width)):
                self._text[row][column] = " "
                self._style[row][column] = style

    def frame(
        self, x: int, y: int, width: int, height: int, marks: str, style: str = ""
    ) -> None:
        """Draw a box; ``marks`` are its corners, its horizontal and its upright."""
        right, bottom = x + width - 1, y + height - 1
        self.put(x, y, marks[0] + marks[4] * (width - 2) + marks[1], style)
        self.put(x, bottom, marks[2] + marks[4] * (width - 2) + marks[3], style)
        for row in range(y + 1, bottom):
            self.put(x, row, marks[5], style)
            self.put(right, row, marks[5], style)

    @property
    def lines(self) -> list[str]:
        """The text of each row."""
        return ["".join(row) for row in self._text]

    def fragments(self) -> StyleAndTextTuples:
        """Return the rows as prompt_toolkit takes them, with the clicks as handlers."""
        parts: StyleAndTextTuples = []
        for y in range(self.height):
            if y:
                parts.append(("", "\n"))
            parts += self._row(y)
        return parts

    def clicks(self, x: int, y: int) -> Click | None:
        """Return what a click on a cell does."""
        return self._click.get((x, y))

    def _row(self, y: int) -> StyleAndTextTuples:
        """Return a row in runs of one style and click; made at every tick, so plain."""
        text, styles = self._text[y], self._style[y]
        has_clicks = y in self._click_rows
        parts: StyleAndTextTuples = []
        start = 0
        for x in range(1, self.width + 1):
            is_same = x < self.width and styles[x] == styles[start]
            if is_same and (not has_clicks or self._same_click(x, start, y)):
                continue
            click = self._click.get((start, y))
            run = "".join(text[start:x])
            style = styles[start]
            parts.append(
                (style, run) if click is None else (style, run, _on_press(click))
            )
            start = x
        return parts

    def _same_click(self, x: int, other: int, y: int) -> bool:
        return self._click.get((x, y)) is self._click.get((other, y))

    def _set(self, x: int, y: int, mark: str, style: str, click: Click | None) -> None:
        self._text[y][x] = mark
        if style:
            ground = self._style[y][x].split(" ", 1)[0]
            self._style[y][x] = f"{ground} {style}"
        if click is not None:
            self._click[x, y] = click
            self._click_rows.add(y)

    def _join(self, x: int, y: int, mark: str) -> None:
        if 0 <= y < self.height and 0 <= x < self.width:
            self._text[y][x] += mark


def _on_press(click: Click) -> "Callable[[MouseEvent], NotImplementedOrNone]":
    def handle(event: MouseEvent) -> "NotImplementedOrNone":
        if event.event_type is MouseEventType.MOUSE_UP:
            click()
            return None
        return NotImplemented

    return handle
