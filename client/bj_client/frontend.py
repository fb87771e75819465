"""The frontend: the whole screen, the lines of a terminal, plain lines, or JSON.

Here alone it is chosen how a run shows what happens, and by what people play.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from bj_client.fair.finding import Finding
from bj_client.lobby import Chooser, Lobby, LobbyLines
from bj_client.lobby.lobby import Fetch
from bj_client.model.seat import Faces, faces_in
from bj_client.model.table import Table
from bj_client.options import Options
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import LineInput, PipedInput
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator, Pace, QuietNarrator
from bj_client.play.output import Output, PlainOutput
from bj_client.play.visit import Session
from bj_client.style.iipp6 import DealSession
from bj_client.words.board import status
from bj_client.words.text import complain, is_rich, is_terminal

if TYPE_CHECKING:
    from bj_client.play.terminal import TerminalOutput
    from bj_client.replay.command import ReplayOptions
    from bj_client.replay.player import ReplayView
    from bj_client.screen import Screen

_PACE = 0.15
"""Seconds between two events that a person looks at."""
_SILENCE = 1.0
"""Seconds after which a person is told what is waited for."""


class Frontend:
    """The output and the input for people, by the options and the streams."""

    def __init__(self, options: Options) -> None:
        """Take the terminal, unless lines are wanted."""
        self._options = options
        self._is_person = options.bot is None
        self.is_live = is_terminal(sys.stdin)
        """Whether a person types."""
        self.is_shown = is_terminal(sys.stdout)
        """Whether a person reads."""
        self.plain = PlainOutput(sys.stdout, is_exact=self.is_exact)
        self._faces = _faces(ascii_only=options.ascii)
        self.screen: Screen | None = None
        self._terminal: TerminalOutput | None = None
        self._piped: PipedInput | None = None
        self._late_warnings: list[str] = []
        if is_rich(plain=options.plain or self.is_exact):
            self._take_terminal()

    @property
    def output(self) -> Output:
        """The output for lines."""
        return self.screen or self._terminal or self.plain

    @property
    def is_exact(self) -> bool:
        """Whether a program or a published text fixes what is printed."""
        return self._options.json or self._options.style is not None

    def narrator(
        self, behind: Callable[[], int], checked: Callable[[], Iterable[Finding | str]]
    ) -> Narrator:
        """Return who tells a visit, and what the check of the server has found.

        ``behind`` returns the number of messages that wait to be told.
        """
        options = self._options
        seconds = _PACE if self.is_shown and self._is_person else 0.0
        pace = Pace(seconds if options.pace is None else options.pace, behind)
        if self.screen is not None:
            from bj_client.screen import ScreenNarrator

            return ScreenNarrator(self.screen, self._faces, pace, checked=checked)
        if options.json:
            return Narrator.silent()
        if options.style is not None:
            of_people, of_bot = options.style.narrator, options.style.bot_narrator
            make = of_people if self._is_person or of_bot is None else of_bot
            return make(self.plain, self._faces, pace)
        kind = QuietNarrator if options.quiet else Narrator
        return kind(self.output, self._faces, pace, checked=checked)

    def session(self, hotseat: Hotseat, narrator: Narrator) -> Session:
        """Return how people, or a program, play at a table."""
        options = self._options
        rounds, hints = options.rounds, options.hints
        if options.json:
            from bj_client.program import play_by_program  # few runs have one

            return play_by_program(hotseat.storyteller)
        if options.style is not None:
            lines = self._plain_input()
            return options.style.session(hotseat, narrator, lines, rounds)
        if self.screen is not None:
            self.screen.seat(hotseat, has_hints=hints)
            if self.screen.scene.deals:
                return DealSession(hotseat, narrator, self.screen, rounds)
        typed = self.screen or self._line_input(lambda room: _status(hotseat, room))
        return LineSession(hotseat, narrator, typed, rounds, hints=hints)

    def _line_input(self, status: Callable[[int], str]) -> LineInput:
        """Return where lines are typed, in a terminal below a ``status``."""
        if self._terminal is None:
            return self._plain_input()
        from bj_client.play.terminal import TerminalInput

        return TerminalInput(self._terminal, status)

    async def wait(self, sentence: str) -> None:
        """Say what is waited for before play, where a person reads."""
        if self.is_shown and not self.is_exact:
            await self.plain.line(sentence)

    @contextmanager
    def waiting(self, sentence: str) -> Iterator[None]:
        """Return a context which says what is waited for, if that takes long."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(_SILENCE, self.plain.write, f"{sentence}\n")
        try:
            yield
        finally:
            timer.cancel()

    @property
    def can_choose(self) -> bool:
        """Whether somebody is there who can be asked which table."""
        is_person = self._is_person and not self.is_exact
        return is_person and self.is_live and self.is_shown

    def chooser(self, lobby: Lobby, fetch: Fetch) -> Chooser:
        """Return what asks which table: a screen, or lines."""
        if self.screen is not None and self._terminal is not None:
            from bj_client.lobby.screen import LobbyScreen
            from bj_client.screen.canvas import glyphs_for

            glyphs = glyphs_for(self._faces)
            terminal = self._terminal.terminal
            return LobbyScreen(lobby, fetch, terminal, glyphs).choose
        status = "choose a table | q leaves"
        open_input = partial(self._line_input, lambda _: status)
        return LobbyLines(lobby, fetch, self.output, open_input).choose

    def _plain_input(self) -> PipedInput:
        """Return the one reader of standard input, which may have read ahead."""
        if self._piped is None:
            is_echoed = self.is_live and self.is_shown
            style = self._options.style
            inline = style is not None and style.alone
            self._piped = PipedInput(
                None if sys.stdin is None else sys.stdin.fileno(),
                self.plain,
                is_live=self.is_live or self._options.watch,  # no question gates it
                stays=self._options.watch and not self.is_live,
                inline=is_echoed or inline,
                echoes=inline and not is_echoed,
            )
        return self._piped

    def _take_terminal(self) -> None:
        """Use the whole screen where a person plays or looks on, lines elsewhere."""
        from bj_client.play.terminal import TerminalOutput

        options = self._options
        self._terminal = TerminalOutput(options.colours)
        if self._is_person and not (options.line or options.list_tables):
            self.renew()

    def warn(self, sentence: str) -> None:
        """Warn on standard error: the output of a style or a bot has no room for it.

        A screen shows warnings in its log. It covers those that are written before it
        opens, and those that come while it is open are written once it is closed.
        """
        if self.screen is not None:
            self.screen.warn(sentence)
        if self.screen is not None and self.screen.is_on_view:
            self._late_warnings.append(sentence)
        elif self._terminal is not None:
            self._terminal.aside(lambda: _write_warning(sentence))
        else:
            _write_warning(sentence)

    async def close(self) -> None:
        """Give the terminal back, and write the warnings that had to wait."""
        if self.screen is not None:
            await self.screen.close()
        for sentence in self._late_warnings:
            _write_warning(sentence)
        self._late_warnings.clear()

    def renew(self) -> None:
        """Open a screen for another visit, if the whole terminal is used."""
        from bj_client.screen import Screen

        assert self._terminal is not None
        self.screen = Screen(self._terminal, self._faces, self._options.keymap)


def open_replay(options: "ReplayOptions", table: Table) -> "ReplayView":
    """Return what shows a record, by its options and the terminal there is."""
    from bj_client.replay.player import ReplayView

    faces = _faces(ascii_only=options.ascii)
    if not is_rich(plain=options.plain):
        output = PlainOutput(sys.stdout)
        is_live = is_terminal(sys.stdin)
        keys = sys.stdin.fileno() if is_live else None
        piped = PipedInput(keys, output, is_live=is_live, inline=False)
        return ReplayView(Narrator(output, faces, is_past=True), piped)
    from bj_client.play.terminal import TerminalInput, TerminalOutput

    terminal = TerminalOutput()
    if options.line:
        typed = TerminalInput(terminal, lambda _: "replay | p pauses, n next, q quits")
        return ReplayView(Narrator(terminal, faces, is_past=True), typed)
    from bj_client.replay.player import lay_replay
    from bj_client.screen import Screen, ScreenNarrator

    screen = Screen(terminal, faces)
    lay_replay(screen, table)
    return ReplayView(ScreenNarrator(screen, faces), screen, screen.play)


def _faces(*, ascii_only: bool) -> Faces:
    """Return how cards are written on standard output."""
    encoding = None if sys.stdout is None else sys.stdout.encoding
    return faces_in(encoding, ascii_only=ascii_only)


def _status(hotseat: Hotseat, room: int) -> str:
    if hotseat.is_cut_off:
        lost = "the line is lost; trying again | q leaves"
        return lost if len(lost) <= room else "the line is lost | q leaves"
    return status(hotseat.table, hotseat.storyteller.seconds_left, room)


def _write_warning(sentence: str) -> None:
    complain(f"bj-client: {sentence}")
