"""The canvas: a grid of cells on which a frame is drawn.

A cell has a text of one cell's width, a style and the act of a click on it. A wide
character takes two cells, the second of which is empty; a mark without width joins the
character before it. Text outside the canvas is cut off. Frames, bars and arrows are
drawn with the marks of one of two alphabets.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from prompt_toolkit.layout.screen import Char
from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import Faces
from bj_client.words.text import INDENT

Click = Callable[[], None]
Press = Callable[[str], None]
"""Takes a key, of the keyboard or of the button that is clicked."""
_char = lru_cache(8192)(Char)


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """One mark for each purpose; all are one cell wide."""

    frame: str = "╭╮╰╯─│"
    """Corners top left, top right, bottom left, bottom right; horizontal, upright."""
    heavy_frame: str = "┏┓┗┛━┃"
    back: str = "▒"
    arrow: str = "▶"
    mine: str = "•"
    """Beside a seat of one's own."""
    above: str = "▲"
    below: str = "▼"
    """Marks that there are more lines than are shown."""
    soon: str = "▷"
    dot: str = "·"
    cursor: str = "▏"
    full: str = "█"
    rest: str = "─"
    parts: str = "▏▎▍▌▋▊▉"
    """Parts of a full cell, from the smallest; empty if there are none."""
    more: str = "…"
    enter: str = "⏎"


UNICODE = Glyphs()
ASCII = Glyphs(
    frame="++++-|",
    heavy_frame="####=#",
    back="/",
    arrow=">",
    mine="*",
    above="^",
    below="v",
    soon="~",
    dot="-",
    cursor="_",
    full="#",
    rest=".",
    parts="",
    more="~",
    enter="Enter",
)


def glyphs_for(faces: Faces) -> Glyphs:
    """Return the marks that can be shown where cards are written so."""
    return UNICODE if faces.symbols else ASCII


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


def fitting(forms: Sequence[str], room: int) -> str:
    """Return the first form that ``room`` cells hold, or the last of all."""
    return next((form for form in forms if get_cwidth(form) <= room), forms[-1])


class Canvas:
    """Cells of one style to begin with."""

    def __init__(self, width: int, height: int, style: str = "class:felt") -> None:
        self.width = width
        self.height = height
        self._text = [[" "] * width for _ in range(height)]
        self._style = [[style] * width for _ in range(height)]
        self.clicks: dict[tuple[int, int], Click] = {}
        """The acts of clicks, by the column and the row of the cell."""

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
        left, right = max(0, x), min(x + width, self.width)
        for row in range(max(0, y), min(y + height, self.height)):
            self._clear(left, row)
            self._clear(right - 1, row)
            self._text[row][left:right] = [" "] * (right - left)
            self._style[row][left:right] = [style] * (right - left)

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

    def buttons(
        self, y: int, buttons: Iterable[tuple[str, str, str]], press: Press
    ) -> None:
        """Draw a row of buttons, each of which has a key, its words and a style."""
        x = 1
        for key, text, style in buttons:
            x = self.put(x, y, text, style, partial(press, key)) + 1

    @property
    def lines(self) -> list[str]:
        """The text of each row."""
        return ["".join(row) for row in self._text]

    def cells(self, y: int) -> list[Char]:
        """Return the cells of a row, as prompt_toolkit's screen has them."""
        return [*map(_char, self._text[y], self._style[y])]

    def _set(self, x: int, y: int, mark: str, style: str, click: Click | None) -> None:
        if mark:
            self._clear(x, y)
        self._text[y][x] = mark
        if style:
            ground = self._style[y][x].split(" ", 1)[0]
            self._style[y][x] = f"{ground} {style}"
        if click is not None:
            self.clicks[x, y] = click

    def _clear(self, x: int, y: int) -> None:
        """Leave no half of a wide character beside a cell that gets another text."""
        row = self._text[y]
        if not row[x]:
            row[x - 1] = " "
        if x + 1 < self.width and not row[x + 1]:
            row[x + 1] = " "

    def _join(self, x: int, y: int, mark: str) -> None:
        if 0 <= y < self.height and 0 <= x < self.width:
            row = self._text[y]
            row[x if row[x] else x - 1] += mark


def wrap(text: str, width: int) -> list[str]:
    """Return the rows of ``text``; a word that is too long is broken.

    If there is room, rows after the first are indented, so that none looks like a line.

    >>> wrap("ned21 stands with 18", 12), wrap("The dealer stands with 18.", 20)
    (['ned21 stands', 'with 18'], ['The dealer stands', '  with 18.'])
    """
    rows, row = [], ""
    indent = INDENT if width >= 20 else ""
    for word in text.split(" "):
        joined = f"{row} {word}" if row else word
        if get_cwidth(joined) <= width:
            row = joined
            continue
        if row:
            rows.append(row)
        row = f"{indent if rows else ''}{word}"
        while get_cwidth(row) > width:
            head = cut(row, width, "") or row[0]
            rows.append(head)
            row = indent + row[len(head) :]
    return [*rows, row]
