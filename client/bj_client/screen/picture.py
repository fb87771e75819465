"""Pictures of cards, in three sizes; the dealer's hole card shows its back.

The rank and suit stand in the top left corner, so that cards which lie over each other
can still be read.
"""

from dataclasses import dataclass

from bj_client.model.seat import Faces
from bj_client.screen.canvas import Canvas, Glyphs
from bj_protocol.model import HIDDEN


@dataclass(frozen=True, slots=True)
class Size:
    """The cells of one card; a height of 1 is a card without a frame."""

    width: int
    height: int


BIG = Size(7, 5)
SMALL = Size(5, 3)
COMPACT = Size(3, 1)
_OVERLAP = 4
"""Columns that show of a card under another: an edge, and at most ``10♥``."""


@dataclass(frozen=True, slots=True)
class CardArtist:
    """Draws cards on canvases, in one alphabet."""

    faces: Faces
    glyphs: Glyphs

    def width(self, cards: list[str], size: Size) -> int:
        """Return the columns that cards side by side take."""
        if size.height == 1:
            return len(self.faces.cards(cards))
        return len(cards) * (size.width + 1) - 1 if cards else 0

    def least(self, cards: list[str], size: Size) -> int:
        """Return the columns that the cards take when they lie over each other."""
        if size.height == 1:
            return self.width(cards, size)
        return (len(cards) - 1) * _OVERLAP + size.width if cards else 0

    def draw(
        self, canvas: Canvas, x: int, y: int, cards: list[str], size: Size, room: int
    ) -> None:
        """Draw cards in ``room`` columns, over each other if they must."""
        if size.height == 1:
            self._line(canvas, x, y, cards, room)
            return
        step = size.width + 1
        if len(cards) > 1 and self.width(cards, size) > room:
            step = (room - size.width) // (len(cards) - 1)
            step = max(_OVERLAP, min(size.width, step))
        for number, card in enumerate(cards, 1):
            is_covered = number < len(cards) and step < size.width
            left = x + (number - 1) * step
            self._card(canvas, left, y, card, size, is_covered=is_covered)

    def _line(
        self, canvas: Canvas, x: int, y: int, cards: list[str], room: int
    ) -> None:
        """Draw cards without a frame; of too many the last ones."""
        shown = cards
        while len(shown) > 1 and self.width(shown, COMPACT) > room:
            room -= 2 if shown is cards else 0
            shown = shown[1:]
        if shown is not cards:
            x = canvas.put(x, y, self.glyphs.more, "class:dim") + 1
        for card in shown:
            style = "class:ink.red" if _is_red(card) else "class:ink"
            x = canvas.put(x, y, self.faces.card(card), style) + 1

    def _card(
        self, canvas: Canvas, x: int, y: int, card: str, size: Size, *, is_covered: bool
    ) -> None:
        edge = "class:back.edge" if card == HIDDEN else "class:card.edge"
        canvas.frame(x, y, size.width, size.height, self.glyphs.frame, edge)
        ink = "class:card.red" if _is_red(card) else "class:card"
        style = "class:back" if card == HIDDEN else ink
        rows = self._rows(card, size)
        if is_covered and card != HIDDEN:  # of a second name a corner would show
            rows[1:] = [" " * len(row) for row in rows[1:]]
        for row, text in enumerate(rows, 1):
            canvas.put(x + 1, y + row, text, style)

    def _rows(self, card: str, size: Size) -> list[str]:
        inside = size.width - 2
        if card == HIDDEN:
            return [self.glyphs.back * inside] * (size.height - 2)
        name = self.faces.card(card)
        if size.height == SMALL.height:
            return [name.ljust(inside)]
        return [name.ljust(inside), name[-1].center(inside), name.rjust(inside)]


def _is_red(card: str) -> bool:
    return card[1:] in {"h", "d"}
