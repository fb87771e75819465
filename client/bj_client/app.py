"""The app: makes players, server and output from the options, and runs a visit."""

import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bj_client.error import (
    Exit,
    HelloRefusedError,
    KeyRefusedError,
    NoHomeError,
    UnreachableError,
)
from bj_client.fair.record import Evidence, Recorder
from bj_client.fair.witness import Witness
from bj_client.frontend import Frontend
from bj_client.lobby import Choice, Lobby, choose, needs_choice
from bj_client.lobby.lobby import fetch_tables, listing
from bj_client.model.table import Table
from bj_client.net.address import Address
from bj_client.net.keyring import PRIVATE_SERVER, Keyring, data_folder, state_folder
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.net.server_key import ServerKey
from bj_client.options import Options
from bj_client.play.hotseat import Hotseat
from bj_client.play.narrator import Narrator
from bj_client.play.play_book import keep_plays
from bj_client.play.solo import company, forget_keys, names_of_company, private_server
from bj_client.play.visit import NO_PROOF, Session, Visit
from bj_protocol.messages import TableList

if TYPE_CHECKING:
    from bj_client.bot.bot import Bot, BotChoice

_SOLO_ROUNDS = 10


class App:
    """One run of the client, from the options to the closing line."""

    def __init__(self, options: Options) -> None:
        """Choose the output: a terminal's, or plain lines."""
        self._options = options
        self._bots: list[Bot] = []
        self.front = Frontend(options)
        server, warn = options.server, self.front.warn
        place = PRIVATE_SERVER if options.solo else server.name
        self._keys = Keyring(place, warn, options.key_file)
        self._server_key: ServerKey | None = None
        """The key by which the server is known; our own one needs no key."""
        if not options.solo:
            key = options.server_key
            self._server_key = ServerKey(server.name, server.shown, warn, key)
        self.witness = self._make_witness()
        self._narrator = self._make_narrator()
        self._visit = self._visit_to(options.table, options.code, options.handles)

    @property
    def table(self) -> Table | None:
        """The table as it was last known; None before there was a seat."""
        hotseat = self._visit.hotseat
        return None if hotseat is None else hotseat.last_table

    async def play(self) -> None:
        """Join, play and leave; with ``--solo`` on a server of our own.

        With ``--list-tables`` nobody joins, and the tables are told.

        Raises:
            ClientError: if it ended otherwise than by the player's leaving.
        """
        if self._options.list_tables:
            for line in listing(await fetch_tables(self._options.server)):
                await self.front.output.line(line)
            return
        if not self._options.solo:
            await self._visit_server(self._options.server)
            return
        everybody = [*self._options.handles, *names_of_company(self._options.handles)]
        lost = [handle for handle in everybody if not self._keys.path(handle).exists()]
        await self._forget_keys(lost)
        try:
            await self._visit_privately()
        except KeyRefusedError:
            if self.table is not None or not await self._forget_keys(everybody):
                raise
            self._visit = self._visit_to(None, None, self._options.handles)
            await self._visit_privately()

    async def _visit_privately(self) -> None:
        """Play on a server of our own, in company."""
        handles = self._options.handles
        await self.front.wait("Setting up your private table: a moment.")
        server = private_server(_solo_bank(), len(handles))
        async with contextlib.AsyncExitStack() as stack:
            address = await stack.enter_async_context(server)
            others = company(address, handles)
            await self._visit.run(address, lambda: stack.enter_async_context(others))

    async def _forget_keys(self, handles: Sequence[str]) -> bool:
        """Reset the keys of our own bank, as its host; tell whose were reset."""
        forgotten = await forget_keys(_solo_bank(), handles)
        for handle in forgotten:
            if handle in self._options.handles:
                self.front.warn(
                    f"The key of {handle} was lost, so the bank of your private table "
                    "has forgotten it, and gets a new one."
                )
        return bool(forgotten)

    async def farewell(self) -> None:
        """Write the closing lines, if there was a seat."""
        await self.sum_up()
        if self.table is not None:
            await self._narrator.farewell(self.table)

    async def sum_up(self) -> None:
        """Give the terminal back, and write there how people have played."""
        await self.front.close()
        await self._narrator.check()  # what was heard last, as with a good-bye
        if self.table is not None and self._options.style is None:
            await self._tell_plays(self.table)
            await self._narrator.summary(self.table)
        for bot in self._bots:
            for sentence in bot.adviser.tally():
                await self._narrator.notice(sentence)

    async def _tell_plays(self, table: Table) -> None:
        """Keep how the players have played, and tell it of all their visits."""
        for own in table.ours.values():
            visit = [*own.record.judged.values()]
            if not visit:
                continue
            book = keep_plays(own.handle, visit)
            if book.plays.total() > len(visit):
                await self._narrator.notice(book.summary(own.handle))

    @property
    def exit(self) -> Exit:
        """How the command ends for a player who has left in order."""
        has_failed = any(bot.adviser.faults for bot in self._bots)
        return Exit.STRATEGY if has_failed else Exit.LEFT

    async def _visit_server(self, server: Address) -> None:
        """Visit the table that is named, or the one that a person chooses."""
        options = self._options
        if options.handles and server.is_overheard and not options.is_insecure:
            self.front.warn(
                f"The line to {server.shown} is not encrypted, and a listener on the "
                "way learns your key: use wss:// if the host has it, or add "
                "--insecure in a network that you trust."
            )
        if options.table is None and self.front.can_choose:
            with self.front.waiting(f"Waiting for an answer of {server.shown}."):
                found = await fetch_tables(server)
            if needs_choice(found.tables, options.code):
                await self._visit_by_choice(server, found)
                return
        await self._visit.run(server)

    async def _visit_by_choice(self, server: Address, found: TableList) -> None:
        options = self._options
        lobby = Lobby(
            found.tables,
            server=server.shown,
            handles=options.handles,
            code=options.code,
            says=found.notice,
        )

        async def visit(choice: Choice) -> str | None:
            handles = () if choice.watches else options.handles
            self._visit = self._visit_to(
                choice.table, choice.code, handles, has_lobby=True
            )
            try:
                await self._visit.run(server)
            except (HelloRefusedError, UnreachableError) as ending:
                if self.table is not None:
                    raise
                if isinstance(ending, HelloRefusedError):
                    return str(ending)
                lobby.miss(str(ending))
                return ""
            return await self._back_to_lobby()

        chooser = self.front.chooser(lobby, partial(fetch_tables, server))
        await choose(lobby, chooser, visit)

    async def _back_to_lobby(self) -> str | None:
        """Close a visit whose player wants another table; None for no such wish."""
        hotseat = self._visit.hotseat
        if hotseat is None or not hotseat.wants_lobby:
            return None
        await self.farewell()
        if self.front.screen is not None:
            self.front.renew()
        self._narrator = self._make_narrator()
        self.witness.begin()
        self._visit = self._visit_to(None, None, ())
        return ""

    def _visit_to(
        self,
        table: str | None,
        code: str | None,
        handles: tuple[str, ...],
        *,
        has_lobby: bool = False,
    ) -> Visit:
        options = self._options
        return Visit(
            handles,
            self._narrator,
            self._session,
            keys=self._keys,
            table=table,
            code=code,
            check=None if options.style is None else options.style.check,
            policy=ReconnectPolicy(seconds=options.reconnect, is_private=options.solo),
            witness=self.witness,
            server_key=self._server_key,
            unproven=options.unproven,
            has_lobby=has_lobby,
        )

    def _make_witness(self) -> Witness:
        """Return the witness that checks the server, and where to tell its findings.

        Raises:
            RecordUnusableError: if the visit cannot be recorded.
        """
        options, folder = self._options, Path()
        with contextlib.suppress(NoHomeError):
            folder = state_folder("")
        tells = self.front.is_exact  # elsewhere the narrator does
        return Witness(
            options.server.shown if not options.solo else PRIVATE_SERVER,
            Evidence(folder),
            None if options.record is None else Recorder(options.record),
            server_key=options.server_key,
            warn=self.front.warn if tells else lambda _: None,
        )

    def _make_narrator(self) -> Narrator:
        def behind() -> int:
            hotseat = self._visit.hotseat
            return 0 if hotseat is None else hotseat.storyteller.line.waiting

        return self.front.narrator(behind, self.witness.take)

    def _session(self, hotseat: Hotseat, narrator: Narrator) -> Session:
        bot = self._options.bot
        if bot is None or self._options.json:
            return self.front.session(hotseat, narrator)
        return self._bot_sessions(bot, hotseat)

    def _bot_sessions(self, choice: "BotChoice", hotseat: Hotseat) -> Session:
        """Return a bot for each of the party; the first one's story is told.

        Raises:
            HelloRefusedError: where they cannot bet.
        """
        from bj_client.play.bot_session import AutoSession, BotSessions

        options, rounds = self._options, self._options.rounds
        if hotseat.storyteller.first.story is None and not options.unproven:
            raise HelloRefusedError(NO_PROOF)
        if options.solo and rounds is None and not self.front.is_live:
            rounds = _SOLO_ROUNDS
        self._bots = [choice.make(options.bet) for _ in hotseat.members]
        sessions = []
        for member, bot in zip(hotseat.members, self._bots, strict=True):
            is_told = member is hotseat.storyteller
            narrator = self._narrator if is_told else Narrator.silent()
            sessions.append((member, AutoSession(member, narrator, bot, rounds)))
        return BotSessions(sessions)


def _solo_bank() -> Path:
    return data_folder() / "solo"
