"""The real server on a real socket of this machine."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalError
from bj_server.host import set_table
from bj_server.net.app import App
from bj_server.net.limits import Limits
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.session import Session
from bj_server.options import read_options
from bj_server.table.clock import LoopClock
from support.serving import join, read, serving


async def test_two_players_hear_the_same_bytes(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", "--stack", "Ts 9s 6h 9d 9c 9h 8d") as uri:
        one = await join(uri)
        assert (await read(one))["you"] == {"handle": "ned21", "seat": 1}
        other = await join(uri, "lia9")
        snapshot = await read(other)
        assert snapshot["you"] == {"handle": "lia9", "seat": 2}
        await read(one)  # lia9 has joined
        for line, ask in zip((one, other), snapshot["turn"]["asks"], strict=True):
            bet = {"type": "place_bet", "prompt": ask["prompt"], "amount": 1000}
            await line.send(json.dumps(bet))
            heard = [await line.recv() for line in (one, other)]
            assert heard[0] == heard[1]
        assert json.loads(heard[0])["events"][1]["type"] == "round_began"
        await one.close()
        await other.close()


async def test_what_is_queued_for_a_crowded_table_is_heard_before_what_comes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri)
        await read(line)
        crowded = [True]
        room = property(lambda _: not crowded or not crowded.pop())
        monkeypatch.setattr(Session, "has_room", room)
        words = ["this waits", "this could be heard at once"]
        for word in words:
            line.protocol.send_text(json.dumps({"type": "chat", "text": word}).encode())
        line.transport.write(b"".join(line.protocol.data_to_send()))
        said: list[str] = []
        while len(said) < len(words):
            events = (await read(line)).get("events", ())
            said += [event["text"] for event in events if event["type"] == "said"]
        assert said == words
        await line.close()


async def test_what_waits_for_a_crowded_table_is_heard_though_its_line_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path / "bank") as uri:
        line, other = await join(uri), await join(uri, "lia9")
        await read(line)
        await read(other)
        there_is_room = asyncio.Event()
        monkeypatch.setattr(Session, "has_room", property(lambda _: False))
        monkeypatch.setattr(Session, "room", lambda _: there_is_room.wait())
        for text in ("first", "last"):
            await line.send(json.dumps({"type": "chat", "text": text}))
        await line.close()
        there_is_room.set()
        said: list[str] = []
        while len(said) < 2:
            events = (await read(other)).get("events", ())
            said += [event["text"] for event in events if event["type"] == "said"]
        assert said == ["first", "last"]
        await other.close()


async def test_S11_a_web_page_is_turned_away(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank") as uri:
        for origin in ("https://evil.example", "null"):
            with pytest.raises(InvalidStatus) as caught:
                await connect(uri, origin=origin)  # type: ignore[arg-type]
            assert caught.value.response.status_code == 403


async def test_N4_a_message_over_the_limit_closes_the_line(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri)
        await read(line)
        await line.send("x" * (16 * 1024))
        assert (await read(line))["code"] == "bad_message"
        await line.send("x" * (16 * 1024 + 1))
        with pytest.raises(ConnectionClosed):
            await line.recv()
        assert line.close_code == 1009


async def test_a_refused_hello_is_told_before_the_close(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri, "../x")
        assert (await read(line))["code"] == "bad_handle"
        with pytest.raises(ConnectionClosed):
            await line.recv()
        assert line.close_code == 4000
        assert line.close_reason is not None
        assert line.close_reason.startswith("A handle is 1 to 64 characters")


async def test_a_silent_line_is_closed(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", limits=Limits(hello_seconds=0.05)) as uri:
        line = await connect(uri)
        with pytest.raises(ConnectionClosed):
            await line.recv()
        assert line.close_code == 4003


async def test_a_stop_tells_everyone_and_keeps_the_round(tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    async with serving(folder, "--stack", "Ts 9h 9s 8h") as uri:
        line = await join(uri)
        ask = (await read(line))["turn"]["asks"][0]
        bet = {"type": "place_bet", "prompt": ask["prompt"], "amount": 1000}
        await line.send(json.dumps(bet))
        turn = (await read(line))["turn"]
    with pytest.raises(ConnectionClosed):
        await line.recv()
    assert line.close_code == 1001
    async with serving(folder, "--stack", "Ts 9h 9s 8h") as uri:
        line = await join(uri)
        snapshot = await read(line)
        assert snapshot["turn"]["asks"] == turn["asks"]
        assert snapshot["notices"][-1].startswith("The server was restarted in round 1")
        stand = {"type": "stand", "prompt": turn["asks"][0]["prompt"]}
        await line.send(json.dumps(stand))
        told = {event["type"]: event for event in (await read(line))["events"]}
        assert told["hand_settled"]["payout"] == 2000


async def test_a_bank_that_fails_ends_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_options(["--bank", str(tmp_path / "bank")])
    bank = Bank.open(tmp_path / "bank")
    table = set_table(settings, settings.tables[0], bank, LoopClock())
    app = App(Lobby([HostedTable.of(table)]))

    async def fail() -> None:
        raise JournalError(tmp_path, "No space left on device")

    monkeypatch.setattr(table.context.till, "commit", fail)
    port = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(
        app.run("127.0.0.1", 0, asyncio.Event(), port.set_result)
    )
    line = await join(f"ws://127.0.0.1:{await port}")
    assert not app.is_stopping
    with pytest.raises(ExceptionGroup) as caught:
        await task
    assert caught.group_contains(JournalError)
    assert app.is_stopping
    with pytest.raises(ConnectionClosed):
        await line.recv()
    bank.close()
