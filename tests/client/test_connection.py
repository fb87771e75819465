import asyncio
import contextlib
import json
import socket
from typing import Any

import pytest

from bj_client.error import (
    ClientError,
    Exit,
    HelloRefusedError,
    LineLostError,
    TakenOverError,
    UnreachableError,
    Unreached,
    VersionMismatchError,
)
from bj_client.net import connection as line
from bj_client.net import opening
from bj_client.net.address import Address, read_address
from bj_client.net.connection import Connection
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.action import Action
from bj_protocol.commands import Hello
from bj_protocol.messages import Answered, Refused
from bj_protocol.refusal import CloseCode, RefusalCode
from support.fake_server import Script, fake_server

HELLO = Hello(version=PROTOCOL_VERSION, handle="ned21")


async def join(address: Address) -> Connection:
    connection = await Connection.open(address)
    try:
        await connection.join(HELLO)
    except BaseException:
        await connection.close()
        raise
    return connection


async def stay(address: Address) -> None:
    connection = await join(address)
    try:
        while True:
            await connection.receive()
    finally:
        await connection.close()


async def ending_of(script: Script) -> ClientError:
    """Return how a visit ends that the server's script spoils."""
    async with fake_server(script) as address:
        with pytest.raises(ClientError) as ended:
            await stay(address)
    sentence = str(ended.value)
    assert sentence.endswith(".")
    assert sentence.isprintable()
    return ended.value


async def test_nobody_listens() -> None:
    with pytest.raises(UnreachableError) as ended:
        await Connection.open(read_address("127.0.0.1:1"))
    assert str(ended.value) == (
        "There is no blackjack server at 127.0.0.1:1: start one with bj-server, or "
        "name another with --server."
    )


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
async def test_something_else_listens(answer: bytes) -> None:
    calls = []  # of which a second one finds out whether TLS is spoken here

    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        calls.append(asyncio.current_task())
        await reader.read(2**16)
        writer.write(answer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(UnreachableError) as ended:
            await Connection.open(read_address(f"127.0.0.1:{port}"))
        await asyncio.gather(*filter(None, calls))
    assert ended.value.exit is Exit.UNREACHABLE


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("503 Service Unavailable", "takes no more connections just now: try again"),
        ("429 Too Many Requests", "from your address as it takes: close another"),
    ],
)
async def test_n15_a_server_without_room_is_told_from_none(
    status: str, sentence: str
) -> None:
    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n\x1b[".encode())
        writer.write_eof()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(UnreachableError) as ended:
            await Connection.open(read_address(f"127.0.0.1:{port}"))
    assert ended.value.exit is Exit.UNREACHABLE
    assert sentence in str(ended.value)
    assert str(ended.value).isprintable()


async def test_n13_a_mute_server_is_reported_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line, "HELLO_SECONDS", 0.05)

    async def script(server: Any) -> None:
        await server.hear()
        await server.socket.wait_closed()

    ended = await ending_of(script)
    assert isinstance(ended, UnreachableError)
    assert ended.why is Unreached.MUTE
    assert ended.exit is Exit.UNREACHABLE
    assert "Nothing answers in time at " in str(ended)


async def test_n13_a_listener_that_never_shakes_hands_is_no_absent_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening, "OPEN_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(UnreachableError, match="Nothing answers in time at "):
            await Connection.open(read_address(f"127.0.0.1:{port}"))


async def test_n13_a_version_mismatch_names_both_versions() -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(
            Refused(
                code=RefusalCode.VERSION_MISMATCH,
                text="This server speaks 2 and your client 1: update it.",
                prompt=None,
            )
        )
        await server.socket.close(CloseCode.REFUSED, "refused")

    ended = await ending_of(script)
    assert isinstance(ended, VersionMismatchError)
    assert ended.exit is Exit.VERSION
    assert str(ended) == "This server speaks 2 and your client 1: update it."


@pytest.mark.parametrize(
    ("answer", "remedy"),
    [
        ({"type": "snapshot", "version": 3, "new": "field"}, "update bj-client"),
        ({"type": "welcome", "version": 3}, "update bj-client"),
        ({"type": "snapshot", "version": 1}, "ask the host to update bj-server"),
    ],
)
async def test_n13_a_picture_of_another_version_names_what_to_update(
    answer: dict[str, object], remedy: str
) -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.socket.send(json.dumps(answer))
        await server.socket.wait_closed()

    ended = await ending_of(script)
    assert str(ended) == (
        f"The server speaks version {answer['version']} of the protocol and this "
        f"bj-client version {PROTOCOL_VERSION}: {remedy}."
    )


async def test_n13_our_own_picture_with_another_version_is_a_mismatch() -> None:
    async def script(server: Any) -> None:
        await server.hello(version=7)
        await server.socket.wait_closed()

    ended = await ending_of(script)
    assert isinstance(ended, VersionMismatchError)
    assert "speaks version 7 of the protocol" in str(ended)


async def test_n13_a_refusal_of_another_shape_is_a_mismatch() -> None:
    async def script(server: Any) -> None:
        await server.hear()
        refusal = {"type": "refused", "code": "version_mismatch", "text": "Update."}
        await server.socket.send(json.dumps(refusal))
        await server.socket.wait_closed()

    ended = await ending_of(script)
    assert (ended.exit, str(ended)) == (Exit.VERSION, "Update.")


@pytest.mark.parametrize("text", ["hello", "[]", "7", "null", "{}", '{"a":' * 5000])
async def test_what_is_not_our_protocol_is_no_blackjack_server(text: str) -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.socket.send(text)
        await server.socket.wait_closed()

    ended = await ending_of(script)
    assert isinstance(ended, UnreachableError)
    assert ended.why is Unreached.NOT_OURS


async def test_a_first_message_out_of_place_is_no_blackjack_server() -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(Answered(prompt=1, answer=Action.HIT, seq=1))
        await server.socket.wait_closed()

    ended = await ending_of(script)
    assert isinstance(ended, UnreachableError)
    assert ended.why is Unreached.NOT_OURS


async def test_a_refused_hello_ends_with_the_servers_sentence() -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(
            Refused(
                code=RefusalCode.TABLE_FULL,
                text="The table\x1b[31m is full: try another with --table.",
                prompt=None,
            )
        )
        await server.socket.close(CloseCode.REFUSED, "refused")

    ended = await ending_of(script)
    assert isinstance(ended, HelloRefusedError)
    assert ended.exit is Exit.REFUSED
    assert str(ended) == "The table[31m is full: try another with --table."


@pytest.mark.parametrize(
    ("code", "kind", "why"),
    [
        (CloseCode.REFUSED, HelloRefusedError, None),
        (CloseCode.SERVER_STOPPING, UnreachableError, Unreached.NOBODY),
        (1000, UnreachableError, Unreached.NOT_OURS),
    ],
)
async def test_a_close_instead_of_an_answer(
    code: int, kind: type[ClientError], why: Unreached | None
) -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.socket.close(code, "There is no room.")

    ended = await ending_of(script)
    assert type(ended) is kind
    assert getattr(ended, "why", None) is why


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (CloseCode.TAKEN_OVER, TakenOverError),
        (CloseCode.SERVER_STOPPING, LineLostError),
        (CloseCode.TOO_SLOW, LineLostError),
        (CloseCode.BAD_MESSAGES, LineLostError),
        (CloseCode.LEFT, LineLostError),
        (1011, LineLostError),
    ],
)
async def test_a_close_during_play(code: int, kind: type[ClientError]) -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.socket.close(code, "because")

    assert isinstance(await ending_of(script), kind)


async def test_a_broken_line_is_lost() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        server.socket.transport.abort()

    ended = await ending_of(script)
    assert (type(ended), ended.exit) == (LineLostError, Exit.LOST)


async def test_an_unreadable_message_during_play_ends_the_visit() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.socket.send('{"type":"update","and":"more"}')
        await server.socket.wait_closed()

    assert "cannot read" in str(await ending_of(script))


async def test_the_end_is_told_to_everyone_who_asks() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.socket.close(CloseCode.TAKEN_OVER, "again")

    async with fake_server(script) as address:
        connection = await join(address)
        for _ in range(2):
            with pytest.raises(TakenOverError):
                await connection.receive()
        await connection.send(HELLO)
        await connection.close()
        await connection.close()
