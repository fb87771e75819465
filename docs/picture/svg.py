"""The drawing: a terminal's screen as an SVG picture that needs no other file.

Every character of text is told where it stands, so that the columns are straight in
whatever monospace font a reader has. What must join its neighbours, or might come in
a font of its own, is drawn as a path; see ``picture.shape``.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

import pyte
from pyte.screens import Char

from picture.colour import BACKGROUND, FOREGROUND, colours, mixed
from picture.shape import HEIGHT, WIDTH, Shape, shape

_BAR = 30.0
"""Height of the bar with the title."""
_EDGE = 8.0
_BASELINE = 13.8
_FONT = (
    "font-family=\"'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace\" "
    'font-size="15"'
)
_TITLE = (
    f'y="{_BAR / 2 + 4.5:g}" text-anchor="middle" fill="#{FOREGROUND}" '
    'font-family="system-ui,\'DejaVu Sans\',sans-serif" font-size="13"'
)
_LIGHTS = ("ff5f57", "febc2e", "28c840")
_WORDS = re.compile(r"\S+(?: \S+)*")


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one look, side by side in a row."""

    row: int
    column: int
    chars: tuple[Char, ...]

    @property
    def look(self) -> Char:
        """The first character, which has the look of all."""
        return self.chars[0]


def drawing(screen: pyte.Screen, title: str, *, rows: int | None = None) -> str:
    """Return the screen as an SVG document in a window of that title.

    Args:
        screen: what is drawn; its cursor is not.
        title: what the window's bar says.
        rows: how many rows are drawn, from the top; all of them if not given.
    """
    count = screen.lines if rows is None else rows
    runs = [run for row in range(count) for run in runs_of(screen, row)]
    body = pieces(runs)
    return "\n".join([*window(screen.columns, count, title), *body, "</g>", "</svg>\n"])


def window(columns: int, rows: int, title: str) -> list[str]:
    """Return the lines of a document up to the contents of the screen."""
    width, height = columns * WIDTH + 2 * _EDGE, rows * HEIGHT + _BAR + _EDGE
    bar = mixed(BACKGROUND, FOREGROUND, 0.12)
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT}>',
        f"<title>{escape(title)}</title>",
        _rectangle(0, 0, width, height, f'rx="9" fill="#{bar}"'),
        *(
            f'<circle cx="{18 * number}" cy="{_BAR / 2:g}" r="5.5" fill="#{colour}"/>'
            for number, colour in enumerate(_LIGHTS, 1)
        ),
        f'<text x="{width / 2:g}" {_TITLE}>{escape(title)}</text>',
        f'<g transform="translate({_EDGE:g} {_BAR:g})">',
        _rectangle(0, 0, columns * WIDTH, rows * HEIGHT, f'fill="#{BACKGROUND}"'),
    ]


def _rectangle(x: float, y: float, width: float, height: float, look: str) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f"<rect {place} {look}/>"


def pieces(runs: list[Run]) -> list[str]:
    """Return the lines that draw some runs, which may leave gaps."""
    return [*_grounds(runs), *_paths(runs), *_texts(runs)]


def runs_of(screen: pyte.Screen, row: int) -> Iterator[Run]:
    """Give the runs of a row, from the left to the right."""
    line = screen.buffer[row]
    column = 0
    cells = [line[number] for number in range(screen.columns)]
    for _, group in groupby(cells, lambda char: char[1:]):
        chars = tuple(group)
        yield Run(row, column, chars)
        column += len(chars)


def _grounds(runs: list[Run]) -> Iterator[str]:
    """Draw what is behind the text, in stripes of one colour."""
    stripes: list[tuple[int, int, int, str]] = []
    for run in runs:
        ground, end = colours(run.look)[1], run.column + len(run.chars)
        row, column, until, colour = stripes[-1] if stripes else (-1, 0, 0, "")
        if (row, until, colour) == (run.row, run.column, ground):
            stripes[-1] = (row, column, end, ground)
        else:
            stripes.append((run.row, run.column, end, ground))
    for row, column, end, ground in stripes:
        if ground != BACKGROUND:
            look = f'fill="#{ground}" shape-rendering="crispEdges"'
            x, y = column * WIDTH, row * HEIGHT
            yield _rectangle(x, y, (end - column) * WIDTH, HEIGHT, look)


def _paths(runs: list[Run]) -> Iterator[str]:
    """Draw the shapes, all of one kind and colour as one path."""
    data: defaultdict[tuple[str, float, float], list[str]] = defaultdict(list)
    for run in runs:
        ink, _ = colours(run.look)
        for column, char in enumerate(run.chars, run.column):
            if drawn := _shape(char):
                place = drawn.path(column * WIDTH, run.row * HEIGHT)
                data[ink, drawn.stroke, drawn.opacity].append(place)
    for (ink, stroke, opacity), paths in data.items():
        look = f'fill="#{ink}"'
        if stroke:
            look = f'fill="none" stroke="#{ink}" stroke-width="{stroke:g}"'
        if opacity < 1:
            look += f' opacity="{opacity:g}"'
        yield f'<path d="{"".join(paths)}" {look}/>'


def _texts(runs: list[Run]) -> Iterator[str]:
    """Write the text; of what is not ASCII, each character by itself."""
    for run in runs:
        look = _look(run.look)
        plain = (char.data if char.data.isascii() else " " for char in run.chars)
        for found in _WORDS.finditer("".join(data or " " for data in plain)):
            yield _text(run, found.start(), found[0], look)
        for place, char in enumerate(run.chars):
            if not char.data.isascii() and _shape(char) is None:
                follows = run.chars[place + 1 : place + 2]
                cells = 2 if follows and not follows[0].data else 1
                fit = f'textLength="{cells * WIDTH:g}" lengthAdjust="spacingAndGlyphs" '
                yield _text(run, place, char.data, fit + look)


def _shape(char: Char) -> Shape | None:
    return shape(char.data) if len(char.data) == 1 else None


def _text(run: Run, place: int, text: str, look: str) -> str:
    """Write a text; what is ASCII has each character put where its cell is."""
    count = len(text) if text.isascii() else 1
    cells = range(run.column + place, run.column + place + count)
    places = " ".join(f"{column * WIDTH:g}" for column in cells)
    down = f"{run.row * HEIGHT + _BASELINE:g}"
    return f'<text x="{places}" y="{down}" {look}>{escape(text, quote=False)}</text>'


def _look(char: Char) -> str:
    words = [f'fill="#{colours(char)[0]}"']
    if char.bold:
        words.append('font-weight="bold"')
    if char.italics:
        words.append('font-style="italic"')
    lines = {"underline": char.underscore, "line-through": char.strikethrough}
    if any(lines.values()):
        shown = " ".join(name for name, is_there in lines.items() if is_there)
        words.append(f'text-decoration="{shown}"')
    return " ".join(words)
