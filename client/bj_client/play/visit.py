"""A visit: join a table, play, leave in order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Protocol

from bj_client.error import ClientError, HelloRefusedError, KeyRefusedError
from bj_client.fair.purse import compare_goodbye
from bj_client.fair.witness import NoEar, Witness
from bj_client.model.table import Table
from bj_client.net.address import Address
from bj_client.net.connection import Connection
from bj_client.net.follow import Follower
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectingLine, ReconnectPolicy
from bj_client.net.route import Place, Route
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
_OTHER = (
    "The server has answered for another player or another table than was named: ask "
    "the host why, or join another server."
)


class Session(Protocol):
    """The play of people, bots or a program during a visit."""

    async def run(self) -> None:
        """Play until leaving, also at the end of the input.

        Raises:
            ClientError: if the visit ends otherwise.
            StopError: on Ctrl-C.
        """


@dataclass(eq=False)
class Visit:
    """The visit of players at one keyboard, or of one who watches, to one table."""

    handles: tuple[str, ...]
    """Those who play; without one the table is watched."""
    narrator: Narrator
    session: Callable[[Hotseat, Narrator], Session]
    """Makes the players once there is a table."""
    _: KW_ONLY
    keys: Keyring
    table: str | None = None
    code: str | None = field(default=None, repr=False)
    check: Callable[[Table], None] | None = None
    """Looks at the table first, and raises a ``ClientError`` if it will not do."""
    policy: ReconnectPolicy | None = None
    """For a lost line; without it a loss is the end."""
    witness: Witness | None = None
    server_key: ServerKey | None = None
    """The key by which the server is known; None for our own."""
    unproven: bool = False
    """Whether players also bet where no round is proven."""
    has_lobby: bool = False
    """Whether the players have chosen the table among others."""
    hotseat: Hotseat | None = field(default=None, init=False)
    """The players together; None before all had their seats."""
    _route: Route = field(init=False)
    seated: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set once all have their seats."""

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
        for handle in self.handles:
            if canonical_handle(handle) is None:
                rule = HANDLE_RULE[:1].lower() + HANDLE_RULE[1:]
                why = "The handle cannot be used, so choose another with --handle; "
                raise HelloRefusedError(self._named(handle, why + rule))
        is_shared = len(self.handles) > 1
        door = Place(address, self.table)
        self._route = Route(door, self.keys, self.server_key, is_shared)
        async with contextlib.AsyncExitStack() as stack:
            hotseat = self.hotseat = await self._come_together(stack)
            self.seated.set()
            notices = hotseat.notices
            is_proven = hotseat.storyteller.first.story is not None
            if self.witness and self.handles and not (is_proven or self.unproven):
                notices.append(NO_PROOF)
            await self.narrator.welcome(hotseat.table, notices)
            await self.narrator.check()
            if meanwhile is not None:
                await meanwhile()
            await self.session(hotseat, self.narrator).run()
        await self.narrator.check()  # the statement that was signed when they left

    async def _come_together(self, stack: contextlib.AsyncExitStack) -> Hotseat:
        hotseat = Hotseat(
            [
                await stack.enter_async_context(self._seat(handle))
                for handle in self.handles or (None,)
            ],
            has_lobby=self.has_lobby,
        )
        stack.push_async_callback(hotseat.close)
        await hotseat.gather()
        if self.check is not None:
            self.check(hotseat.table)
        return hotseat

    @contextlib.asynccontextmanager
    async def _seat(self, handle: str | None) -> AsyncIterator[Follower]:
        """Have a seat at the table, or a view of it, as long as the context lasts."""
        ear = None if self.witness is None else self.witness.ear(handle)
        line = ReconnectingLine(
            self._route.door.address.shown,
            lambda: self._route.go(lambda place: self._join(place, handle)),
            self.policy or ReconnectPolicy(),
            ear or NoEar(),
            unproven=self.unproven,
        )
        follower = Follower(line, await line.open())
        try:
            yield follower
        except ClientError:
            line.ear.end()
            raise
        finally:
            await follower.depart()
            known = self.server_key
            cents = None if ear is None else ear.part()
            if known is not None and cents is not None:
                known.keep_goodbye(canonical_handle(handle or "") or "", cents)

    async def _join(
        self, place: Place, handle: str | None
    ) -> tuple[Connection, Snapshot]:
        connection = await Connection.open(place.address)
        try:
            await self._route.know(connection, place.address)
            opening = self._opening(place, handle)
            snapshot = await connection.join(opening)
            if self.hotseat is None:  # later the check of the server compares it
                told = None if snapshot.you is None else snapshot.you.handle
                named = None if handle is None else canonical_handle(handle)
                if told != named or opening.table not in (None, snapshot.table):
                    raise HelloRefusedError(_OTHER)
            self._route.note(place, snapshot)
            self._compare_goodbye(snapshot)
            if self.check is not None and self.hotseat is not None:
                self.check(Table(snapshot))  # another server may have come
            return connection, snapshot
        except KeyRefusedError:
            await connection.close()
            path = None if handle is None else self._route.keys.path(handle)
            raise KeyRefusedError(handle or "", path) from None
        except HelloRefusedError as refused:
            await connection.close()
            sentence = self._named(handle or "", str(refused))
            raise HelloRefusedError(sentence, is_passing=refused.is_passing) from None
        except BaseException:
            await connection.close()
            raise

    def _compare_goodbye(self, snapshot: Snapshot) -> None:
        """Compare what a player has with what the server has signed last time."""
        known, witness, you = self.server_key, self.witness, snapshot.you
        if known and witness and you and snapshot.story:
            had = known.take_goodbye(you.handle)
            witness.note([*compare_goodbye(had, snapshot)])

    def _opening(self, place: Place, handle: str | None) -> Hello | Watch:
        version, table, code = PROTOCOL_VERSION, place.table, self.code
        if handle is None:
            return Watch(version=version, table=table, code=code)
        # The key is asked for as late as this: a server that is not there needs none.
        key = self._route.keys.key(handle)
        return Hello(version=version, handle=handle, table=table, key=key, code=code)

    def _named(self, handle: str, sentence: str) -> str:
        """Return a refusal, with the handle if there are several players."""
        return sentence if len(self.handles) < 2 else f"{handle}: {sentence}"
