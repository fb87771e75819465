"""An evening: who plays, where, on what paper; the options made into objects."""

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import platformdirs

from bj_client.autoplay import AutoSession
from bj_client.board import status
from bj_client.bot import BotChoice, read_bot
from bj_client.card import Faces, can_show_suits
from bj_client.crew import Crew
from bj_client.fair.evidence import Evidence
from bj_client.fair.record import Recorder
from bj_client.fair.witness import Witness
from bj_client.keyring import PRIVATE_SERVER, Keyring
from bj_client.line import LineSession
from bj_client.listing import fetch_tables, listing
from bj_client.narrator import Narrator
from bj_client.options import Options
from bj_client.paper import Paper, PlainPaper
from bj_client.party import Party
from bj_client.program import play_by_program
from bj_client.rejoin import Patience
from bj_client.solo import company, private_server
from bj_client.source import PipedInput, Source
from bj_client.table import Table
from bj_client.text import printable
from bj_client.visit import Session, Visit

if TYPE_CHECKING:
    from bj_client.screen import Screen
    from bj_client.terminal import TerminalPaper

__all__ = ["Evening"]

_PACE = 0.15
_SOLO_ROUNDS = 10


class Evening:
    """One run of the client, from the options to the closing line."""

    def __init__(self, options: Options) -> None:
        """Choose the paper: a terminal's, or plain lines."""
        self._options = options
        is_typed = _is_terminal(sys.stdin)
        is_alone = options.solo and not is_typed and not options.json
        self._bot = options.bot or (read_bot("basic") if is_alone else None)
        self._is_live = is_typed
        self._is_shown = _is_terminal(sys.stdout)
        self._plain = PlainPaper(sys.stdout)
        self._screen: Screen | None = None
        self._terminal: TerminalPaper | None = None
        if self._is_rich():
            self._take_terminal()
        self._narrator = self._make_narrator()
        self.witness = self._make_witness()
        self._visit = Visit(
            options.handles,
            self._narrator,
            self._session,
            keys=_keyring(options),
            table=options.table,
            code=options.code,
            check=None if options.style is None else options.style.check,
            patience=Patience(seconds=options.reconnect, is_private=options.solo),
            witness=self.witness,
        )

    @property
    def paper(self) -> Paper:
        """Where lines go."""
        return self._screen or self._terminal or self._plain

    @property
    def table(self) -> Table | None:
        """The table as it was last known; None before there was a seat."""
        return self._visit.table

    async def play(self) -> None:
        """Join, play and leave; with ``--solo`` on a server of our own.

        With ``--list-tables`` nobody joins, and the tables are told.

        Raises:
            Ending: if it ended otherwise than by the player's leaving.
        """
        if self._options.list_tables:
            for line in listing(await fetch_tables(self._options.server)):
                await self.paper.line(line)
            return
        if not self._options.solo:
            self._warn_of_listeners()
            await self._visit.run(self._options.server)
            return
        handles = self._options.handles
        server = private_server(_solo_bank(), len(handles))
        async with contextlib.AsyncExitStack() as stack:
            address = await stack.enter_async_context(server)

            async def meanwhile() -> None:
                await stack.enter_async_context(company(address, handles))

            await self._visit.run(address, meanwhile)

    async def farewell(self) -> None:
        """Write the closing lines, if there was a seat."""
        if self._screen is not None:
            await self._screen.close()
        if self.table is not None:
            if self._options.style is None:
                await self._narrator.summary(self.table)
            await self._narrator.farewell(self.table)

    def _warn_of_listeners(self) -> None:
        server = self._options.server
        shows_key = bool(self._options.handles)
        if shows_key and server.is_overheard and not self._options.is_insecure:
            _warn(
                f"The line to {server.shown} is not encrypted, and who listens on the "
                "way learns your key: use wss:// if the host has it, or add "
                "--insecure in a network that you trust."
            )

    def _make_witness(self) -> Witness:
        """Return who checks the server, and tells it where there is room for that.

        Raises:
            RecordUnusable: if the visit cannot be recorded.
        """
        options = self._options
        witness = Witness(
            options.server.shown if not options.solo else PRIVATE_SERVER,
            Evidence(Path(platformdirs.user_state_dir("blackjack"))),
            None if options.record is None else Recorder(options.record),
        )
        if options.json or options.style is not None:
            witness.warn = _warn
        else:
            self._narrator.checked = witness.take
        return witness

    def _make_narrator(self) -> Narrator:
        if self._screen is not None:
            from bj_client.screen import ScreenNarrator

            return ScreenNarrator(self._screen, self._faces(), self._pace())
        style = self._options.style
        if self._options.json:
            return Narrator.silent()
        if style is None:
            return Narrator(self.paper, self._faces(), self._pace())
        is_bot = self._bot is not None
        return style.narrator(self._plain, self._faces(), self._pace(), is_bot=is_bot)

    def _session(self, party: Party, narrator: Narrator) -> Session:
        rounds = self._options.rounds
        if self._options.json:
            return play_by_program(party.storyteller)
        if self._bot is None:
            source = self._source(party)
            if self._options.style is not None:
                return self._options.style.session(party, narrator, source, rounds)
            hints = self._options.hints
            return LineSession(party, narrator, source, rounds, hints=hints)
        if self._options.solo and rounds is None and not self._is_live:
            rounds = _SOLO_ROUNDS
        return self._crew(self._bot, party, rounds)

    def _crew(self, choice: BotChoice, party: Party, rounds: int | None) -> Crew:
        """Return a bot for each of the party; the first one's story is told."""
        bet = self._options.bet
        narrators = dict.fromkeys(party.members, Narrator.silent())
        narrators[party.storyteller] = self._narrator
        return Crew(
            [
                (member, AutoSession(member, narrator, choice.make(bet), rounds))
                for member, narrator in narrators.items()
            ]
        )

    def _source(self, party: Party) -> Source:
        if self._screen is not None:
            return self._screen.seat(party)
        if self._terminal is not None:
            from bj_client.terminal import TerminalInput

            return TerminalInput(self._terminal, lambda: _status(party))
        is_echoed = self._is_live and self._is_shown
        style = self._options.style
        inline = style is not None and style.inline
        return PipedInput(
            None if sys.stdin is None else sys.stdin.fileno(),
            self._plain,
            is_live=self._is_live or self._options.watch,  # no question gates it
            inline=is_echoed or inline,
            echoes=inline and not is_echoed,
        )

    def _is_rich(self) -> bool:
        """Say whether cursor and colours of a full terminal may be used."""
        dumb = os.environ.get("TERM", "") in {"", "dumb", "unknown"}
        # The prompt library moves the cursor by escapes even where it may not colour.
        bare = dumb or bool(os.environ.get("NO_COLOR"))
        plain = self._options.plain or self._options.style is not None
        plain = plain or self._options.json
        return self._is_live and self._is_shown and not plain and not bare

    def _take_terminal(self) -> None:
        """Use the whole screen where a person plays or looks on, lines elsewhere."""
        from bj_client.terminal import TerminalPaper

        terminal = TerminalPaper()
        options = self._options
        if options.line or options.list_tables or self._bot is not None:
            self._terminal = terminal
        else:
            from bj_client.screen import Screen

            self._screen = Screen(terminal, self._faces())

    def _faces(self) -> Faces:
        encoding = None if sys.stdout is None else sys.stdout.encoding
        return Faces(symbols=not self._options.ascii and can_show_suits(encoding))

    def _pace(self) -> float:
        if self._options.pace is not None:
            return self._options.pace
        return _PACE if self._is_shown and self._bot is None else 0.0


def _status(party: Party) -> str:
    if party.is_cut_off:
        return "the line is lost; trying again | q leaves"
    return status(party.table, party.storyteller.seconds_left)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def _keyring(options: Options) -> Keyring:
    server = PRIVATE_SERVER if options.solo else options.server.name
    return Keyring(server, _warn, options.key_file)


def _warn(sentence: str) -> None:
    """Warn on standard error: what a style or a bot prints has no room for it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"bj-client: {printable(sentence)}\n")
            sys.stderr.flush()


def _solo_bank() -> Path:
    return Path(platformdirs.user_data_dir("blackjack-table")) / "solo"
