"""Shapes: characters that are drawn instead of written, so that they always join.

Fonts differ in how wide and how high their box-drawing characters, blocks and suits
are, and some show suits in colours of their own. So these are paths. A path is for a
cell whose top left corner is 0, 0; ``Shape.path`` puts it where the cell is.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

WIDTH, HEIGHT = 9.0, 19.0
"""Of a cell, in units of the picture."""

_X, _Y = WIDTH / 2, HEIGHT / 2
_ENDS = {"UP": (_X, 0.0), "DOWN": (_X, HEIGHT), "LEFT": (0.0, _Y), "RIGHT": (WIDTH, _Y)}
_SIDES = {"HORIZONTAL": ("LEFT", "RIGHT"), "VERTICAL": ("UP", "DOWN")}
_STROKES = {"LIGHT": 1.2, "HEAVY": 2.6}
_ARC = 4.0
_LETTER = re.compile(r"([A-Za-z])|(-?[\d.]+)")

_FILLED = {
    "♠": "M4.5 5.2C6 7.2 8.5 8.8 8.5 11C8.5 13 6 13.4 5 12C5 13.2 5.4 13.9 6.2 14.4"
    "L2.8 14.4C3.6 13.9 4 13.2 4 12C3 13.4 .5 13 .5 11C.5 8.8 3 7.2 4.5 5.2Z",
    "♥": "M4.5 14.2C3 12.2 .5 10.6 .5 8.3C.5 5.9 3.6 5.3 4.5 7.7C5.4 5.3 8.5 5.9"
    " 8.5 8.3C8.5 10.6 6 12.2 4.5 14.2Z",
    "♦": "M4.5 5L8.3 9.7L4.5 14.4L.7 9.7Z",
    "♣": "M4.5 5.2C6.9 5.2 7.1 7.6 6 8.7C7.6 8.2 8.7 9.4 8.6 10.9C8.4 13 5.8 13.4 5 "
    "11.7C5 13 5.4 13.9 6.2 14.4L2.8 14.4C3.6 13.9 4 13 4 11.7C3.2 13.4 .6 13 .4 10.9"
    "C.3 9.4 1.4 8.2 3 8.7C1.9 7.6 2.1 5.2 4.5 5.2Z",
    "▶": "M1 5L8.5 9.5L1 14Z",
    "◀": "M8 5L.5 9.5L8 14Z",
    "●": "M4.5 6C9 6 9 13 4.5 13C0 13 0 6 4.5 6Z",
}
_OUTLINED = {"▷": "M1.5 5.5L8 9.5L1.5 13.5Z", "◁": "M7.5 5.5L1 9.5L7.5 13.5Z"}
_SHADES = {"░": 0.25, "▒": 0.4, "▓": 0.75}


@dataclass(frozen=True, slots=True)
class Shape:
    """A path in a cell: filled where ``stroke`` is 0, else a line of that breadth."""

    outline: str
    stroke: float = 0.0
    opacity: float = 1.0

    def path(self, x: float, y: float) -> str:
        """Return the path's data for a cell whose top left corner is there."""
        place, words = (x, y), []
        count = 0
        for letter, number in _LETTER.findall(self.outline):
            if letter:
                words.append(letter)
                continue
            words.append(f"{float(number) + place[count % 2]:g} ")
            count += 1
        return "".join(words).replace(" Z", "Z").rstrip()


@cache
def shape(char: str) -> Shape | None:
    """Return how a character is drawn; None if it is written."""
    if char in _FILLED:
        return Shape(_FILLED[char])
    if char in _OUTLINED:
        return Shape(_OUTLINED[char], stroke=1.0)
    if char in _SHADES:
        return Shape(_rectangle(0, 0, WIDTH, HEIGHT), opacity=_SHADES[char])
    if "\u2580" <= char <= "\u2590":
        return _block(ord(char) - 0x2580)
    name = unicodedata.name(char, "")
    if name.startswith("BOX DRAWINGS "):
        return _box(name.split()[2:])
    return None


def _block(number: int) -> Shape:
    """Draw one of the seventeen blocks: halves, and eighths from below or the left."""
    if number == 0:
        return Shape(_rectangle(0, 0, WIDTH, _Y))
    if number == 16:
        return Shape(_rectangle(_X, 0, WIDTH, HEIGHT))
    if number <= 8:
        return Shape(_rectangle(0, HEIGHT * (1 - number / 8), WIDTH, HEIGHT))
    return Shape(_rectangle(0, 0, WIDTH * (16 - number) / 8, HEIGHT))


def _rectangle(left: float, top: float, right: float, bottom: float) -> str:
    return f"M{left} {top}L{right} {top}L{right} {bottom}L{left} {bottom}Z"


def _box(words: list[str]) -> Shape | None:
    """Draw what the words say, as in HEAVY DOWN AND RIGHT, if all of it is of one kind.

    A line that is light in one part and heavy in another is written as text.
    """
    kinds = [word for word in words if word in _STROKES]
    rest = [word for word in words if word not in (*_STROKES, "ARC", "AND")]
    sides = [side for word in rest for side in _SIDES.get(word, (word,))]
    if len(kinds) != 1 or not set(sides) <= set(_ENDS):
        return None
    stroke = _STROKES[kinds[0]]
    if "ARC" in words:
        return Shape(_arc(*sides), stroke)
    return Shape("".join(_arm(side, stroke) for side in sides), stroke)


def _arm(side: str, stroke: float) -> str:
    """Return a line from the side past the middle, so that a corner is filled."""
    x, y = _ENDS[side]
    past_x = _X + (x < _X) * stroke / 2 - (x > _X) * stroke / 2
    past_y = _Y + (y < _Y) * stroke / 2 - (y > _Y) * stroke / 2
    return f"M{x} {y}L{past_x} {past_y}"


def _arc(upright: str, across: str) -> str:
    """Return a round corner, as in DOWN AND RIGHT."""
    (x, y), (far, middle) = _ENDS[upright], _ENDS[across]
    turn = _Y + (_ARC if y > _Y else -_ARC)
    end = _X + (_ARC if far > _X else -_ARC)
    return f"M{x} {y}L{x} {turn}C{x} {_Y} {x} {_Y} {end} {middle}L{far} {middle}"
