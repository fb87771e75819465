"""A connection that is closed with 1011 has a line in the log, whosever fault it is."""

import asyncio
import contextlib
import logging
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import Protocol
from websockets.server import ServerProtocol

from bj_server.log import keeping_log
from bj_server.net.limits import Limits
from bj_server.net.session import Session
from support.serving import join, read, serving

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def told(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.exc_info]


async def until_told(caplog: pytest.LogCaptureFixture) -> None:
    async with asyncio.timeout(60):
        while not told(caplog):  # noqa: ASYNC110 - a log sets no event
            await asyncio.sleep(0)


def break_down(*_: object) -> None:
    raise ZeroDivisionError("a fault of ours")


@pytest.mark.parametrize(
    ("where", "method"),
    [(Session, "received"), (Session, "lost"), (Session, "settled")],
)
async def test_14_3_a_fault_in_a_conversation_is_told_with_its_traceback(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    where: type,
    method: str,
) -> None:
    caplog.set_level("WARNING")
    async with serving(tmp_path / "bank") as uri:
        line = await connect(uri)
        with monkeypatch.context() as patch:
            patch.setattr(where, method, break_down)
            await line.send("no message")
            if method != "received":
                await line.close()
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await line.recv()
            await until_told(caplog)
        (record,) = told(caplog)
        assert record.getMessage() == "a fault of ours closes a line"
        assert "127.0.0.1" in str(record.__dict__["address"])
        if method == "received":
            assert line.close_code == 1011
        await line.close()


async def test_14_3_a_fault_before_a_conversation_is_answered_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path / "bank") as uri:
        with monkeypatch.context() as patch:
            patch.setattr(ServerProtocol, "accept", break_down)
            with pytest.raises(InvalidStatus) as caught:
                await connect(uri)
        assert caught.value.response.status_code == 500
        (record,) = told(caplog)
        assert record.getMessage() == "a fault of ours closes a line"


async def test_14_3_a_fault_in_what_waits_for_a_crowded_table_ends_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await connect(uri)
        with monkeypatch.context() as patch:
            patch.setattr(Session, "has_room", property(lambda _: False))
            patch.setattr(Session, "received", break_down)
            await line.send("no message")
            await line.wait_closed()
        (record,) = told(caplog)
        assert record.getMessage() == "a fault of ours closes a line"
        assert line.close_code == 1011


async def test_14_3_a_fault_in_the_library_is_told_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with keeping_log("warning", "text"):
        async with serving(tmp_path / "bank") as uri:
            line = await join(uri)
            await read(line)
            with monkeypatch.context() as patch:
                patch.setattr(Protocol, "recv_frame", break_down)
                await line.send("{}")
                await until_told(caplog)
            record = told(caplog)[0]
            assert record.levelname == "ERROR"
            assert record.getMessage() == "parser failed"
            line.transport.abort()


async def test_14_3_a_line_that_answers_no_ping_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    limits = Limits(ping_seconds=0.01, pong_seconds=0.01, close_seconds=0.05)
    async with serving(tmp_path / "bank", limits=limits) as uri:
        host, _, port = uri.removeprefix("ws://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(REQUEST)
        said = await reader.read()
        writer.close()
    assert (1011).to_bytes(2) in said
    known = {record.getMessage(): record for record in caplog.records}
    record = known["dropped, it answers no ping"]
    assert record.__dict__["address"] == "127.0.0.1"
