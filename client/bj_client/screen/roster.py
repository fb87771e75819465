"""The roster: the seats as lines, a hand a line, where there is no room for boxes."""

from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from bj_client.money import short
from bj_client.screen.canvas import Canvas, cut
from bj_client.screen.picture import COMPACT, SMALL, CardArtist
from bj_client.screen.scene import Scene
from bj_client.screen.verdict import verdict
from bj_client.seat import Hand, Seat
from bj_client.text import printable
from bj_protocol.views import Presence

__all__ = ["Roster"]

_WIDE = 64


@dataclass(frozen=True, slots=True)
class _Line:
    seat: Seat
    number: int
    """The hand; -1 for a line of the seat alone."""
    hand: Hand | None
    is_first: bool


@dataclass(frozen=True, slots=True)
class Roster:
    """The seats as lines in some columns and rows."""

    scene: Scene
    width: int
    is_tight: bool = False
    """Whether a narrow roster has no lines for the seats' names and banks alone."""

    @property
    def height(self) -> int:
        """The rows that are wanted."""
        return len(self._lines())

    def draw(self, canvas: Canvas, x: int, y: int, rows: int) -> int:
        """Draw as many lines as fit, the one in turn among them; return the rows used.

        The hand in turn has its cards as pictures if two more rows are left.
        """
        lines = self._lines()
        turn = next((n for n, line in enumerate(lines) if self._is_turn(line)), 0)
        has_picture = not self._is_narrow and self._pictured(lines, turn, rows)
        top = (
            0 if len(lines) <= rows else max(0, min(turn - rows + 2, len(lines) - rows))
        )
        used = 0
        for number, line in enumerate(lines[top : top + rows], top):
            if has_picture and number == turn:
                self._line(canvas, x, y + used + 1, line, is_big=True)
                used += 3
            else:
                self._line(canvas, x, y + used, line, is_big=False)
                used += 1
        return used

    def _pictured(self, lines: list[_Line], turn: int, rows: int) -> bool:
        hand = lines[turn].hand if lines else None
        if hand is None or not hand.cards or len(lines) + 2 > rows:
            return False
        return self._is_turn(lines[turn])

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
        return self.width < _WIDE

    @property
    def _is_headed(self) -> bool:
        """Whether each seat has a line of its own above its hands."""
        return self._is_narrow and not self.is_tight

    def _is_turn(self, line: _Line) -> bool:
        turns = self.scene.in_turn
        if line.hand is None and not self.scene.hands(line.seat):
            return any(seat == line.seat.number for seat, _ in turns)
        return (line.seat.number, line.number) in turns

    def _line(
        self, canvas: Canvas, x: int, y: int, line: _Line, *, is_big: bool
    ) -> None:
        is_turn = self._is_turn(line)
        glyphs = self.scene.glyphs
        if is_turn:
            canvas.put(x, y, glyphs.arrow, "class:name.turn")
        start = x + 2
        is_short = self._is_narrow and line.hand is not None
        name_width = 7 if is_short else self.width - 16 if self._is_narrow else 12
        if line.is_first:
            self._name(canvas, start, y, name_width, line, is_turn=is_turn)
        if not self._is_narrow:
            start += name_width + 13
        elif self.is_tight:
            start += 8
        if line.hand is not None:
            self._hand(canvas, start, y, x + self.width - start, line, is_big=is_big)
        elif not self._is_narrow:
            self._bet(canvas, start, y, line.seat)

    def _name(
        self, canvas: Canvas, x: int, y: int, room: int, line: _Line, *, is_turn: bool
    ) -> None:
        seat = line.seat
        away = "" if seat.presence is Presence.HERE else f" ({seat.presence.value})"
        you = seat.number in self.scene.table.ours
        style = "class:name.turn" if is_turn else "class:name" if you else "class:ink"
        name = cut(printable(seat.handle), room - len(away), self.scene.glyphs.more)
        canvas.put(x, y, name, style)
        canvas.put(x + get_cwidth(name), y, away, "class:dim")
        if self._is_narrow and line.hand is not None:
            return
        bank = short(seat.balance)
        canvas.put(x + room + max(0, 11 - len(bank)), y, bank, "class:money")

    def _bet(self, canvas: Canvas, x: int, y: int, seat: Seat) -> None:
        text = f"bet {short(seat.bet)}" if seat.bet else "no bet"
        canvas.put(x, y, text, "class:money" if seat.bet else "class:dim")

    def _hand(
        self, canvas: Canvas, x: int, y: int, room: int, line: _Line, *, is_big: bool
    ) -> None:
        hand, scene = line.hand, self.scene
        assert hand is not None
        artist = CardArtist(scene.faces, scene.glyphs)
        words, style = verdict(scene, line.seat.number, line.number, hand)
        insured = f" ins {short(hand.insurance)}" if hand.insurance else ""
        stake = f"{short(hand.stake)}{insured}"
        if self._is_narrow:
            self._brief(canvas, x, y, room, line, words=words, style=style)
            return
        cards_room = max(8, room - 9 - max(8, len(stake)) - max(10, len(words)) - 1)
        if is_big:
            artist.draw(canvas, x, y - 1, hand.cards, SMALL, cards_room)
        else:
            artist.draw(canvas, x, y, hand.cards, COMPACT, cards_room)
        taken = artist.width(hand.cards, COMPACT)
        if is_big:
            taken = min(artist.width(hand.cards, SMALL), cards_room)
        column = x + max(min(cards_room, 18), taken) + 1
        column = canvas.put(
            column, y, f"{hand.value if hand.total else '':>7}", "class:total"
        )
        column = canvas.put(column + 1, y, stake, "class:money")
        left = x + room - column - 1
        canvas.put(
            max(column + 1, column + 1), y, cut(words, left, scene.glyphs.more), style
        )

    def _brief(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        room: int,
        line: _Line,
        *,
        words: str,
        style: str,
    ) -> None:
        """Draw a hand in few columns: what has the least to say is cut."""
        hand = line.hand
        assert hand is not None
        artist = CardArtist(self.scene.faces, self.scene.glyphs)
        artist.draw(canvas, x, y, hand.cards, COMPACT, room)
        column = x + max(9, artist.width(hand.cards, COMPACT)) + 1
        soft = "s" if hand.soft else ""
        total = f"{soft}{hand.total}" if hand.total else ""
        column = canvas.put(column, y, f"{total:>3}", "class:total") + 1
        column = canvas.put(column, y, short(hand.stake), "class:money") + 1
        left = x + room - column
        canvas.put(column, y, cut(words, left, self.scene.glyphs.more), style)
