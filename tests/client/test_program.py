"""A program's session, with a server of the test's and pipes for its streams."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import pytest

from bj_client.error import (
    ClientError,
    LineLostError,
    OutputClosedError,
    TakenOverError,
)
from bj_client.net.address import Address
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.options import read_options
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import LineReader
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Visit
from bj_client.program import LONGEST, JsonOutput, ProgramSession, read_order
from bj_protocol.codec import MessageError, decode_message
from bj_protocol.commands import Chat, Leave, PlaceBet, Resync
from bj_protocol.events import PlayerJoined
from bj_protocol.messages import Message, Snapshot, Update
from bj_protocol.refusal import CloseCode
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.returning import AT_ONCE, cut, in_turn

TESS = PlayerJoined(seat=3, handle="tess", balance=100)


class Program:
    """A program's ends of the streams."""

    def __init__(self) -> None:
        self._given, self._hand = os.pipe()
        self._mouth, self._shown = os.pipe()
        self._lines = asyncio.StreamReader()

    async def line(self) -> str:
        """Return the next line."""
        return (await self._lines.readline()).decode()

    async def hear(self) -> Any:
        """Return what the next line says."""
        return json.loads(await self.line())

    async def message(self) -> Message:
        return decode_message(json.dumps(await self.hear()))

    def say(self, text: str) -> None:
        os.write(self._hand, f"{text}\n".encode())

    def end(self) -> None:
        """Say nothing more."""
        if self._hand >= 0:
            os.close(self._hand)
            self._hand = -1

    async def play(
        self, address: Address, policy: ReconnectPolicy | None = None
    ) -> None:
        """Have the client play for this program."""

        def session(hotseat: Hotseat, _: Narrator) -> ProgramSession:
            output = JsonOutput(self._shown)
            orders = LineReader(self._given, LONGEST + 1)
            return ProgramSession(hotseat.storyteller, orders, output)

        keys = Keyring(address.name, warn=pytest.fail)
        silent = Narrator.silent()
        visit = Visit(("ned21",), silent, session, keys=keys, policy=policy)
        await visit.run(address)

    @asynccontextmanager
    async def living(self) -> AsyncIterator[Self]:
        """Listen for as long as the block lasts."""
        loop = asyncio.get_running_loop()
        listening, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._lines), os.fdopen(self._mouth)
        )
        try:
            yield self
        finally:
            self.end()
            listening.close()
            os.close(self._shown)
            os.close(self._given)


@pytest.fixture
async def program() -> AsyncIterator[Program]:
    async with Program().living() as program:
        yield program


async def test_everything_is_handed_on_as_it_came(program: Program) -> None:
    stale = Update(table="main", seq=3, events=(TESS,), turn=None)
    ahead = Update(table="main", seq=30, events=(TESS,), turn=None)

    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        await server.say(stale)
        await server.say(ahead)
        assert await server.hear() == Resync(seq=None)
        await server.say(server.picture(make_ask(7)))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        assert await server.hear() == Leave()
        await server.update(31, TESS)
        await server.socket.close()

    async with fake_server(script) as address, asyncio.timeout(60):
        playing = asyncio.create_task(program.play(address))
        assert isinstance(await program.message(), Snapshot)
        assert [await program.message(), await program.message()] == [stale, ahead]
        program.say('{"type":"resync"}')
        assert isinstance(await program.message(), Snapshot)
        program.say('{ "prompt": 7, "amount": 500, "type": "place_bet" }\r')
        program.end()
        await playing
        assert (await program.hear())["seq"] == 31


async def test_what_is_signed_is_handed_on_to_the_byte(program: Program) -> None:
    signed = json.dumps(
        {
            "table": "main",
            "type": "signed",
            "seq": 10,
            "kind": "start",
            "round": 3,
            "head": "0a" * 32,
            "signature": "0b" * 64,
        }
    )

    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        await server.socket.send(signed)
        await server.socket.send(signed.replace(", ", ",\n"))
        await server.part()

    async with fake_server(script) as address, asyncio.timeout(60):
        playing = asyncio.create_task(program.play(address))
        await program.hear()
        assert await program.line() == f"{signed}\n"
        assert (await program.hear())["note"] == ""  # in one line, so not as it came
        program.end()
        await playing


@pytest.mark.parametrize(
    "order",
    [
        {"type": "link", "head": "0a" * 32, "link": "0b" * 32},
        {"type": "place_bet", "prompt": 7, "amount": 5, "commitment": "0c" * 32},
    ],
)
def test_links_and_commitments_are_the_business_of_the_client(
    order: dict[str, object],
) -> None:
    with pytest.raises(MessageError, match="sends the links by itself"):
        read_order(json.dumps(order).encode())


async def test_what_is_said_while_the_line_is_lost_is_sent_when_it_is_back(
    program: Program,
) -> None:
    lost, told = asyncio.Event(), asyncio.Event()

    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        cut(server)

    async def after(server: Any) -> None:
        hello = await server.hear()
        lost.set()
        await told.wait()
        assert hello.handle == "ned21"
        await server.say(server.picture(make_ask(7)))
        assert await server.hear() == Chat(text="Where was I?")
        await server.part()

    async with fake_server(in_turn(before, after)) as address, asyncio.timeout(60):
        playing = asyncio.create_task(program.play(address, AT_ONCE))
        await program.hear()
        assert await program.hear() == {"type": "line", "state": "lost"}
        await lost.wait()
        program.say('{"type":"chat","text":"Where was I?"}')
        program.say("nothing")
        assert (await program.hear())["code"] == "bad_message"
        told.set()
        assert await program.hear() == {"type": "line", "state": "back"}
        assert isinstance(await program.message(), Snapshot)
        program.end()
        await playing


async def test_an_answer_is_not_sent_to_another_table_of_the_fleet(
    program: Program,
) -> None:
    lost, told = asyncio.Event(), asyncio.Event()

    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        cut(server)

    async def after(server: Any) -> None:
        await server.hear()
        lost.set()
        await told.wait()
        await server.say(make_snapshot(make_ask(7), table="attic"))
        assert await server.hear() == Chat(text="Hello!")
        await server.part()

    async with fake_server(in_turn(before, after)) as address, asyncio.timeout(60):
        playing = asyncio.create_task(program.play(address, AT_ONCE))
        await program.hear()
        assert await program.hear() == {"type": "line", "state": "lost"}
        await lost.wait()
        program.say('{"type":"place_bet","prompt":7,"amount":500}')
        program.say('{"type":"chat","text":"Hello!"}')
        program.say("nothing")
        assert (await program.hear())["code"] == "bad_message"
        told.set()
        refused = await program.hear()
        assert (refused["code"], refused["prompt"]) == ("prompt_over", 7)
        assert await program.hear() == {"type": "line", "state": "back"}
        picture = await program.message()
        assert isinstance(picture, Snapshot)
        assert picture.table == "attic"
        program.end()
        await playing


async def test_a_program_may_leave_while_the_line_is_lost(program: Program) -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        cut(server)

    async def after(server: Any) -> None:
        await server.hear()
        await server.socket.wait_closed()

    async with fake_server(in_turn(before, after)) as address, asyncio.timeout(60):
        playing = asyncio.create_task(program.play(address, AT_ONCE))
        await program.hear()
        assert await program.hear() == {"type": "line", "state": "lost"}
        program.say('{"type":"leave"}')
        await playing


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        (CloseCode.TAKEN_OVER, TakenOverError),
        (CloseCode.SERVER_STOPPING, LineLostError),
    ],
)
async def test_a_visit_that_ends_otherwise_ends_as_for_people(
    program: Program, code: CloseCode, ending: type[ClientError]
) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        await server.socket.close(code, "Go.")

    async with fake_server(script) as address, asyncio.timeout(60):
        with pytest.raises(ending):
            await program.play(address)
        assert isinstance(await program.message(), Snapshot)


async def test_an_output_that_nobody_reads_any_more_ends_in_silence() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with pytest.raises(OutputClosedError) as closed:
        await JsonOutput(theirs).write("{}")
    os.close(theirs)
    assert closed.value.quiet
    with pytest.raises(OutputClosedError):
        await JsonOutput(None).write("{}")


async def test_a_reader_that_is_slow_gets_whole_lines_in_order() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    lines = [json.dumps(str(number) * 100_000) for number in range(3)]
    output = JsonOutput(theirs)
    writing = [asyncio.create_task(output.write(line)) for line in lines]
    data = b""
    while data.count(b"\n") < len(lines):
        data += await asyncio.to_thread(os.read, ours, 65536)
    await asyncio.gather(*writing)
    assert data.decode().splitlines() == lines
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bot", "basic"], "a program of yours plays: leave --bot out."),
        (["--style", "cs220"], "nothing but JSON is printed: leave --style out."),
        (["--rounds", "3"], "leave --rounds out."),
        (["--handle", "lia9"], "--json is for one player: name one handle"),
    ],
)
def test_what_does_not_go_with_a_program_is_told_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        read_options(["--json", "--handle", "tess", *arguments], {})
    assert sentence in capsys.readouterr().err
    with pytest.raises(SystemExit):
        read_options(["--json", "--list-tables"], {})
    assert "by list_tables: leave --list-tables out." in capsys.readouterr().err
