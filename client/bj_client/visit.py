"""A visit: join a table, play, leave in order."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from bj_client.address import Address
from bj_client.connection import Connection
from bj_client.ending import HelloRefused
from bj_client.follow import Follower
from bj_client.narrator import Narrator
from bj_client.table import Table
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Hello
from bj_protocol.handle import HANDLE_RULE, canonical_handle

__all__ = ["Session", "Visit"]


class Session(Protocol):
    """Whoever plays during a visit: a person, or a bot."""

    async def run(self) -> None:
        """Play until leaving."""
        ...


class Visit:
    """One handle's visit to one table."""

    def __init__(
        self,
        handle: str,
        narrator: Narrator,
        session: Callable[[Follower, Narrator], Session],
        *,
        table: str | None = None,
    ) -> None:
        """Prepare a visit; ``session`` makes the player once there is a table."""
        self._handle = handle
        self._table = table
        self._narrator = narrator
        self._session = session
        self._seated = asyncio.Event()
        self.follower: Follower | None = None

    @property
    def table(self) -> Table | None:
        """The table as it was last known; None before a seat was given."""
        return None if self.follower is None else self.follower.table

    async def seated(self) -> None:
        """Wait until the visit has a seat."""
        await self._seated.wait()

    async def run(
        self, address: Address, meanwhile: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Join, play and leave; ``meanwhile`` runs between sitting down and play.

        Raises:
            Ending: if the visit ended otherwise than by the player's leaving.
        """
        follower = self.follower = await self._join(address)
        self._seated.set()
        try:
            snapshot = follower.first
            self._narrator.behind = lambda: follower.behind
            await self._narrator.welcome(follower.table, snapshot)
            if meanwhile is not None:
                await meanwhile()
            await self._session(follower, self._narrator).run()
        finally:
            await follower.depart()

    async def _join(self, address: Address) -> Follower:
        if canonical_handle(self._handle) is None:
            rule = HANDLE_RULE[:1].lower() + HANDLE_RULE[1:]
            raise HelloRefused(
                f"The handle cannot be used, so choose another with --handle; {rule}"
            )
        connection = await Connection.open(address)
        hello = Hello(version=PROTOCOL_VERSION, handle=self._handle, table=self._table)
        try:
            return Follower(connection, await connection.join(hello))
        except BaseException:
            await connection.close()
            raise
