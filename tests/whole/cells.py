"""The cells of a terminal's screen: where something stands, and in which colours."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from support.nursery import PATIENCE
from support.terminal import Terminal

BUTTON, DIM, RED, CLOCK = "f2cf73", "0a3d29", "c01525", "06301f"
"""A working button's ground, a dim one's, a red suit, and the ground of the clock."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it is drawn, in a box of so many cells."""

    name: str
    """Rank and suit in the upper left corner, or ``▒`` for a back."""
    is_red: bool
    is_whole: bool
    """Whether all four corners of the box stand where they belong."""


def find(terminal: Terminal, words: str) -> tuple[int, int]:
    """Return the column and row at which ``words`` begin, the last place of several.

    They are waited for, since what is drawn may come in several pieces.
    """
    watch(terminal, lambda: _place(terminal, words) is not None)
    place = _place(terminal, words)
    assert place is not None
    return place


def _place(terminal: Terminal, words: str) -> tuple[int, int] | None:
    for y in reversed(range(terminal.screen.lines)):
        row = [terminal.screen.buffer[y][x] for x in range(terminal.screen.columns)]
        starts = [x for x in range(len(row)) if _reads(row, x, words)]
        if starts:
            return starts[-1], y
    return None


def _reads(row: Sequence[object], x: int, words: str) -> bool:
    text = "".join(getattr(cell, "data", "") for cell in row[x : x + 2 * len(words)])
    return text.startswith(words)


def colours(terminal: Terminal, x: int, y: int) -> tuple[str, str]:
    """Return the ink and the ground of a cell, as hexadecimal digits."""
    cell = terminal.screen.buffer[y][x]
    return cell.fg, cell.bg


def card_at(terminal: Terminal, x: int, y: int, width: int, height: int) -> Card:
    """Return the card whose upper left corner is a cell."""
    cells = terminal.screen.buffer
    right, low = x + width - 1, y + height - 1
    corners = [
        cells[a][b].data for a, b in ((y, x), (y, right), (low, x), (low, right))
    ]
    name = "".join(cells[y + 1][x + n].data for n in range(1, 4)).strip()
    sides = {cells[row][side].data for row in range(y + 1, low) for side in (x, right)}
    is_whole = corners == list("╭╮╰╯") and sides == {"│"}
    return Card(name, colours(terminal, x + 1, y + 1)[0] == RED, is_whole)


def press_at(terminal: Terminal, words: str) -> None:
    """Click on ``words``, and read nothing."""
    x, y = find(terminal, words)
    terminal.child.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")


def watch(
    terminal: Terminal, is_so: Callable[[], bool], seconds: float = PATIENCE
) -> None:
    """Read until something is so; what is drawn may come in several pieces."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"that never came about:\n{terminal.text}"
        assert terminal._read(), f"ended before that:\n{terminal.text}"
