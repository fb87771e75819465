"""Builders of messages, a fake server, and the real command."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from bj_client.model.card import Faces
from bj_client.model.table import Table
from bj_client.net.address import Address, read_address
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import PipedInput
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainPaper
from bj_client.play.visit import Visit
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.action import Action
from bj_protocol.codec import decode_command, encode
from bj_protocol.commands import Command, Hello, Leave
from bj_protocol.events import Event
from bj_protocol.messages import Message, Snapshot, Update
from bj_protocol.views import (
    Ask,
    DealerView,
    HouseView,
    PaceView,
    Phase,
    Presence,
    SeatView,
    ShoeView,
    Turn,
    WagerRange,
    You,
)
from support.nursery import PATIENCE, Child

BETS = WagerRange(minimum=100, maximum=1_000_000, step=100)


def make_ask(prompt: int = 1, *actions: Action, **fields: Any) -> Ask:
    """Return an ask of seat 2, ned21's; a bet unless other actions are given."""
    if not actions:
        actions = (Action.PLACE_BET, Action.SIT_OUT)
    if {Action.PLACE_BET, Action.INSURE} & set(actions):
        fields.setdefault("wager", BETS)
    return Ask(**{"prompt": prompt, "seat": 2, "hand": 0, "actions": actions, **fields})


def make_seat(number: int, handle: str, **fields: Any) -> SeatView:
    known: dict[str, Any] = {
        "balance": 1_000_000,
        "presence": Presence.HERE,
        "bet": 0,
        "hands": (),
    }
    return SeatView(seat=number, handle=handle, **(known | fields))


def make_snapshot(*asks: Ask, **fields: Any) -> Snapshot:
    """Return a table at which lia9 has seat 1 and the receiver, ned21, seat 2."""
    known: dict[str, Any] = {
        "version": PROTOCOL_VERSION,
        "table": "main",
        "seq": 10,
        "you": You(handle="ned21", seat=2),
        "house": HouseView(
            name="cpsc386",
            title="Eight decks, even money",
            rules=("The dealer stands on 17.",),
            minimum_bet=100,
            terms={"name": "cpsc386", "title": "Eight decks, even money"},
        ),
        "pace": PaceView(
            bet_seconds=30, insurance_seconds=20, turn_seconds=30, hold_seconds=60
        ),
        "seat_count": 4,
        "phase": Phase.BETTING,
        "round": 3,
        "seats": (make_seat(1, "lia9"), make_seat(2, "ned21")),
        "dealer": DealerView(name="Dealer", cards=(), total=None, soft=False),
        "shoe": ShoeView(decks=8, cards_left=416, until_cut=345),
        "turn": Turn(asks=asks, milliseconds=30_000) if asks else None,
        "story": None,
        "notices": (),
    }
    return Snapshot(**(known | fields))


def make_update(seq: int, *events: Event, asks: tuple[Ask, ...] = ()) -> Update:
    turn = Turn(asks=asks, milliseconds=30_000) if asks else None
    return Update(table="main", seq=seq, events=events, turn=turn)


class FakeServer:
    """One client's line, seen from the server; the test plays the dealer."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.seq = 10

    async def hello(self, *asks: Ask, **fields: Any) -> Hello:
        """Hear the hello and answer it with a picture of the table."""
        hello = await self.hear()
        assert isinstance(hello, Hello)
        await self.say(make_snapshot(*asks, **fields))
        return hello

    def picture(self, *asks: Ask, **fields: Any) -> Snapshot:
        return make_snapshot(*asks, **fields)

    async def hear(self) -> Command:
        return decode_command(await self.socket.recv())

    async def say(self, message: Message) -> None:
        await self.socket.send(encode(message))

    async def update(
        self, seq: int, *events: Event, asks: tuple[Ask, ...] = ()
    ) -> None:
        self.seq = seq
        await self.say(make_update(seq, *events, asks=asks))

    async def part(self) -> None:
        """Hear everything until the client leaves, and close the line in order."""
        while not isinstance(await self.hear(), Leave):
            pass
        await self.socket.close()

    async def ask_and_part(self) -> None:
        """Ask once more, for a client whose input has ended to leave."""
        await self.update(self.seq + 1, asks=(make_ask(99),))
        await self.part()


Script = Callable[[FakeServer], Awaitable[None]]


@asynccontextmanager
async def fake_server(script: Script) -> AsyncIterator[Address]:
    """Serve ``script`` to each connection; a script that fails fails the test."""
    failures: list[BaseException] = []

    async def handle(socket: ServerConnection) -> None:
        try:
            await script(FakeServer(socket))
        except AssertionError as failure:
            failures.append(failure)

    async with serve(handle, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield read_address(f"127.0.0.1:{port}")
    for failure in failures:
        raise failure


@dataclass(frozen=True)
class Played:
    """How a command ended."""

    code: int
    output: str
    errors: str


async def run_command(*arguments: str, typed: str = "", **environment: str) -> Played:
    """Run the real command with ``typed`` as its piped input."""
    child = Child(
        "bj_client",
        *arguments,
        environment=os.environ | environment,
        anew="LC_ALL" in environment,
    )
    output, errors = await asyncio.to_thread(child.communicate, typed)
    assert child.returncode is not None
    return Played(child.returncode, output, errors)


class WatchedOutput(StringIO):
    """An output that knows when a text has been written to it."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.awaited = awaited
        self.seen = asyncio.Event()

    def write(self, text: str) -> int:
        if self.awaited in text:
            self.seen.set()
        return super().write(text)


async def run_lines(
    address: Address,
    typed: str,
    *,
    rounds: int | None = None,
    when: str = "",
    handles: tuple[str, ...] = ("ned21",),
    policy: ReconnectPolicy | None = None,
    is_live: bool = False,
) -> str:
    """Play a whole visit in this process by typed lines; return what was shown.

    Nothing is typed before the text ``when`` was shown.
    """
    ours, theirs = os.pipe()
    output = WatchedOutput(when)
    paper = PlainPaper(output)

    def session(hotseat: Hotseat, narrator: Narrator) -> LineSession:
        source = PipedInput(ours, paper, is_live=is_live, inline=False)
        return LineSession(hotseat, narrator, source, rounds)

    keys = Keyring(address.name, warn=pytest.fail)
    narrator = Narrator(paper, Faces(symbols=True))
    visit = Visit(handles, narrator, session, keys=keys, policy=policy)
    playing = asyncio.create_task(visit.run(address))
    seen = asyncio.create_task(output.seen.wait())
    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait({seen, playing}, return_when=asyncio.FIRST_COMPLETED)
            os.write(theirs, typed.encode())
            os.close(theirs)
            await playing
    finally:
        seen.cancel()
        playing.cancel()
        os.close(ours)
    return output.getvalue()


@pytest.fixture
def ask() -> Callable[..., Ask]:
    """Return the maker of asks."""
    return make_ask


@pytest.fixture
def snapshot() -> Callable[..., Snapshot]:
    """Return the maker of pictures."""
    return make_snapshot


@pytest.fixture
def update() -> Callable[..., Update]:
    """Return the maker of updates."""
    return make_update


@pytest.fixture
def seat() -> Callable[..., SeatView]:
    """Return the maker of seats."""
    return make_seat


@pytest.fixture
def table() -> Table:
    """Return a table with lia9 at seat 1 and this player, ned21, at seat 2."""
    return Table(make_snapshot())


@pytest.fixture
def served() -> Callable[[Script], AbstractAsyncContextManager[Address]]:
    """Return the maker of fake servers."""
    return fake_server


@pytest.fixture
def lines() -> Callable[..., Awaitable[str]]:
    """Return what plays a visit in this process."""
    return run_lines


@pytest.fixture
def command() -> Callable[..., Awaitable[Played]]:
    """Return what runs the real command."""
    return run_command
