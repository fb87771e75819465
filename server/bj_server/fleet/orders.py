"""Orders: what a host has done in a whole fleet, and how its servers follow.

Bans, keys and gifts are in PostgreSQL. A ban and a key that was reset raise a number
there, which each server sees with its next checkpoint.
"""

import secrets
from dataclasses import dataclass

from bj_server.bank.handles import Bans
from bj_server.fleet.cage import Cage
from bj_server.fleet.sql import players
from bj_server.table.inbox import BY_HOST


@dataclass(eq=False)
class Orders:
    """Carries the orders of a host out, and has one server follow those of others."""

    cage: Cage
    bans: Bans
    """Those of this server, which are kept as they were heard last."""
    _seen: int = -1
    """The number of changes that were followed."""

    async def has_account(self, handle: str) -> bool:
        """Whether a handle has an account in the fleet."""
        return not (await self.cage.look_up(handle)).is_new

    async def ban(self, handle: str) -> None:
        """Shut all servers to a handle; each sends it away within some seconds."""
        await self.cage.contact.write(lambda line: players.ban(line, [handle]))
        self.bans.add(handle)

    async def unban(self, handle: str) -> None:
        """Open all servers to a handle again."""
        await self.cage.contact.write(lambda line: players.unban(line, handle))
        self.bans.discard(handle)

    async def reset_key(self, handle: str) -> None:
        """Have a handle claimed by whoever comes next."""
        await self.cage.contact.write(lambda line: players.reset_key(line, handle))

    async def give(self, handle: str, cents: int) -> int:
        """Give a handle the donor's cents; return what it has at rest then."""
        id = f"host/{secrets.token_hex(12)}"
        return await self.cage.contact.write(
            lambda line: players.give_at_rest(line, id, handle, cents)
        )

    async def follow(self, changes: int) -> None:
        """Do here what was ordered anywhere, if ``changes`` tells of more."""
        if changes == self._seen:
            return
        contact, me = self.cage.contact, self.cage.me
        banned = await contact.do(players.read_bans)
        keys = await contact.do(lambda line: players.keys_of_visitors(line, me))
        self.bans.replace(banned)
        for handle in banned & self.cage.bank.books.visits.keys():
            self.cage.floor.send_away(handle, BY_HOST)
        for handle, sha256 in keys.items():
            self.cage.note_key(handle, sha256)
        self._seen = changes
