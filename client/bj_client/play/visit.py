"""A visit: join a table, play, leave in order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from bj_client.error import HelloRefusedError, KeyRefusedError
from bj_client.fair.purse import compare_goodbye
from bj_client.fair.witness import Witness
from bj_client.model.table import Table
from bj_client.net.address import Address
from bj_client.net.connection import Connection
from bj_client.net.follow import Follower
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectingLine, ReconnectPolicy
from bj_client.net.server_key import ServerKey
from bj_client.play.hotseat import Hotseat
from bj_client.play.narrator import Narrator
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Hello, Watch
from bj_protocol.handle import HANDLE_RULE, canonical_handle
from bj_protocol.messages import Snapshot

NO_PROOF = (
    "No round is proven at this table, so your client does not bet here: start "
    "bj-client with --unproven to play without proof."
)


class Session(Protocol):
    """The play of people or bots during a visit."""

    async def run(self) -> None:
        """Play until leaving."""
        ...


class Visit:
    """The visit of players at one keyboard, or of one who watches, to one table."""

    def __init__(
        self,
        handles: tuple[str, ...],
        narrator: Narrator,
        session: Callable[[Hotseat, Narrator], Session],
        *,
        keys: Keyring,
        table: str | None = None,
        code: str | None = None,
        check: Callable[[Table], None] | None = None,
        policy: ReconnectPolicy | None = None,
        witness: Witness | None = None,
        server_key: ServerKey | None = None,
        unproven: bool = False,
        has_lobby: bool = False,
    ) -> None:
        """Prepare a visit; ``session`` makes the players once there is a table.

        Without ``handles`` nobody plays, and the table is watched.
        ``keys`` are those of the server that is to be visited.
        ``check`` looks at the table first, and raises a ``ClientError`` if it will not
        do. ``patience`` is for a lost line; without it a loss is the end.
        ``witness`` hears along on every line.
                ``server_key`` is the key by which the server is known; None for our
                own.
        With ``unproven`` players also bet where no round is proven. With ``has_lobby``
        they have chosen the table among others.
        """
        self._handles = handles
        self._keys = keys
        self._table = table
        self._code = code
        self._check_table = check
        self._patience = policy or ReconnectPolicy()
        self._witness = witness
        self._server_key = server_key
        self._unproven = unproven
        self._has_lobby = has_lobby
        self._narrator = narrator
        self._session = session
        self._seated = asyncio.Event()
        self.hotseat: Hotseat | None = None

    @property
    def table(self) -> Table | None:
        """The table as it was last known; None before all had their seats."""
        return None if self.hotseat is None else self.hotseat.last_table

    @property
    def behind(self) -> int:
        """The number of messages that wait to be told."""
        return 0 if self.hotseat is None else self.hotseat.storyteller.behind

    async def seated(self) -> None:
        """Wait until all have their seats."""
        await self._seated.wait()

    async def run(
        self, address: Address, meanwhile: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Join, play and leave; ``meanwhile`` runs between sitting down and play.

        The players join in the order in which they were named, so that they sit in
        that order at an empty table. They leave in the opposite order, so that the
        first hears how all of them have ended.

        Raises:
            ClientError: if the visit ended otherwise than by the players' leaving.
        """
        for handle in self._handles:
            self._check(handle)
        async with contextlib.AsyncExitStack() as stack:
            hotseat = self.hotseat = await self._come_together(address, stack)
            self._seated.set()
            notices = [*hotseat.notices, *self._doubts(hotseat)]
            await self._narrator.welcome(hotseat.table, notices)
            await self._narrator.check()
            if meanwhile is not None:
                await meanwhile()
            await self._session(hotseat, self._narrator).run()
        await self._narrator.check()  # the statement that was signed when they left

    def _doubts(self, hotseat: Hotseat) -> list[str]:
        """Warn players who are not going to bet."""
        is_checked = self._witness is not None and bool(self._handles)
        is_proven = hotseat.storyteller.first.story is not None
        return [NO_PROOF] if is_checked and not (is_proven or self._unproven) else []

    async def _come_together(
        self, address: Address, stack: contextlib.AsyncExitStack
    ) -> Hotseat:
        hotseat = Hotseat(
            [
                await stack.enter_async_context(self._seat(address, handle))
                for handle in self._handles or (None,)
            ],
            has_lobby=self._has_lobby,
        )
        stack.push_async_callback(hotseat.close)
        await hotseat.gather()
        if self._check_table is not None:
            self._check_table(hotseat.table)
        return hotseat

    @contextlib.asynccontextmanager
    async def _seat(
        self, address: Address, handle: str | None
    ) -> AsyncIterator[Follower]:
        """Have a seat at the table, or a view of it, as long as the context lasts."""
        ear = None if self._witness is None else self._witness.ear(handle)
        line = ReconnectingLine(
            address.shown,
            lambda: self._join(address, handle),
            self._patience,
            ear,
            unproven=self._unproven,
        )
        follower = Follower(line, await line.open())
        try:
            yield follower
        finally:
            await follower.depart()
            known = self._server_key
            if known is not None and ear is not None and ear.parted is not None:
                known.keep_goodbye(canonical_handle(handle or "") or "", ear.parted)

    async def _join(
        self, address: Address, handle: str | None
    ) -> tuple[Connection, Snapshot]:
        connection = await Connection.open(address)
        try:
            await self._know_again(connection)
            opening = self._watch() if handle is None else self._hello(handle)
            snapshot = await connection.join(opening)
            self._note_key(snapshot)
            if self._check_table is not None and self.hotseat is not None:
                self._check_table(Table(snapshot))  # another server may have come
            return connection, snapshot
        except KeyRefusedError as refused:
            await connection.close()
            path = None if handle is None else self._keys.path(handle)
            raise KeyRefusedError(refused.handle, path) from None
        except HelloRefusedError as refused:
            await connection.close()
            sentence = self._named(handle or "", str(refused))
            raise HelloRefusedError(sentence, is_passing=refused.is_passing) from None
        except BaseException:
            await connection.close()
            raise

    async def _know_again(self, connection: Connection) -> None:
        """See that the server has the key by which it is known, before the hello."""
        known = self._server_key
        if known is not None and known.known is not None:
            told = await connection.tables()
            known.check(told.key, told.past_keys)

    def _note_key(self, snapshot: Snapshot) -> None:
        """Know a server by the key with which it signs the story of its table."""
        known, story = self._server_key, snapshot.story
        if known is None or story is None:
            return
        known.check(story.key, story.past_keys)
        known.keep(story.key, story.past_keys)
        if self._witness is not None and snapshot.you is not None:
            had = known.take_goodbye(snapshot.you.handle)
            self._witness.note([*compare_goodbye(had, snapshot)])

    def _hello(self, handle: str) -> Hello:
        # The key is asked for as late as this: a server that is not there needs none.
        key = self._keys.key(handle)
        return Hello(
            version=PROTOCOL_VERSION,
            handle=handle,
            table=self._table,
            key=key,
            code=self._code,
        )

    def _watch(self) -> Watch:
        return Watch(version=PROTOCOL_VERSION, table=self._table, code=self._code)

    def _check(self, handle: str) -> None:
        if canonical_handle(handle) is None:
            rule = HANDLE_RULE[:1].lower() + HANDLE_RULE[1:]
            sentence = "The handle cannot be used, so choose another with --handle; "
            raise HelloRefusedError(self._named(handle, sentence + rule))

    def _named(self, handle: str, sentence: str) -> str:
        """Return a refusal, with the handle if there are several players."""
        return sentence if len(self._handles) < 2 else f"{handle}: {sentence}"
