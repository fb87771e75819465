"""The frontend: the output and the input of a run, a terminal's or plain lines."""

import sys
from typing import TYPE_CHECKING

from bj_client.lobby import Chooser, Lobby, LobbyLines
from bj_client.model.card import Faces, can_show_suits
from bj_client.net.listing import Fetch
from bj_client.options import Options
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Input, PipedInput
from bj_client.play.output import Output, PlainPaper
from bj_client.system import is_dumb
from bj_client.words.board import status
from bj_client.words.text import complain, is_terminal

if TYPE_CHECKING:
    from bj_client.play.terminal import TerminalPaper
    from bj_client.screen import Screen


class Frontend:
    """The output and the input for people, by the options and the streams."""

    def __init__(self, options: Options, *, is_person: bool) -> None:
        """Take the terminal, unless lines are wanted; ``is_person`` says who plays."""
        self._options = options
        self._is_person = is_person
        self.is_live = is_terminal(sys.stdin)
        """Whether a person types."""
        self.is_shown = is_terminal(sys.stdout)
        """Whether a person reads."""
        self.plain = PlainPaper(sys.stdout)
        self.screen: Screen | None = None
        """The whole screen; None for lines."""
        self._terminal: TerminalPaper | None = None
        self._piped: PipedInput | None = None
        self._late_warnings: list[str] = []
        if self._is_rich():
            self._take_terminal()

    @property
    def paper(self) -> Output:
        """The output for lines."""
        return self.screen or self._terminal or self.plain

    def faces(self) -> Faces:
        """Return how cards are written here."""
        encoding = None if sys.stdout is None else sys.stdout.encoding
        return Faces(symbols=not self._options.ascii and can_show_suits(encoding))

    def source(self, hotseat: Hotseat) -> Input:
        """Return the input for a party at its table."""
        if self.screen is not None:
            return self.screen.seat(hotseat)
        if self._terminal is not None:
            from bj_client.play.terminal import TerminalInput

            return TerminalInput(self._terminal, lambda room: _status(hotseat, room))
        return self._plain_input()

    @property
    def can_choose(self) -> bool:
        """Whether somebody is there who can be asked which table."""
        is_person = self._is_person and self._options.style is None
        return is_person and self.is_live and self.is_shown and not self._options.json

    def chooser(self, lobby: Lobby, fetch: Fetch) -> Chooser:
        """Return the chooser of the lobby: a screen, or lines."""
        if self.screen is not None and self._terminal is not None:
            from bj_client.lobby.screen import LobbyScreen
            from bj_client.screen.glyph import ASCII, UNICODE

            glyphs = UNICODE if self.faces().symbols else ASCII
            return LobbyScreen(lobby, fetch, self._terminal.output, glyphs)
        return LobbyLines(lobby, fetch, self.paper, self._lobby_input)

    def _lobby_input(self) -> Input:
        if self._terminal is None:
            return self._plain_input()
        from bj_client.play.terminal import TerminalInput

        return TerminalInput(self._terminal, lambda _: "choose a table | q leaves")

    def _plain_input(self) -> PipedInput:
        """Return the one reader of standard input, which may have read ahead."""
        if self._piped is None:
            is_echoed = self.is_live and self.is_shown
            style = self._options.style
            inline = style is not None and style.inline
            self._piped = PipedInput(
                None if sys.stdin is None else sys.stdin.fileno(),
                self.plain,
                is_live=self.is_live or self._options.watch,  # no question gates it
                stays=self._options.watch and not self.is_live,
                inline=is_echoed or inline,
                echoes=inline and not is_echoed,
            )
        return self._piped

    def _is_rich(self) -> bool:
        """Say whether cursor and colours of a full terminal may be used."""
        plain = self._options.plain or self._options.style is not None
        plain = plain or self._options.json
        return self.is_live and self.is_shown and not plain and not is_dumb()

    def _take_terminal(self) -> None:
        """Use the whole screen where a person plays or looks on, lines elsewhere."""
        from bj_client.play.terminal import TerminalPaper

        options = self._options
        self._terminal = TerminalPaper(options.colours)
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
        self.screen = Screen(self._terminal, self.faces(), self._options.keymap)


def _status(hotseat: Hotseat, room: int) -> str:
    if hotseat.is_cut_off:
        lost = "the line is lost; trying again | q leaves"
        return lost if len(lost) <= room else "the line is lost | q leaves"
    return status(hotseat.table, hotseat.storyteller.seconds_left, room)


def _write_warning(sentence: str) -> None:
    complain(f"bj-client: {sentence}")
