"""The roster: the seats as lines, a hand a line, where there is no room for boxes."""

from dataclasses import dataclass
from functools import cached_property

from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import Hand, Seat
from bj_client.screen.canvas import Canvas, cut
from bj_client.screen.columns import (
    OWN,
    TIGHT_NAME,
    WIDE,
    Columns,
    addition,
    verdict,
    wagers,
)
from bj_client.screen.picture import COMPACT, SMALL
from bj_client.screen.scene import Scene
from bj_client.words.money import rough
from bj_client.words.text import printable
from bj_protocol.views import Presence


@dataclass(frozen=True, slots=True)
class _Line:
    seat: Seat
    number: int
    """The hand; -1 for a line of the seat alone."""
    hand: Hand | None
    is_first: bool
    """Whether it is named."""


@dataclass(frozen=True)
class Roster:
    """The seats as lines in some columns and rows."""

    scene: Scene
    width: int
    is_tight: bool = False
    """Whether a narrow roster has no lines for the seats' names and banks alone."""

    @cached_property
    def _columns(self) -> Columns:
        return Columns.plan(self.scene, self.width, is_headed=self._is_headed)

    @property
    def height(self) -> int:
        """The rows that are wanted."""
        return len(self._lines())

    @property
    def wish(self) -> int:
        """The rows with which the hand in turn has pictures."""
        return self.height + (0 if self._is_narrow else 2)

    def draw(self, canvas: Canvas, x: int, y: int, rows: int) -> int:
        """Draw as many lines as fit, the one in turn among them; return the rows used.

        The hand in turn has its cards as pictures if two more rows are left.
        """
        lines = self._lines()
        turn = next((n for n, line in enumerate(lines) if self._is_turn(line)), 0)
        has_picture = not self._is_narrow and self._has_picture(lines, turn, rows)
        spare = len(lines) - rows
        top = max(0, min(turn - rows + 2, spare))
        if top > 0:
            canvas.put(x, y, self.scene.glyphs.above, "class:dim")
        if top < spare:
            canvas.put(x, y + rows - 1, self.scene.glyphs.below, "class:dim")
        used = 0
        for number, line in enumerate(lines[top : top + rows], top):
            is_big = has_picture and number == turn
            row, is_named = y + used + is_big, line.is_first or number == top
            self._line(canvas, x, row, line, is_big, is_named)
            used += 3 if is_big else 1
        return used

    def _has_picture(self, lines: list[_Line], turn: int, rows: int) -> bool:
        if not lines or len(lines) + 2 > rows:
            return False
        line = lines[turn]
        is_turn = (line.seat.number, line.number) in self.scene.in_turn
        return is_turn and line.hand is not None and bool(line.hand.cards)

    def _lines(self) -> list[_Line]:
        lines = []
        for seat in self.scene.table.seats.values():
            hands = self.scene.hands(seat)
            if not hands or self._is_headed:
                lines.append(_Line(seat, -1, None, is_first=True))
            for number, hand in enumerate(hands):
                first = number == 0 and not self._is_headed
                lines.append(_Line(seat, number, hand, is_first=first))
        return lines

    @property
    def _is_narrow(self) -> bool:
        return self.width < WIDE

    @property
    def _is_headed(self) -> bool:
        """Whether each seat has a line of its own above its hands."""
        return self._is_narrow and not self.is_tight

    def _is_turn(self, line: _Line) -> bool:
        turns, seat = self.scene.in_turn, line.seat.number
        if line.is_first and (seat, -1) in turns:
            return True
        if line.hand is None and not self.scene.hands(line.seat):
            return any(number == seat for number, _ in turns)
        return line.number >= 0 and (seat, line.number) in turns

    def _line(
        self, canvas: Canvas, x: int, y: int, line: _Line, is_big: bool, is_named: bool
    ) -> None:
        is_turn, glyphs = self._is_turn(line), self.scene.glyphs
        if is_turn:
            canvas.put(x, y, glyphs.arrow, "class:name.turn")
        elif line.is_first and line.seat.number in self.scene.table.ours:
            canvas.put(x, y, glyphs.mine, "class:name")
        if is_named and not (self._is_headed and line.hand is not None):
            self._name(canvas, x + 2, y, line, is_turn=is_turn)
        if line.hand is not None:
            start = x + self._columns.start
            self._hand(canvas, start, y, line, line.hand, is_big=is_big)

    def _name(
        self, canvas: Canvas, x: int, y: int, line: _Line, *, is_turn: bool
    ) -> None:
        """Draw the handle; beside it the bank and the bet, if there is room."""
        seat, columns = line.seat, self._columns
        is_short = self._is_narrow and line.hand is not None
        room = TIGHT_NAME if is_short else columns.name
        more = "" if is_short else addition(self.scene, seat)
        name = printable(seat.handle)
        is_mine = seat.number in self.scene.table.ours
        if not is_turn or get_cwidth(name) + len(more) > room:
            more = more.replace(OWN, "")
        if is_mine and is_turn and more != OWN:  # the arrow has taken its place
            canvas.put(x - 1, y, self.scene.glyphs.mine, "class:name")
        style = "class:name.turn" if is_turn else "class:name" if is_mine else ""
        name = cut(name, room - len(more), self.scene.glyphs.more)
        end = canvas.put(x, y, name, style)
        canvas.put(end, y, more[: room - get_cwidth(name)], "class:dim")
        if is_short:
            return
        bank = rough(seat.balance, columns.bank)
        canvas.put(x + room + 1 + columns.bank - len(bank), y, bank, "class:money")
        if line.hand is None and not self.scene.hands(seat):
            after = x + room + columns.bank + 3 - self._is_narrow
            spots = f" x{seat.spots}" if seat.spots > 1 else ""
            text = f"bet {rough(seat.bet, 7)}{spots}" if seat.bet else "no bet"
            canvas.put(after, y, text, "class:money" if seat.bet else "class:dim")

    def _hand(
        self, canvas: Canvas, x: int, y: int, line: _Line, hand: Hand, *, is_big: bool
    ) -> None:
        scene, columns = self.scene, self._columns
        size = SMALL if is_big else COMPACT
        scene.artist.draw(canvas, x, y - is_big, hand.cards, size, columns.cards)
        x += columns.cards + 1
        value = hand.value.replace("soft ", "s") if self._is_narrow else hand.value
        total = value if hand.total else ""
        canvas.put(x, y, total.rjust(columns.total), "class:total")
        x += columns.total + 1
        canvas.put(x, y, wagers(hand, columns.stake), "class:money")
        x += columns.stake + 1
        room = columns.verdict
        words, style = verdict(scene, line.seat.number, line.number, hand, room)
        presence = line.seat.presence
        if self._is_narrow and not words and presence is not Presence.HERE:
            words = presence.value  # beside the name there is no room for it
        canvas.put(x, y, cut(words, room, scene.glyphs.more), style)
