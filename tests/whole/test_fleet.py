"""Real servers of one fleet: players move between them, and they are killed."""

import asyncio
import json
import random
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bj_server.bank.bank import Bank
from bj_server.bank.move import DONOR, HOUSE, VAULT
from bj_server.bank.signer import FLEET_NAME, Signer
from bj_server.fleet.sql.connections import connect as connect_to
from bj_server.fleet.sql.migration import migrate
from support.fleet import check_books, query
from support.nursery import PATIENCE, Child
from support.postgres import Successor
from support.serving import hello, read

# What is measured here would not be the servers, which are other processes.
pytestmark = pytest.mark.no_cover

NAMES = ("east", "north", "west")
HANDLES = ("ned21", "lia9", "kim", "ibad")


class Seat:
    """A real server of a fleet, on one port for all its lives."""

    def __init__(self, name: str, folder: Path, url: str, key: Signer) -> None:
        self.folder, self._name = folder / name, name
        # Bound all the time, so that nobody takes the port between two lives.
        self._holder = socket.socket()
        self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._holder.bind(("127.0.0.1", 0))
        self._port = self._holder.getsockname()[1]
        self.uri = f"ws://127.0.0.1:{self._port}"
        self.folder.mkdir(0o700)
        view = key.take_in(Signer.open(self.folder).key, name, self.uri)
        (self.folder / FLEET_NAME).write_text(view.model_dump_json())
        self._url = folder / "fleet.url"
        self._url.write_text(url)
        self._child: Child | None = None
        self.said = ""

    def start(self) -> None:
        """Start, and return once it can be joined."""
        where = ("--port", str(self._port), "--bank", str(self.folder))
        fleet = ("--fleet", str(self._url), "--take-over", "--log-level", "error")
        quick = ("--house", "vegas-strip", "--bet-seconds", "0.3", "--no-proof")
        tables = ("--table", "main", "--table", f"{self._name}-two")
        free = ("--max-new-handles", "0", "--max-wrong-tries", "0", "--max-rate", "0")
        options = (*where, *fleet, *quick, *tables, *free)
        self._child = Child("bj_server", *options)
        first = self._child.stdout.readline()
        assert first.startswith("Blackjack is open"), (first, self._end())

    def kill(self) -> None:
        """Kill it, whatever it is about to do."""
        assert self._child is not None
        self._child.kill()
        self._child.wait()
        assert "Traceback" not in self._end()

    def stop(self) -> None:
        """Stop it in order."""
        assert self._child is not None
        self._child.send_signal(signal.SIGTERM)
        assert self._child.wait() == 0, self._end()
        assert self._end() == ""

    def _end(self) -> str:
        assert self._child is not None
        text = self._child.stderr.read()
        self._child.close()
        self._child = None
        return text

    def leave(self) -> None:
        """Leave nothing running."""
        self._holder.close()
        if self._child is not None:
            self._child.kill()
            self._child.close()


class Wanderer:
    """A player who bets all the time, and goes from server to server."""

    def __init__(
        self, handle: str, uris: list[str], seed: int, seen: asyncio.Semaphore
    ) -> None:
        self._handle, self._uris, self._seen = handle, uris, seen
        self._chance = random.Random(f"{handle} {seed}")
        self.visits = self.rounds = self.moves = 0
        self.refusals: set[str] = set()

    async def wander(self) -> None:
        """Play here and there until cancelled."""
        uri = self._chance.choice(self._uris)
        while True:
            with suppress(WebSocketException, OSError, TimeoutError):
                async with asyncio.timeout(20):
                    uri = await self._visit(uri) or self._chance.choice(self._uris)
                    continue
            uri = self._chance.choice(self._uris)
            await asyncio.sleep(0.05)

    async def _visit(self, uri: str) -> str | None:
        """Say hello; play for a while; return where the hello was moved to."""
        async with connect(uri, compression=None, open_timeout=5) as line:
            await line.send(hello(self._handle))
            message = await read(line)
            if message["type"] == "moved":
                self.moves += 1
                return str(message["address"])
            if message["type"] == "refused":
                self.refusals.add(str(message["code"]))
                await asyncio.sleep(0.1)
                return None
            self.visits += 1
            self._seen.release()
            await self._play(line, message)
            if self._chance.random() < 0.7:
                await line.send('{"type":"leave"}')
                await line.wait_closed()
        return None

    async def _play(self, line: ClientConnection, message: dict[str, Any]) -> None:
        seat = message["you"]["seat"]
        for _ in range(self._chance.randint(3, 30)):
            for ask in (message.get("turn") or {}).get("asks", ()):
                if ask["seat"] == seat:
                    await line.send(json.dumps(self._answer(ask)))
                    self.rounds += 1
            message = await read(line)

    def _answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        prompt = ask["prompt"]
        if "place_bet" in ask["actions"]:
            amount = ask["wager"]["minimum"]
            return {"type": "place_bet", "prompt": prompt, "amount": amount}
        kinds = {"stand", "accept_gift", "sit_out", "decline", "no_insurance"}
        kind = next(k for k in ask["actions"] if k in kinds)
        return {"type": kind, "prompt": prompt}


@pytest.fixture
def postgres_of_its_own() -> Iterator[Successor]:
    successor = Successor()
    yield successor
    successor.remove()


@asynccontextmanager
async def _fleet(folder: Path, url: str) -> AsyncIterator[list[Seat]]:
    connection = await connect_to(url)
    await migrate(connection)
    await connection.close()
    key = Signer.after()
    seats = [Seat(name, folder, url, key) for name in NAMES]
    try:
        for seat in seats:
            await asyncio.to_thread(seat.start)
        yield seats
    finally:
        for seat in seats:
            seat.leave()


async def _disturb(
    folder: Path, postgres: Successor, kills: int, seed: int
) -> list[Wanderer]:
    """Kill servers and PostgreSQL under play, and see in the end that all is there."""
    chance = random.Random(seed)
    async with _fleet(folder, postgres.url) as seats:
        uris = [seat.uri for seat in seats]
        seen = asyncio.Semaphore(0)
        players = [Wanderer(handle, uris, seed, seen) for handle in HANDLES]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(player.wander()) for player in players]
            for number in range(kills):
                await _visited(seen, 2)
                if number % 4 == 3:
                    await asyncio.to_thread(postgres.crash)
                else:
                    seat = chance.choice(seats)
                    await asyncio.to_thread(seat.kill)
                    await asyncio.to_thread(seat.start)
            await _visited(seen, 4)
            for task in tasks:
                task.cancel()
        for seat in seats:
            await asyncio.to_thread(seat.stop)
        await _all_is_there(postgres.url, seats)
    return players


async def _visited(seen: asyncio.Semaphore, visits: int) -> None:
    """Wait until players have been on so many more visits."""
    async with asyncio.timeout(PATIENCE):
        for _ in range(visits):
            await seen.acquire()


async def _all_is_there(url: str, seats: list[Seat]) -> None:
    """See that SQL and all journals tell one story, to the cent."""
    won = here = 0
    for name, seat in zip(NAMES, seats, strict=True):
        bank = Bank.open(seat.folder, keep=None, in_fleet=True)
        await check_books(url, name, bank)
        ledger = bank.books.ledger
        given = ledger.balance(HOUSE) + ledger.balance(DONOR)
        won, here = won - given, here - given - ledger.balance(VAULT)
        bank.close()
    (gifts,) = await query(url, "SELECT coalesce(sum(cents), 0) FROM gifts")
    (rest,) = await query(url, "SELECT coalesce(sum(cents), 0) FROM players")
    (away,) = await query(
        url,
        "SELECT count(*) AS visits, count(DISTINCT handle) AS handles "
        "FROM visits WHERE cents_out IS NULL",
    )
    assert away.visits == away.handles
    assert rest[0] + here == gifts[0] + won
    openings = await query(url, "SELECT id FROM gifts WHERE id LIKE 'opening/%'")
    assert len(openings) <= len(HANDLES)


async def test_players_move_between_servers_that_are_killed_and_lose_nothing(
    tmp_path: Path, postgres_of_its_own: Successor
) -> None:
    players = await _disturb(tmp_path, postgres_of_its_own, 4, 1)
    assert not any("wrong_key" in player.refusals for player in players)
    assert all(player.rounds for player in players)


@pytest.mark.torture
async def test_80_kills_of_real_servers_and_20_of_postgres_lose_nothing(
    tmp_path: Path, postgres_of_its_own: Successor
) -> None:
    players = await _disturb(tmp_path, postgres_of_its_own, 100, 2)
    assert not any("wrong_key" in player.refusals for player in players)
    visits = sum(player.visits for player in players)
    moves = sum(player.moves for player in players)
    print(f"{visits} visits, {moves} moves, 80 kills, 20 crashes of PostgreSQL")
