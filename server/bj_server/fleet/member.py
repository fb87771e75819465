"""The member: one server in its fleet, from taking its name to the end.

It joins the cage, the reception and the directory to the tables of a lobby, and follows
the orders of a host. Bans, keys and gifts are in PostgreSQL. A ban and a key that was
reset raise a number there, which each server sees with its next checkpoint.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError, JournalStalledError
from bj_server.bank.handles import Bans
from bj_server.fleet.cage import Cage, Floor
from bj_server.fleet.directory import Directory
from bj_server.fleet.entry import enter
from bj_server.fleet.error import FencedError, FleetAwayError, UnpaidError
from bj_server.fleet.reception import Reception
from bj_server.fleet.sql import players
from bj_server.net.lobby import Lobby
from bj_server.table.inbox import BY_HOST, Dissolve, Proclaim, SendAway

_FENCED = (
    "Another start has taken this server over, so this one stops. Rounds up to number "
    "{} at this table are sure to count, and later ones do not; your money is where "
    "the other one has it. Join again."
)

_log = logging.getLogger(__name__)


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


@dataclass(eq=False)
class Member:
    """One server of a fleet."""

    cage: Cage
    fenced: FencedError | None = field(default=None, init=False)
    """Why it may do no more, once that is so."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Is set once nothing more is begun."""
    _is_drained: bool = field(default=False, init=False)

    @classmethod
    async def join(cls, bank: Bank, url: str, *, takes_over: bool) -> Self:
        """Take the name of the server whose folder ``bank`` holds.

        Raises:
            FleetError: if the name, the folder or PostgreSQL is not fit for that.
        """
        cage = await enter(bank, url, takes_over=takes_over)
        me = cage.me
        bank.signer.name_run(me.name, me.journal, me.epoch)
        return cls(cage)

    def serve(self, lobby: Lobby, bans: Bans) -> Orders:
        """Let players of the fleet in at the tables of a lobby; return its orders.

        ``bans`` are those of the lobby, and follow those of the fleet.
        """
        self._lobby, cage = lobby, self.cage

        def send_away(handle: str, why: str) -> None:
            place = lobby.of_handle(handle)
            if place is not None:
                place.dealer.submit(SendAway(handle, why))

        orders = Orders(cage, bans)
        cage.floor = Floor(
            is_seated=lobby.is_seated,
            is_coming=lobby.is_coming,
            table_of=lobby.table_of,
            send_away=send_away,
            follow=orders.follow,
        )
        self._directory = Directory(cage, lobby.own_tables)
        lobby.reception = Reception(lobby, cage, self._directory)
        return orders

    @contextlib.asynccontextmanager
    async def running(self, stop: Callable[[str], None]) -> AsyncIterator[None]:
        """Keep up with the fleet for as long as the block lasts.

        ``stop`` is called with the cause if this server may do no more.

        Raises:
            FencedError: then, once the block is over.
            UnpaidError: if the money of somebody whom ``send_home`` has sent away
                could not be brought home.
        """
        works = [
            asyncio.create_task(self._keep_up(stop)),
            asyncio.create_task(self._directory.run(self.stopping)),
        ]
        try:
            yield
        finally:
            # No task is cancelled, for a line would be left in the middle of a reply.
            self._stop()
            await asyncio.gather(*works)
            await self.cage.close()
        if self.fenced is not None:
            raise self.fenced
        if self._is_drained and self.cage.unpaid:
            raise UnpaidError(self.cage.me.name, self.cage.unpaid)

    def send_home(self) -> None:
        """Have everybody leave, now that the server is drained for good."""
        self._is_drained = True
        for place in self._lobby:
            place.dealer.submit(Dissolve())

    async def _keep_up(self, stop: Callable[[str], None]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._beat_on())
                group.create_task(self._settle_on())
        except* FencedError as fenced:
            self.fenced = FencedError(self.cage.me.name)
            _log.error("%s", self.fenced, exc_info=fenced)
            for place in self._lobby:
                last = self.cage.checkpoints.counted.get(place.dealer.name, 0)
                place.dealer.submit(Proclaim(_FENCED.format(last)))
            stop("another start of its name in the fleet")

    async def _beat_on(self) -> None:
        try:
            while not self.stopping.is_set():
                # A journal that fails while nobody is at a table would be nobody's.
                await _try(self.cage.bank.mend_once)
                await _try(self.cage.beat)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await self.stopping.wait()
        finally:
            self._stop()

    async def _settle_on(self) -> None:
        while True:
            await self.cage.work.wait()
            if self.stopping.is_set():
                return
            self.cage.work.clear()
            await _try(self.cage.settle)

    def _stop(self) -> None:
        self.stopping.set()
        self.cage.work.set()


async def _try(work: Callable[[], Awaitable[object]]) -> None:
    """Do what is tried again later, whatever it fails by; each try begins anew.

    Raises:
        FencedError: if nothing may be tried any more.
    """
    try:
        await work()
    except FencedError:
        raise
    except (FleetAwayError, JournalStalledError) as error:
        _log.debug("the fleet has to wait: %s", error)
    except BankError as error:
        _log.error("%s", error)
    except Exception:  # noqa: BLE001 - play goes on, and so does the fleet
        _log.exception("a fault of ours in the fleet; it is tried again")
