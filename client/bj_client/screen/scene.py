"""The scene: all that the screen shows, without a terminal.

The told story and keys change it; the screen draws from it.
"""

from collections import deque
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import ceil

from prompt_toolkit.utils import get_cwidth

from bj_client.keymap import Keymap
from bj_client.model.seat import Faces, Hand, Seat
from bj_client.model.table import Table
from bj_client.net.follow import Deadline
from bj_client.play.output import Tone
from bj_client.question.question import Kind, Question
from bj_client.screen.canvas import Glyphs, glyphs_for, wrap
from bj_client.screen.picture import CardArtist
from bj_client.words.money import ANY_WAGER
from bj_client.words.text import printable
from bj_protocol.action import Action
from bj_protocol.events import (
    BettingOpened,
    Event,
    HandSettled,
    RoundBegan,
    RoundVoided,
)
from bj_protocol.views import Ask, HandState, Phase, WagerRange


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The time on a running clock, in seconds."""

    seconds: float
    whole: float
    """The time that there was when the clock was started."""

    @property
    def label(self) -> str:
        """The seconds in words, the one that runs out included."""
        return f"{ceil(self.seconds)} s"


class Showing(Enum):
    """The state of a replay."""

    RUNS = auto()
    PAUSED = auto()
    OVER = auto()
    """All was shown, and stays on view."""


_KEPT = 500


@dataclass(slots=True)
class Log:
    """The last lines that were told, each with its tone."""

    lines: deque[tuple[str, Tone]] = field(default_factory=lambda: deque(maxlen=_KEPT))
    back: int = 0
    """Rows that the pane is scrolled back; 0 shows the newest."""
    has_warned: bool = False
    """Whether a warning is among all that was told, or has gone by."""

    def add(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Add a line below all others."""
        self.lines.append((printable(text), tone))
        self.has_warned |= tone is Tone.WARNING

    def scroll(self, rows: int) -> None:
        """Look further back, or with fewer than 0 rows forward."""
        self.back = max(0, min(self.back + rows, len(self.lines)))

    def rows(self, width: int, height: int) -> list[tuple[str, Tone]]:
        """Return the rows of a pane, the newest last."""
        wanted = height + self.back
        rows: list[tuple[str, Tone]] = []
        for text, tone in reversed(self.lines):
            wrapped = [(row, tone) for row in wrap(text, width)]
            rows = wrapped + rows
            if len(rows) >= wanted:
                break
        end = len(rows) - min(self.back, max(0, len(rows) - height))
        return rows[max(0, end - height) : end]


_CELL = 16
"""The columns of a short text, unless one is longer."""
_GAP = 2
_ABREAST = 4
"""The most short texts beside each other."""


@dataclass(slots=True)
class Page:
    """A title and its lines."""

    title: str
    lines: tuple[str, ...]
    cells: tuple[str, ...] = ()
    """Short texts above the lines, as many beside each other as there is room for."""
    lead: str = ""
    """The line above all else."""
    key: str = ""
    """The key that opens the page, and closes it again."""
    top: int = 0
    """The first row on view."""

    def rows(self, width: int) -> list[str]:
        """Return all of the page, in rows of ``width`` cells at most."""
        rows = [*wrap(printable(self.lead), width), ""] if self.lead else []
        wrapped = [row for line in self.lines for row in wrap(printable(line), width)]
        if not self.cells:
            return [*rows, *wrapped]
        cell = max(_CELL, *(get_cwidth(text) + _GAP for text in self.cells))
        abreast = max(1, min(_ABREAST, (width + _GAP) // cell))
        padded = [text + " " * (cell - get_cwidth(text)) for text in self.cells]
        starts = range(0, len(padded), abreast)
        grid = ["".join(padded[start : start + abreast]).rstrip() for start in starts]
        return [*rows, *grid, "", *wrapped]

    def scroll(self, rows: int) -> None:
        """Look further down, or with fewer than 0 rows up."""
        self.top = max(0, self.top + rows)


@dataclass(slots=True)
class LastRound:
    """The hands of the last round, which the table forgets when bets are taken."""

    dealer: Hand = field(default_factory=Hand)
    hands: dict[int, list[Hand]] = field(default_factory=dict)
    """By seat number."""
    results: dict[tuple[int, int], HandSettled] = field(default_factory=dict)
    """By seat and hand; those of the running round too."""

    def note(self, event: Event, table: Table) -> None:
        """Take in an event that is about to be folded into ``table``."""
        match event:
            case HandSettled():
                self.results[event.seat, event.hand] = event
            case BettingOpened() if table.dealer.cards:
                self.dealer = copy(table.dealer)
                self.hands = {s.number: list(s.hands) for s in table.seats.values()}
            case RoundBegan() | RoundVoided():
                self.clear()
            case _:
                pass

    def clear(self) -> None:
        """Forget it."""
        self.dealer = Hand()
        self.hands = {}
        self.results = {}


SETTLE_SECONDS = 0.15
"""How long a new question is on view before a key can answer it."""


@dataclass(slots=True, kw_only=True)
class Scene:
    """All that is on the screen besides the table itself."""

    table: Table
    faces: Faces
    now: Callable[[], float]
    deadline: Callable[[], Deadline | None] = lambda: None
    """Tells when the open asks end; None while no clock runs."""
    keymap: Keymap = field(default_factory=Keymap)
    log: Log = field(default_factory=Log)
    last: LastRound = field(default_factory=LastRound)
    is_cut_off: Callable[[], bool] = lambda: False
    question: Question | None = None
    drawn: Question | None = None
    """The question that was on view when the screen was last drawn."""
    is_small: bool = False
    """Whether the window is too small, so that no question is on view."""
    typed: str = ""
    chat: str | None = None
    page: Page | None = None
    is_leaving: bool = False
    """Whether the player is asked if they mean to leave."""
    leaves_by: str = "q"
    """The key that they are asked about: for good, or ``t`` for the lobby."""
    has_hints: bool = False
    hinted: int | None = None
    """The ask whose plays are shown with their worth."""
    has_lobby: bool = False
    preset: Action | None = None
    deals: bool = False
    """Whether Deal, Hit and Stand are all there is, as in ``specs/iipp6.txt``."""
    showing: Showing | None = None
    """How far a record is that is played back; None at a table."""
    outcome: str = ""
    """How the last round ended, where it is dealt so; empty while one is played."""
    is_telling: bool = False
    told: tuple[int, int] | None = None
    """The seat and hand of the event that was told last; seat 0 is the dealer."""
    bets: dict[int, str] = field(default_factory=dict)
    """The last bet of each seat of ours, as it was typed."""
    _kind: tuple[object, ...] = ()
    _prompt: int | None = None
    """The ask for which ``typed`` was typed."""
    _opened: float = 0.0
    _is_unseen: bool = False
    """Whether the open question is of another kind than the last, and not drawn yet."""

    @property
    def glyphs(self) -> Glyphs:
        """The marks that go with the cards."""
        return glyphs_for(self.faces)

    @property
    def artist(self) -> CardArtist:
        """What draws the cards."""
        return CardArtist(self.faces, self.glyphs)

    def pose(self, question: Question | None) -> None:
        """Open a question, or close the open one with None."""
        if question is not None and question is not self.question:
            ask = question.ask
            kind = (question.kind, *(() if ask is None else (ask.seat, ask.hand)))
            if kind != self._kind:
                self._kind, self._is_unseen = kind, True
                self.is_leaving = False
            prompt = None if ask is None else ask.prompt
            if prompt != self._prompt:
                self._prompt, self.typed = prompt, ""
        self.question = question

    def mark_drawn(self) -> None:
        """Note that the open question is on view, if the window has room for it."""
        if self.is_small:
            return
        if self.question is not None and self._is_unseen:
            self._opened, self._is_unseen = self.now(), False
        self.drawn = self.question

    @property
    def time_left(self) -> TimeLeft | None:
        """The time for the open asks; None without a clock, or without a line."""
        deadline = None if self.is_cut_off() else self.deadline()
        if deadline is None:
            return None
        left = max(0.0, deadline.at - self.now())
        return TimeLeft(left, max(left, deadline.whole, 0.001))

    @property
    def is_settled(self) -> bool:
        """Whether the open question has been there long enough to be answered."""
        return not self._is_unseen and self.now() - self._opened >= SETTLE_SECONDS

    @property
    def is_open(self) -> bool:
        """Whether typed keys are for the open question."""
        return (
            self.question is not None
            and not self.is_cut_off()
            and not self.is_small
            and self.page is None
            and self.chat is None
        )

    @property
    def keys_count(self) -> bool:
        """Whether a key can answer the question that is on view."""
        return self.is_open and self.question is self.drawn and self.is_settled

    @property
    def kind(self) -> Kind | None:
        """The subject of the open question."""
        return None if self.question is None else self.question.kind

    @property
    def ask(self) -> Ask | None:
        """The open question, as the server has put it."""
        return None if self.question is None else self.question.ask

    @property
    def asked(self) -> frozenset[Action]:
        """The actions that the open question allows."""
        return frozenset() if self.ask is None else frozenset(self.ask.actions)

    @property
    def wager(self) -> WagerRange:
        """The wagers that the open question allows."""
        return (self.ask and self.ask.wager) or ANY_WAGER

    @property
    def spots(self) -> int:
        """The most spots that the open question lets one bet on."""
        return 1 if self.ask is None else self.ask.spots

    @property
    def seat_asked(self) -> int:
        """The seat that is asked, or the one named first."""
        own = next(iter(self.table.ours), 0)
        return own if self.ask is None else self.ask.seat

    @property
    def dealer(self) -> Hand:
        """The dealer's hand of this round, or of the last one."""
        hand = self.last.dealer if self._is_between else self.table.dealer
        if self.deals and len(hand.cards) > 1:  # there the hole card lies first
            up, hole, *drawn = hand.cards
            return replace(hand, cards=[hole, up, *drawn])
        return hand

    def hands(self, seat: Seat) -> list[Hand]:
        """Return the hands of a seat; those of the last round until it bets again."""
        if not self._is_between:
            return seat.hands
        is_past = bool(seat.bet) and self.kind is not Kind.AGAIN
        return [] if is_past else self.last.hands.get(seat.number, [])

    @property
    def _is_between(self) -> bool:
        return self.table.phase is not Phase.PLAYING and not self.table.dealer.cards

    @property
    def in_turn(self) -> set[tuple[int, int]]:
        """The hands that are in turn, as pairs of seat and hand.

        Between rounds, when the hands on view are those of the last one, the hand is
        -1.
        """
        if self.is_telling:
            return {self.told} if self.told is not None else set()
        asks, is_between = self.table.asks, self._is_between
        return {(ask.seat, -1 if is_between else ask.hand) for ask in asks}

    @property
    def may_preset(self) -> bool:
        """Whether a decision can be set before its turn."""
        table = self.table
        if self.deals or self.question is not None:
            return False
        if len(table.ours) != 1 or table.our_asks:
            return False
        states = {hand.state for hand in table.me.hands}
        return table.phase is Phase.PLAYING and HandState.WAITING in states

    @property
    def has_money_in_play(self) -> bool:
        """Whether any of our seats has a bet or a hand that is not settled."""
        return any(own.has_money_in_play for own in self.table.ours.values())
