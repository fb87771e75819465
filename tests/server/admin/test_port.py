"""The admin port, asked over a real socket of this machine."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import InvalidStatus

from bj_server.admin import port as port_module
from bj_server.admin.metrics import Metrics
from bj_server.admin.port import (
    Space,
    Status,
    new_metrics,
    serving_admin,
)
from bj_server.bank.bank import Bank
from bj_server.bank.error import UnbalancedError
from bj_server.gauges import NO_GAUGES
from bj_server.host import set_table
from bj_server.net.app import App
from bj_server.net.listening import ListenError
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.options import read_options
from bj_server.table.clock import LoopClock
from bj_server.table.inbox import Halt
from support.serving import join, read


@dataclass
class Served:
    """A server with an admin port."""

    uri: str
    port: int
    bank: Bank
    lobby: Lobby

    async def get(self, path: str, *headers: str, method: str = "GET") -> "Answer":
        host = f"Host: 127.0.0.1:{self.port}"
        lines = (f"{method} {path} HTTP/1.1", *(headers or (host,)), "", "")
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write("\r\n".join(lines).encode())
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        return Answer(int(head.split()[1]) if head else 0, head, body)

    async def metric(self, name: str, **labels: str) -> float | None:
        text = (await self.get("/metrics")).body
        return next(
            (
                sample.value
                for family in text_string_to_metric_families(text)
                for sample in family.samples
                if sample.name == name and sample.labels == labels
            ),
            None,
        )


@dataclass
class Answer:
    """What came back; status 0 is a connection that was closed without a word."""

    status: int
    head: str
    body: str


@asynccontextmanager
async def served(
    folder: Path, *options: str, metrics: Metrics | None
) -> AsyncIterator[Served]:
    settings = read_options(["--bank", str(folder), "--port", "0", *options])
    gauges = NO_GAUGES if metrics is None else metrics
    bank, clock = Bank.open(folder, gauges=gauges), LoopClock()
    tables = settings.tables
    lobby = Lobby(
        HostedTable.of(set_table(settings, t, bank, clock, gauges), t.code)
        for t in tables
    )
    app, stop = App(lobby, settings.limits, gauges), asyncio.Event()
    space = Space(folder, 0)
    space.look()
    status = Status(app, lobby, bank, space)
    found = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(app.run("127.0.0.1", 0, stop, found.set_result))
    try:
        async with serving_admin(0, status, metrics) as port:
            assert port is not None
            yield Served(f"ws://127.0.0.1:{await found}", port, bank, lobby)
    finally:
        stop.set()
        await task
        bank.close()


async def play_a_round(uri: str) -> None:
    line = await join(uri)
    ask = (await read(line))["turn"]["asks"][0]
    bet = {"type": "place_bet", "prompt": ask["prompt"], "amount": 1000}
    await line.send(json.dumps(bet))
    turn = (await read(line))["turn"]
    await line.send(json.dumps({"type": "stand", "prompt": 999}))
    assert (await read(line))["code"] == "not_asked"
    stand = {"type": "stand", "prompt": turn["asks"][0]["prompt"]}
    await line.send(json.dumps(stand))
    assert "round_ended" in str(await line.recv())
    await line.close()


async def test_metrics_tell_what_was_played_and_by_nobody_s_name(
    tmp_path: Path,
) -> None:
    options = ("--stack", "Ts 9s 9h 8d", "--table", "main", "--table", "high")
    async with served(tmp_path, *options, metrics=new_metrics()) as at:
        assert await at.metric("bj_rounds_total", table="high") == 0
        await play_a_round(at.uri)
        answer = await at.get("/metrics")
        assert answer.status == 200
        assert "Content-Type: text/plain; version=0.0.4" in answer.head
        assert "ned21" not in answer.body
        assert await at.metric("bj_rounds_total", table="main") == 1
        assert await at.metric("bj_round_seconds_count", table="main") == 1
        assert await at.metric("bj_answer_seconds_count", table="main") == 3
        assert await at.metric("bj_refused_frames_total", code="not_asked") == 1
        assert (await at.metric("bj_bank_commit_seconds_count") or 0) >= 2
        assert await at.metric("bj_seats_taken", table="main") == 1
        assert await at.metric("bj_bank_check_ok") == 1
        assert await at.metric("bj_bank_stalled") == 0
        assert await at.metric("bj_outbox_bytes") == 0
        for state in ("new", "joined", "behind"):
            assert await at.metric("bj_connections", state=state) is not None
        assert (await at.metric("process_open_fds") or 0) > 0


async def test_the_clock_s_decisions_are_counted(tmp_path: Path) -> None:
    options = ("--bet-seconds", "0.05", "--stack", "Ts 9s 9h 8d")
    async with served(tmp_path, *options, metrics=new_metrics()) as at:
        line = await join(at.uri)
        while "sat_out" not in str(await line.recv()):
            pass
        assert (await at.metric("bj_timeouts_total", table="main") or 0) >= 1
        await line.close()


async def test_a_server_that_is_well_says_so(tmp_path: Path) -> None:
    async with served(tmp_path, metrics=None) as at:
        line = await join(at.uri)
        await read(line)
        answer = await at.get("/healthz?from=probe")
        said = json.loads(answer.body)
        assert answer.status == 200
        assert "Content-Type: application/json" in answer.head
        assert (said["status"], said["tables"]) == ("ok", {"main": 1})
        assert said["connections"] == {"new": 0, "joined": 1, "behind": 0}
        assert said["bank"]["is_sound"] is True
        await line.close()


async def test_a_server_that_is_not_well_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path, metrics=new_metrics()) as at:

        async def reasons() -> list[str]:
            answer = await at.get("/healthz")
            assert answer.status == 503
            found: list[str] = json.loads(answer.body)["reasons"]
            return found

        at.bank.journal._syncer.failure = "No space left on device"
        assert "The bank cannot write to its disk: No space" in (await reasons())[0]
        assert await at.metric("bj_bank_stalled") == 1
        at.bank.journal._syncer.failure = None
        with monkeypatch.context() as patch:
            patch.setitem(at.bank.books.ledger.balances, "house", 1)
            with pytest.raises(UnbalancedError):
                at.bank.audit()
        assert await reasons() == ["The books of the bank contradict themselves."]
        assert await at.metric("bj_bank_check_ok") == 0
        at.bank.audit()
        (table,) = at.lobby
        table.dealer.submit(Halt())
        while (await at.get("/healthz")).status == 200:
            pass
        assert await reasons() == ["The dealer of table main is gone."]


async def test_without_the_library_metrics_name_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.admin.port.find_spec", lambda name: None)
    async with served(tmp_path, metrics=new_metrics()) as at:
        answer = await at.get("/metrics")
        assert answer.status == 501
        assert "blackjack-table[metrics]" in answer.body
        assert (await at.get("/healthz")).status == 200


UPGRADE = (
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/healthz", ("Host: localhost",), 200),
        ("GET", "/healthz", ("Host: LOCALHOST:80",), 200),
        ("GET", "/healthz", ("Host: evil.example",), 403),
        ("GET", "/healthz", ("Host: evil.example:127",), 403),
        ("GET", "/healthz", ("Host: localhost.evil.example",), 403),
        ("GET", "/healthz", ("Host: localhost", "Host: localhost"), 403),
        ("GET", "/healthz", ("Accept: */*",), 403),
        ("GET", "/metrics", ("Host: localhost", "Origin: http://localhost"), 403),
        ("GET", "/healthz", ("Host: localhost", "Origin: null"), 403),
        ("POST", "/healthz", ("Host: localhost",), 405),
        ("HEAD", "/healthz", ("Host: localhost",), 200),
        ("HEAD", "/healthz", ("Host: evil.example",), 403),
        ("HEAD", "/nothing", ("Host: localhost",), 404),
        ("GET", "/", ("Host: localhost",), 404),
        ("GET", "/healthz/../x", ("Host: localhost",), 404),
        ("GET", "/healthz", UPGRADE, 200),
        ("POST", "/healthz", ("Host: localhost", "Content-Length: 5"), 0),
        ("GET", "/healthz", ("Host: localhost", "X: " + "y" * 9000), 431),
        ("GET", "/" + "x" * 9000, ("Host: localhost",), 414),
        ("GET", "/healthz", ("Host: localhost", *["X: y"] * 200), 431),
    ],
)
async def test_what_is_answered_and_what_is_refused(
    tmp_path: Path, method: str, path: str, headers: tuple[str, ...], status: int
) -> None:
    async with served(tmp_path, metrics=None) as at:
        assert (await at.get(path, *headers, method=method)).status == status


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/"])
async def test_14_11_head_is_answered_as_get_without_the_body(
    tmp_path: Path, path: str
) -> None:
    async with served(tmp_path, metrics=new_metrics()) as at:
        whole, head = await at.get(path), await at.get(path, method="HEAD")
        assert (head.status, head.body) == (whole.status, "")
        names = [line.partition(":")[0] for line in whole.head.splitlines()[1:]]
        found = [line.partition(":")[0] for line in head.head.splitlines()[1:]]
        assert found == names
        assert "Content-Length: 0" not in head.head
        assert "Allow: GET, HEAD" in (await at.get(path, method="POST")).head


async def test_14_11_growth_and_refusals_are_metrics(tmp_path: Path) -> None:
    options = ("--max-per-address", "1")
    async with served(tmp_path, *options, metrics=new_metrics()) as at:
        assert await at.metric("bj_accounts") == 0
        for handle in ("ned21", "ned21", "lia9"):
            line = await join(at.uri, handle)
            await read(line)
            await line.close()
        line = await join(at.uri, "eve", key="no key")
        await read(line)
        await line.close()
        assert await at.metric("bj_accounts") == 2
        assert await at.metric("bj_refused_frames_total", code="bad_key") == 1
        for reason in ("full", "address"):
            found = await at.metric("bj_refused_connections_total", reason=reason)
            assert found == 0
        journal = (tmp_path / "journal-000001.jsonl").stat().st_size
        assert 0 < (await at.metric("bj_journal_bytes") or 0) <= journal
        assert (await at.metric("bj_disk_free_bytes") or 0) > 0
        said = json.loads((await at.get("/healthz")).body)
        assert said["bank"]["accounts"] == 2
        assert said["disk"]["is_low"] is False


async def test_14_11_connections_that_are_turned_away_are_counted_by_reason(
    tmp_path: Path,
) -> None:
    options = ("--max-connections", "1")
    async with served(tmp_path, *options, metrics=new_metrics()) as at:
        line = await join(at.uri)
        for turned_away in (1, 2):
            with pytest.raises(InvalidStatus):
                await join(at.uri, "lia9")
            name = "bj_refused_connections_total"
            assert await at.metric(name, reason="full") == turned_away
            assert await at.metric(name, reason="address") == 0
        await line.close()


async def test_half_a_request_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port_module, "_REQUEST_SECONDS", 0.05)
    async with served(tmp_path, metrics=None) as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", at.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: local")
        assert await reader.read() == b""
        writer.close()


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    async with served(tmp_path, metrics=None) as at:
        status = Status(App(at.lobby), at.lobby, at.bank, Space(tmp_path, 0))
        with pytest.raises(ListenError, match=f"127.0.0.1:{at.port} for the admin"):
            async with serving_admin(at.port, status, None):
                pass


async def test_nothing_but_loopback_reaches_the_port(tmp_path: Path) -> None:
    async with served(tmp_path, metrics=None) as at:
        with socket.socket() as other:
            other.bind(("127.0.0.2", at.port))  # free, so it is not on all addresses
