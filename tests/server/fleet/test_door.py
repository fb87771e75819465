"""The door of a fleet: HAProxy as the page has it, two real servers, real clients."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import psycopg
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bj_protocol.refusal import CloseCode
from bj_server.bank.signer import FLEET_NAME, Signer
from support.certificates import Certificates
from support.nursery import PATIENCE, Child
from support.serving import hello, read
from support.wire import Wire

CONFIGURATION = Path(__file__).parents[3] / "docs" / "haproxy.cfg"
HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
NAMES = {"n1": "main", "n2": "attic"}

needs_haproxy = pytest.mark.skipif(
    HAPROXY is None,
    reason="HAProxy is not installed, so the door of a fleet was not tried",
)


class Fleet:
    """Two servers in processes of their own, and a database."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.key = Signer.after()
        self.servers: dict[str, Child] = {}
        self.ports: dict[str, str] = {}
        self.lead_to(url)

    def lead_to(self, url: str) -> None:
        """Have the servers that are started from now on reach the database there."""
        (self.folder / "url").write_text(url_of(url))

    def start(self, name: str, address: str, *options: str, doors: Any = ()) -> None:
        """Start a server, whose word says by which address it is reached."""
        bank = self.folder / name
        bank.mkdir(mode=0o700, exist_ok=True)
        word = self.key.take_in(Signer.alone(bank).key, name, address, doors)
        (bank / FLEET_NAME).write_text(word.model_dump_json())
        self.servers[name] = child = Child(
            "bj_server",
            *("--bank", str(bank), "--fleet", str(self.folder / "url")),
            *("--port", "0", "--table", NAMES[name], "--log-level", "warning"),
            *("--hold-seconds", "3600", *options),
        )
        said = child.stdout.readline()
        found = re.search(r":(\d+)", said)
        assert found, child.communicate()
        self.ports[name] = found[1]

    def order(self, name: str, *words: str) -> str:
        """Have the host order something of a server; return the answer."""
        child = Child("bj_server.host_cli", "--bank", str(self.folder / name), *words)
        answer, errors = child.communicate()
        assert child.returncode == 0, errors
        return answer

    def rows(self, query: str) -> list[Any]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()

    def settled(self) -> None:
        """Wait until all visits are over, and see that no cent is missing."""
        ends = time.monotonic() + PATIENCE
        while self.rows("SELECT id FROM visits WHERE cents_out IS NULL"):
            assert time.monotonic() < ends
            time.sleep(0.02)
        assert self.rows("SELECT sum(cents) FROM accounts") == [(0,)]

    def close(self) -> None:
        running = [each for each in self.servers.values() if each.poll() is None]
        for child in running:
            child.send_signal(signal.SIGTERM)
        for child in running:
            child.communicate()


def url_of(conninfo: str) -> str:
    words = dict(part.split("=", 1) for part in conninfo.split())
    return f"postgresql:///{words.pop('dbname')}?" + "&".join(
        f"{name}={value}" for name, value in words.items()
    )


class Door:
    """HAProxy by the configuration of the page, with our addresses in it."""

    def __init__(self, folder: Path, certificates: Certificates) -> None:
        self._folder, pair = folder, certificates.here
        self._pem = folder / "cards.pem"
        self._pem.write_text(pair.certificate.read_text() + pair.key.read_text())
        self._line = socket.create_server(("127.0.0.1", 0))
        self.uri = f"wss://localhost:{self._line.getsockname()[1]}"
        self._process: subprocess.Popen[bytes] | None = None

    def open(self, ports: dict[str, str]) -> Self:
        """Let players through to the servers at these ports."""
        text = CONFIGURATION.read_text()
        for old, new in {
            ":443 ssl crt /etc/haproxy/cards.pem": (
                f"fd@{self._line.fileno()} ssl crt {self._pem}"
            ),
            "maxconn 20000": "maxconn 200",
            "/var/lib/haproxy/admin.sock": str(self._folder / "haproxy.sock"),
            " n1:8765": f" 127.0.0.1:{ports['n1']}",
            " n2:8765": f" 127.0.0.1:{ports['n2']}",
        }.items():
            assert old in text
            text = text.replace(old, new)
        path = self._folder / "haproxy.cfg"
        path.write_text(text)
        assert HAPROXY is not None
        self._process = subprocess.Popen(
            [HAPROXY, "-db", "-q", "-f", str(path)], pass_fds=[self._line.fileno()]
        )
        return self

    async def wait_for_tables(self, path: str, certificates: Certificates) -> None:
        """Return once a server knows the tables of all of them."""
        context = ssl.create_default_context(cafile=str(certificates.authority))
        async with asyncio.timeout(PATIENCE):
            async with connect(self.uri + path, ssl=context) as line:
                names: set[str] = set()
                while names != set(NAMES.values()):
                    await line.send('{"type":"list_tables","version":2}')
                    told = await read(line)
                    names = {table["name"] for table in told["tables"]}
                    await asyncio.sleep(0.3)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._line.close()
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)


@pytest.fixture
def fleet(tmp_path: Path, database: str) -> Iterator[Fleet]:
    fleet = Fleet(tmp_path, database)
    try:
        yield fleet
    finally:
        fleet.close()


@pytest.fixture
def door(fleet: Fleet, tmp_path: Path, certificates: Certificates) -> Iterator[Door]:
    with Door(tmp_path, certificates) as door:
        for name in NAMES:
            where = f"{door.uri}/s/{name}"
            proxy = ("--proxy-protocol", "127.0.0.1")
            fleet.start(name, where, *proxy, doors=[door.uri])
        door.open(fleet.ports)
        for name in NAMES:
            asyncio.run(door.wait_for_tables(f"/s/{name}", certificates))
        yield door


def bot(door: Door, certificates: Certificates, state: Path, *options: str) -> Child:
    """Start the real client, with a bot that plays."""
    return Child(
        "bj_client",
        *("--server", door.uri, "--tls-ca", str(certificates.authority)),
        *("--handle", "ned21", "--plain", "--bot", "basic", *options),
        environment={**os.environ, "XDG_STATE_HOME": str(state)},
    )


def play(door: Door, certificates: Certificates, state: Path, *options: str) -> str:
    """Play a round by the real client; return what it has written."""
    child = bot(door, certificates, state, "--rounds", "1", *options)
    said, errors = child.communicate()
    assert child.returncode == 0, errors
    return said


@needs_haproxy
def test_the_door_leads_to_each_table_with_one_key_and_one_bank(
    fleet: Fleet, door: Door, certificates: Certificates, tmp_path: Path
) -> None:
    for table in ("attic", "main", "attic"):
        said = play(door, certificates, tmp_path / "ned", "--table", table)
        assert f"table {table}" in said
        fleet.settled()
    found = fleet.rows("SELECT server, handle FROM visits ORDER BY opened")
    assert found == [("n2", "ned21"), ("n1", "ned21"), ("n2", "ned21")]
    assert len(list((tmp_path / "ned").rglob("ned21.key"))) == 1


@needs_haproxy
def test_a_hotseat_comes_to_one_table(
    fleet: Fleet, door: Door, certificates: Certificates, tmp_path: Path
) -> None:
    said = play(door, certificates, tmp_path / "ned", "--handle", "lia9")
    assert "Good-bye, ned21" in said
    assert "Good-bye, lia9" in said
    fleet.settled()
    (servers,) = fleet.rows("SELECT count(DISTINCT server), count(*) FROM visits")
    assert servers == (1, 2)


@needs_haproxy
def test_a_client_comes_back_to_the_server_that_was_killed(
    fleet: Fleet, door: Door, certificates: Certificates, tmp_path: Path
) -> None:
    options = ("--rounds", "8", "--table", "main", "--reconnect", str(PATIENCE))
    child = bot(door, certificates, tmp_path / "ned", *options)
    while "Round 2 is over" not in (line := child.stdout.readline()):
        assert line
    fleet.servers["n1"].kill()
    fleet.servers["n1"].communicate()
    where, port = f"{door.uri}/s/n1", fleet.ports["n1"]
    proxy = ("--proxy-protocol", "127.0.0.1", "--port", port, "--take-over")
    fleet.start("n1", where, *proxy, doors=[door.uri])
    said, errors = child.communicate()
    assert (child.returncode, errors) == (0, "")
    assert f"The line to {door.uri} is back." in said
    fleet.settled()
    assert fleet.rows("SELECT count(*) FROM visits") == [(1,)]


@needs_haproxy
async def test_a_drained_server_sends_everybody_home(
    fleet: Fleet, door: Door, certificates: Certificates
) -> None:
    context = ssl.create_default_context(cafile=str(certificates.authority))
    line = await connect(f"{door.uri}/s/n1", ssl=context, open_timeout=PATIENCE)
    await line.send(hello("ned21", table="main"))
    assert (await read(line))["type"] == "snapshot"
    assert fleet.rows("SELECT cents FROM players") == [(0,)]
    answer = await asyncio.to_thread(fleet.order, "n1", "drain")
    assert "the server stops now" in answer
    with contextlib.suppress(ConnectionClosed):
        while True:
            await line.recv()
    assert line.close_code == CloseCode.TABLE_CLOSED
    _, errors = await asyncio.to_thread(fleet.servers["n1"].communicate)
    assert (fleet.servers["n1"].returncode, errors) == (0, "")
    fleet.settled()
    assert fleet.rows("SELECT cents FROM players") == [(1_000_000,)]
    # Those who come now are led to the server that is left.
    async with asyncio.timeout(PATIENCE):
        line = await connect(door.uri, ssl=context, open_timeout=PATIENCE)
        await line.send(hello("ned21"))
        picture = await read(line)
    assert (picture["type"], picture["table"]) == ("snapshot", "attic")
    await line.close()


async def test_a_drain_without_the_database_names_whose_money_it_has(
    fleet: Fleet, wire: Wire
) -> None:
    fleet.lead_to(wire.url)
    await asyncio.to_thread(fleet.start, "n1", "ws://127.0.0.1:1")
    line = await connect(f"ws://127.0.0.1:{fleet.ports['n1']}")
    await line.send(hello("ned21"))
    assert (await read(line))["type"] == "snapshot"
    wire.cut()
    await asyncio.to_thread(fleet.order, "n1", "drain")
    _, errors = await asyncio.to_thread(fleet.servers["n1"].communicate)
    assert fleet.servers["n1"].returncode == 5
    assert "The drain of server n1 has left 1 visits open" in errors
    assert ": ned21. Their money is in its bank folder" in errors
    await wire.mend()
    await asyncio.to_thread(fleet.start, "n1", "ws://127.0.0.1:1")
    await asyncio.to_thread(fleet.order, "n1", "drain")
    await asyncio.to_thread(fleet.servers["n1"].communicate)
    assert fleet.servers["n1"].returncode == 0
    await asyncio.to_thread(fleet.settled)
    assert fleet.rows("SELECT cents FROM players") == [(1_000_000,)]
