"""A hello at a server of a fleet, up to the seat or to the word where that is."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from bj_protocol.refusal import CloseCode
from bj_server.fleet.error import FencedError
from bj_server.table.inbox import Dissolve, Drain
from support.fleet import Serving, at_rest, query, serving_in_fleet
from support.hellos import leave, refused, say, settled, sit
from support.nursery import PATIENCE
from support.serving import hello, key_of, read
from support.wire import Wire

OPENING = 1_000_000


async def test_a_player_sits_with_the_money_and_takes_it_along_to_another_server(
    east: Serving, west: Serving, database: str
) -> None:
    line, bank = await sit(east)
    assert bank == OPENING
    assert await at_rest(database, "ned21") == 0
    await leave(line, east)
    assert await at_rest(database, "ned21") == OPENING
    line, bank = await sit(west)
    assert bank == OPENING
    assert not east.bank.books.visits
    await line.close()


async def test_a_hello_elsewhere_is_moved_to_the_seat_once_the_key_was_looked_at(
    east: Serving, west: Serving
) -> None:
    line, _ = await sit(east, table="attic")
    await west.cage.beat()
    other = await say(west, table="cellar")
    assert await read(other) == {
        "type": "moved",
        "version": 2,
        "address": "ws://east",
        "table": "attic",
        "why": "seat",
    }
    await other.wait_closed()
    assert other.close_code == CloseCode.MOVED
    assert await refused(await say(west, key=key_of("eve"))) == "wrong_key"
    assert not west.bank.books.visits
    await line.close()


async def test_a_table_of_another_server_is_listed_and_moved_to(
    east: Serving, west: Serving, database: str
) -> None:
    async with asyncio.timeout(PATIENCE):
        while "cellar" not in [view.name for view in east.lobby.tables()]:
            await east.cage.beat()
    names = [view.name for view in east.lobby.tables()]
    assert names == ["main", "attic", "cellar"]
    for text in (
        hello("ned21", table="cellar"),
        json.dumps({"type": "watch", "version": 2, "table": "cellar"}),
    ):
        line = await connect(east.uri, compression=None, open_timeout=PATIENCE)
        await line.send(text)
        moved = await read(line)
        assert (moved["address"], moved["why"]) == ("ws://west", "table")
        await line.wait_closed()
    assert await at_rest(database, "ned21") is None
    line = await say(east, table="loft")
    assert await refused(line) == "no_such_table"


async def test_a_refused_hello_claims_nothing(east: Serving, database: str) -> None:
    line, _ = await sit(east, "lia9")
    assert await refused(await say(east)) == "table_full"
    assert await at_rest(database, "ned21") is None
    other, _ = await sit(east, table="attic")
    for each in (line, other):
        await each.close()


def _asked(wire: Wire, text: bytes = b"") -> asyncio.Event:
    """Return what is set once PostgreSQL is asked something; there is no reply then."""
    seen = asyncio.Event()

    def ask(data: bytes) -> bytes:
        if text in data and not seen.is_set():
            wire.gate.clear()
            seen.set()
        return data

    wire.ask = ask
    return seen


async def test_the_seat_is_kept_before_the_money_comes(
    east: Serving, wire: Wire, database: str
) -> None:
    asked = _asked(wire, b"INSERT INTO players")
    first = await say(east)
    await asked.wait()
    second = await say(east, "lia9")
    wire.gate.set()
    assert (await read(first))["type"] == "snapshot"
    assert await refused(second) == "table_full"
    assert await at_rest(database, "lia9") is None
    await first.close()


async def test_who_drops_the_line_on_the_way_has_the_money_at_home_and_no_seat(
    east: Serving, wire: Wire, database: str
) -> None:
    asked = _asked(wire, b"INSERT INTO visits")
    line = await say(east)
    await asked.wait()
    line.transport.abort()
    await line.wait_closed()
    wire.gate.set()
    while not await query(database, "SELECT FROM visits WHERE cents_out IS NOT NULL"):
        await east.cage.settle()
    rows = await query(database, "SELECT cents_in, cents_out FROM visits")
    assert [tuple(map(int, row)) for row in rows] == [(OPENING, OPENING)]
    assert await at_rest(database, "ned21") == OPENING
    other, _ = await sit(east, "lia9")  # the only seat is free
    await other.close()


async def test_a_second_hello_waits_for_the_first_and_takes_over(
    east: Serving, wire: Wire, database: str
) -> None:
    wire.gate.clear()
    first, second = await say(east), await say(east)
    stranger = await say(east, key=key_of("eve"))
    wire.gate.set()
    assert (await read(second))["type"] == "snapshot"
    assert await refused(stranger) == "wrong_key"
    await first.wait_closed()
    assert first.close_code == CloseCode.TAKEN_OVER
    rows = await query(database, "SELECT FROM visits")
    assert len(rows) == 1
    await second.close()


async def test_a_second_hello_on_one_line_is_refused_and_the_first_goes_on(
    east: Serving, wire: Wire
) -> None:
    wire.gate.clear()
    line = await say(east)
    await line.send(hello("lia9"))
    assert (await read(line))["code"] == "already_joined"
    wire.gate.set()
    assert (await read(line))["type"] == "snapshot"
    await line.close()


async def test_a_table_that_closes_on_the_way_sends_the_money_home(
    east: Serving, wire: Wire, database: str
) -> None:
    asked = _asked(wire, b"INSERT INTO visits")
    line = await say(east)
    await asked.wait()
    place = east.lobby["main"]
    east.lobby.remove("main")
    place.dealer.submit(Dissolve())
    wire.gate.set()
    assert await refused(line) == "no_such_table"
    await settled(east)
    assert await at_rest(database, "ned21") == OPENING


async def test_a_drain_on_the_way_seats_the_player_who_leaves_with_all(
    east: Serving, wire: Wire, database: str
) -> None:
    asked = _asked(wire, b"INSERT INTO visits")
    line = await say(east)
    await asked.wait()
    east.lobby["main"].dealer.submit(Drain("No more.", lambda: None))
    wire.gate.set()
    assert (await read(line))["type"] == "snapshot"
    await leave(line, east)
    assert await at_rest(database, "ned21") == OPENING


async def test_a_held_seat_is_taken_again_while_postgres_is_away(
    east: Serving, wire: Wire
) -> None:
    line, _ = await sit(east)
    await line.close()
    wire.cut()
    again, bank = await sit(east)
    assert bank == OPENING
    assert await refused(await say(east, "lia9", table="attic")) == "bank_stalled"
    await wire.mend()
    await again.close()


async def test_a_key_that_was_reset_is_claimed_anew_where_the_seat_is(
    east: Serving, west: Serving, database: str
) -> None:
    line, _ = await sit(east)
    await query(database, "UPDATE players SET sha256 = NULL")
    again, _ = await sit(east, key=key_of("new"))
    await line.wait_closed()
    assert line.close_code == CloseCode.TAKEN_OVER
    assert await refused(await say(east)) == "wrong_key"
    await leave(again, east)
    assert await refused(await say(west)) == "wrong_key"
    other, _ = await sit(west, key=key_of("new"))
    await other.close()


async def test_nobody_plays_on_in_a_visit_whose_end_the_journal_has_lost(
    east: Serving, database: str
) -> None:
    line, _ = await sit(east)
    await line.close()
    east.cage.ended.add("ned21")
    assert await refused(await say(east)) == "bank_stalled"
    async with asyncio.timeout(PATIENCE):
        while east.cage.unpaid or east.cage.ended:
            await east.cage.beat()
            await east.cage.settle()
    again, bank = await sit(east)
    assert bank == OPENING
    await again.close()


async def test_a_server_that_is_taken_over_tells_which_rounds_count_and_stops(
    east: Serving, database: str
) -> None:
    line, _ = await sit(east)
    await query(database, "UPDATE servers SET epoch = epoch + 1")
    async with asyncio.timeout(PATIENCE):
        while "taken this server over" not in (text := str(await line.recv())):
            pass
    assert "Rounds up to number 0 at this table are sure to count" in text
    await line.close()
    with pytest.raises(FencedError):
        await east.cage.beat()
    async with asyncio.timeout(PATIENCE):
        await east.member.stopping.wait()
    assert east.causes == ["another start of its name in the fleet"]
    assert east.member.fenced is not None
    east.member.fenced = None  # for the end of the fixture


async def test_a_table_that_a_newer_server_tells_of_is_left_out(
    database: str, folders: dict[str, Path], wire: Wire, west: Serving
) -> None:
    await query(database, "INSERT INTO tables VALUES ('north', 'odd', '{}')")
    async with serving_in_fleet(folders["east"], wire.url) as east:
        async with asyncio.timeout(PATIENCE):
            while "cellar" not in (names := [v.name for v in east.lobby.tables()]):
                await east.cage.beat()
        assert names == ["main", "cellar"]
