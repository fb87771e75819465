"""The roster: the seats as lines, a hand a line, where there is no room for boxes.

All lines share their columns, so that totals and stakes stand below each other. If
there is too little room, the handles give way first, then the verdicts, then amounts
are rough, and then the first cards of a long hand go. The words beside a hand stand
here, too: boxes and lines show the same ones.
"""

from dataclasses import dataclass
from functools import cached_property

from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import Hand, Seat
from bj_client.screen.canvas import Canvas, cut, fitting
from bj_client.screen.picture import COMPACT, SMALL
from bj_client.screen.scene import Scene
from bj_client.words.board import STATES
from bj_client.words.money import rough, short
from bj_client.words.text import printable
from bj_protocol.views import HandState, Outcome, Presence

_STATES = STATES | {
    HandState.TWENTY_ONE: "21",
    HandState.BUSTED: "bust",
    HandState.CHARLIE: "charlie",
}
"""In fewer words than on a board of lines."""
_BLACKJACK = "blackjack"
_OUTCOMES = {
    Outcome.WIN: ("won", "class:win"),
    Outcome.LOSE: ("lost", "class:lose"),
    Outcome.PUSH: ("push", "class:push"),
}


def verdict(
    scene: Scene, seat: int, number: int, hand: Hand, room: int = 0
) -> tuple[str, str]:
    """Return the words, which may be none, and their style.

    A blackjack that has won is called one where that is not longer than ``room``.
    """
    if hand.outcome is None:
        words = _BLACKJACK if hand.natural else _STATES[hand.state]
        is_bust = hand.state is HandState.BUSTED
        return words, "class:lose" if is_bust else "class:dim"
    word, style = _OUTCOMES[hand.outcome]
    result = scene.last.results.get((seat, number))
    net = 0 if result is None else result.payout - result.stake
    gain = f" {'+' if net > 0 else ''}{short(net)}" if net else ""
    is_named = hand.natural and hand.outcome is Outcome.WIN
    if is_named and len(_BLACKJACK + gain) <= room:
        word = _BLACKJACK
    return f"{word}{gain}", style


OWN = " (you)"

_WIDE = 64
"""The columns from which on a seat's name and bank stand before its hands."""
_TIGHT_NAME = 7
_MARK = 2
_LEAST_MONEY = 5
_NAMES = (8, 24)
"""The columns of a handle, at least and at most."""
_VERDICT = 12


def wagers(hand: Hand, room: int) -> str:
    """Return the stake and the insurance of a hand, rough where there is no room."""
    if not hand.insurance:
        return rough(hand.stake, room)
    half = max(_LEAST_MONEY, (room - 2) // 2)
    forms = (
        f"{short(hand.stake)} ins {short(hand.insurance)}",
        f"{short(hand.stake)}+{short(hand.insurance)}i",
        f"{rough(hand.stake, half)}+{rough(hand.insurance, half)}i",
        rough(hand.stake, room),
    )
    return fitting(forms, room)


def addition(scene: Scene, seat: Seat) -> str:
    """Return the words behind a handle: its player is away, or is you."""
    if seat.presence is not Presence.HERE:
        return f" ({seat.presence.value})"
    return OWN if seat.number in scene.table.ours else ""


@dataclass(frozen=True, slots=True)
class _Columns:
    """The width of each; a blank is between them."""

    name: int
    bank: int
    start: int
    cards: int
    total: int
    stake: int
    verdict: int


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
    def _columns(self) -> _Columns:
        """The columns, shared out."""
        scene, seats = self.scene, self.scene.table.seats.values()
        cards, stake, said = self._needs()
        bank = max([_LEAST_MONEY, *(len(short(seat.balance)) for seat in seats)])
        called = (get_cwidth(s.handle) + len(addition(scene, s)) for s in seats)
        wish = max([_NAMES[0], *called])
        if self._is_narrow:
            usual, total = 11, 3
            name = min(wish, self.width - _MARK - bank - 13)
            start = _MARK if self._is_headed else _MARK + _TIGHT_NAME + 1
        else:
            usual, total = 17, 7
            taken = _MARK + bank + cards + total + stake + _VERDICT + 6
            name = max(_NAMES[0], min(_NAMES[1], wish, self.width - taken))
            start = _MARK + name + bank + 3
        room = self.width - start - total - 3
        stake = min(stake, max(_LEAST_MONEY, room - cards - said))
        cards = min(cards, room + 1 - stake)
        cards += max(0, min(room - cards - stake - said, usual - cards))
        rest = max(0, room - cards - stake)
        return _Columns(name, bank, start, cards, total, stake, rest)

    def _needs(self) -> tuple[int, int, int]:
        """Return the columns that cards, stakes and verdicts ask for."""
        scene, in_turn = self.scene, self.scene.in_turn
        cards, stake, said = 8, 4, 0
        for seat in scene.table.seats.values():
            for number, hand in enumerate(scene.hands(seat)):
                cards = max(cards, scene.artist.width(hand.cards, COMPACT))
                if (seat.number, number) in in_turn:
                    cards = max(cards, scene.artist.least(hand.cards, SMALL))
                stake = max(stake, len(wagers(hand, 40)))
                said = max(said, len(verdict(scene, seat.number, number, hand)[0]))
        return cards, stake, min(said, _VERDICT)

    @property
    def height(self) -> int:
        """The rows that are wanted."""
        return len(self._lines())

    @property
    def wish(self) -> int:
        """The rows with which the hand in turn has pictures."""
        return self.height + (0 if self._is_narrow else 2)

    def draw(self, canvas: Canvas, x: int, y: int, rows: int) -> None:
        """Draw as many lines as fit, around the one in turn, or else around our own.

        The hand in turn has its cards as pictures if two more rows are left.
        """
        lines, ours = self._lines(), self.scene.table.ours
        ranks = [(not self._is_turn(x), x.seat.number not in ours) for x in lines]
        turn = ranks.index(min(ranks)) if ranks else 0
        has_picture = not self._is_narrow and self._has_picture(lines, turn, rows)
        spare = len(lines) - rows
        top = max(0, min(turn - rows // 2, spare))
        if top > 0:
            canvas.put(x, y, self.scene.glyphs.above, "class:dim")
        if top < spare:
            canvas.put(x, y + rows - 1, self.scene.glyphs.below, "class:dim")
        for number, line in enumerate(lines[top : top + rows], top):
            is_big = has_picture and number == turn
            is_named = line.is_first or number == top
            self._line(canvas, x, y + is_big, line, is_big, is_named)
            y += 3 if is_big else 1

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
        return self.width < _WIDE

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
        room = _TIGHT_NAME if is_short else columns.name
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
