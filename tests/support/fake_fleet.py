"""A fleet of fake servers: each shows its word, and answers hellos as a test says."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed

from bj_client.net.address import Address
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Hello, ListTables, Watch
from bj_protocol.messages import Moved, MovedWhy, TableList
from bj_protocol.refusal import CloseCode
from bj_protocol.views import FleetView
from bj_server.bank.signer import Signer
from support.fake_server import FakeServer, fake_server
from support.message import make_ask, make_snapshot

Reply = Callable[[FakeServer, Hello | Watch], Awaitable[None]]
"""What a server does once it has heard a hello."""


@dataclass(eq=False)
class Member:
    """One fake server of a fleet, and what it was told."""

    name: str
    fleet: Signer
    replies: list[Reply]
    """For one hello after the other; the last is for all that follow."""
    doors: Sequence[str] = ()
    signer: Signer = field(default_factory=Signer.after)
    signed_for: str = ""
    """The address in the word, if it is not the right one."""
    spoil: dict[str, Any] = field(default_factory=dict)
    """Fields of the word that are changed after it was signed."""
    address: Address = field(init=False)
    hellos: list[Hello | Watch] = field(default_factory=list, init=False)

    @property
    def uri(self) -> str:
        return self.address.uri

    @property
    def word(self) -> FleetView:
        where = self.signed_for or self.uri
        word = self.fleet.take_in(self.signer.key, self.name, where, self.doors)
        return word.model_copy(update=self.spoil)

    async def serve(self, server: FakeServer) -> None:
        try:
            while True:
                command = await server.hear()
                if isinstance(command, ListTables):
                    await server.say(
                        TableList(
                            version=PROTOCOL_VERSION,
                            tables=(),
                            key=self.signer.key,
                            fleet=self.word,
                        )
                    )
                    continue
                assert isinstance(command, Hello | Watch)
                self.hellos.append(command)
                reply = self.replies[0]
                if len(self.replies) > 1:
                    del self.replies[0]
                await reply(server, command)
                return
        except ConnectionClosed:
            pass


@asynccontextmanager
async def serving(member: Member) -> AsyncIterator[Member]:
    async with fake_server(member.serve) as address:
        member.address = address
        yield member


def moved_to(
    other: Member | str, table: str = "attic", why: MovedWhy = MovedWhy.TABLE
) -> Reply:
    async def reply(server: FakeServer, hello: Hello | Watch) -> None:
        address = other if isinstance(other, str) else other.uri
        moved = Moved(version=PROTOCOL_VERSION, address=address, table=table, why=why)
        await server.say(moved)
        await server.socket.close(4009, f"Join at {address}.")

    return reply


def seat(table: str = "attic", **fields: Any) -> Reply:
    """Give a seat, ask for a bet, and wait for the client to leave."""

    async def reply(server: FakeServer, hello: Hello | Watch) -> None:
        await server.say(make_snapshot(make_ask(1), table=table, **fields))
        await server.part()

    return reply


async def sent_away(server: FakeServer, hello: Hello | Watch) -> None:
    await server.say(make_snapshot(table="attic"))
    await server.socket.close(CloseCode.SENT_AWAY, "")


async def two(
    stack: AsyncExitStack, fleet: Signer, other: Member, table: str = "attic"
) -> tuple[Member, Member]:
    """Serve a door that sends everyone on to ``other``."""
    await stack.enter_async_context(serving(other))
    door = Member("n1", fleet, [moved_to(other, table)])
    await stack.enter_async_context(serving(door))
    return door, other
