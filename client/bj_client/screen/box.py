"""Boxes: seats with their cards as pictures, side by side on the felt."""

from collections.abc import Callable
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import Seat
from bj_client.screen.canvas import Canvas, cut
from bj_client.screen.picture import Size
from bj_client.screen.roster import OWN, addition, verdict, wagers
from bj_client.screen.scene import Scene
from bj_client.words.money import rough, short
from bj_client.words.text import printable

_LEAST = 20
_USUAL = 28
"""The width of a box that has nothing unusual in it, so that few change theirs."""
_MOST = 44
"""The width that a long handle alone can ask for."""
_EDGES = 4
"""The columns of a box beside its hands: borders and a blank at each side."""
_HEAD = 16
"""The columns of the upper border beside handle and bank: an arrow, and ``(you)``."""
_NAME = 8
"""The columns of a handle that are always on view."""

Plan = tuple[int, int, int]
"""The boxes beside each other, the width of each, and the rows of all."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """The seats in boxes, with cards of one size."""

    scene: Scene
    size: Size

    @property
    def box_height(self) -> int:
        """The rows of a box: borders, cards, a total and a result."""
        return self.size.height + 4

    def plan(self, width: int) -> Plan | None:
        """Return the plan for so many columns; None if they are too few."""
        seats = list(self.scene.table.seats.values())
        least = max([_LEAST, *(self._least(seat) for seat in seats)])
        if not seats or least > width:
            return None
        most = min(len(seats), width // least)
        rows = -(-len(seats) // most)
        columns = -(-len(seats) // rows)
        wish = max([least, _USUAL, *(self._wish(seat) for seat in seats)])
        box = min(width // columns, wish)
        return columns, box, rows * self.box_height

    def draw(self, canvas: Canvas, x: int, y: int, width: int, plan: Plan) -> None:
        """Draw all the seats, in the middle of ``width`` columns."""
        columns, box, _ = plan
        seats = list(self.scene.table.seats.values())
        for start in range(0, len(seats), columns):
            row = seats[start : start + columns]
            left = x + (width - len(row) * box) // 2
            top = y + start // columns * self.box_height
            for number, seat in enumerate(row):
                self._box(canvas, left + number * box, top, box, seat)

    def _least(self, seat: Seat) -> int:
        name = min(_NAME, get_cwidth(seat.handle))
        head = name + len(short(seat.balance)) + _HEAD - len(OWN)
        return max(head, self._hands(seat, self.scene.artist.least))

    def _wish(self, seat: Seat) -> int:
        head = get_cwidth(seat.handle) + len(short(seat.balance)) + _HEAD
        return max(min(head, _MOST), self._hands(seat, self.scene.artist.width))

    def _hands(self, seat: Seat, columns: Callable[[list[str], Size], int]) -> int:
        """Return the columns of a box whose cards take so many."""
        hands = self.scene.hands(seat)
        widths = [max(11, columns(hand.cards, self.size)) for hand in hands]
        return sum(widths) + 2 * max(0, len(widths) - 1) + _EDGES

    def _box(self, canvas: Canvas, x: int, y: int, width: int, seat: Seat) -> None:
        scene, glyphs = self.scene, self.scene.glyphs
        is_turn = any(number == seat.number for number, _ in scene.in_turn)
        is_mine = seat.number in scene.table.ours
        style = "class:rim.mine" if is_mine else "class:rim"
        style = "class:rim.turn" if is_turn else style
        marks = glyphs.heavy_frame if is_turn else glyphs.frame
        canvas.frame(x, y, width, self.box_height, marks, style)
        self._head(canvas, x, y, width, seat, is_turn=is_turn)
        hands = scene.hands(seat)
        if not hands:
            self._idle(canvas, x, y, width, seat)
            return
        room = width - _EDGES - 2 * (len(hands) - 1)
        least = [max(11, scene.artist.least(h.cards, self.size)) for h in hands]
        spare = max(0, room - sum(least)) // len(least)
        left = x + 2
        for number, columns in enumerate(least):
            self._hand(canvas, left, y + 1, columns + spare, seat, number)
            left += columns + spare + 2

    def _head(
        self, canvas: Canvas, x: int, y: int, width: int, seat: Seat, *, is_turn: bool
    ) -> None:
        """Write handle and bank into the upper border."""
        scene = self.scene
        bank = f" {short(seat.balance)} "
        mark = f"{scene.glyphs.arrow} " if is_turn else ""
        you = addition(scene, seat)
        room = width - len(bank) - 5 - len(mark)
        name = printable(seat.handle)
        if you == OWN and get_cwidth(name) + len(you) > room:
            you, name = "", f"{scene.glyphs.mine} {name}"
        name = cut(name, room - len(you), scene.glyphs.more) + you
        style = "class:name.turn" if is_turn else "class:name"
        canvas.put(x + 2, y, f" {mark}{name} ", style)
        canvas.put(x + width - len(bank) - 1, y, bank, "class:money")

    def _idle(self, canvas: Canvas, x: int, y: int, width: int, seat: Seat) -> None:
        middle = y + self.box_height // 2
        spots = f" on each of {seat.spots}" if seat.spots > 1 else ""
        text = f"bet {short(seat.bet)}{spots}" if seat.bet else "no bet"
        style = "class:money" if seat.bet else "class:dim"
        canvas.put(x + max(2, (width - len(text)) // 2), middle, text, style)

    def _hand(
        self, canvas: Canvas, x: int, y: int, room: int, seat: Seat, number: int
    ) -> None:
        scene = self.scene
        hand = scene.hands(seat)[number]
        scene.artist.draw(canvas, x, y, hand.cards, self.size, room)
        below = y + self.size.height
        is_turn = (seat.number, number) in scene.in_turn
        several = len(scene.hands(seat)) > 1
        mark = f"{scene.glyphs.arrow} " if is_turn and several else ""
        total = f"{mark}{hand.value if hand.total else ''}"
        style = "class:name.turn" if is_turn else "class:total"
        end = canvas.put(x, below, total, style)
        stake = wagers(hand, room - (end - x) - 1)
        canvas.put(end + 1, below, stake, "class:money")
        words, style = verdict(scene, seat.number, number, hand, room)
        canvas.put(x, below + 1, cut(words, room, scene.glyphs.more), style)
        if seat.bet and number == 0 and not words:
            bet = f"bet {rough(seat.bet, room - 4)}"
            canvas.put(x, below + 1, bet, "class:money")
