"""Several players of one command: closing lines, bots, and a private server."""

import asyncio
from typing import Any

import pytest

from bj_client.net.address import Address
from bj_client.net.keyring import Keyring
from bj_client.play.bot_session import BotSessions
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Visit
from bj_protocol.commands import Command, PlaceBet, Stand
from bj_protocol.refusal import CloseCode
from support.fake_server import fake_server
from support.hotseat import (
    BETS,
    DEALT,
    HANDLES,
    OVER,
    PLAYS,
    Table,
    bet,
)
from support.message import make_ask
from support.visit import run_command


def arguments(address: Address, *more: str) -> list[str]:
    named = [part for handle in HANDLES for part in ("--handle", handle)]
    return ["--plain", "--server", address.shown, *named, *more]


async def test_each_player_has_a_closing_line() -> None:
    async def play(table: Table) -> None:
        await table.tell(*DEALT, *OVER, asks=BETS)
        await table.part()

    async with fake_server(Table(play).serve) as address:
        ended = await run_command(*arguments(address), typed="n\n")
    assert (ended.code, ended.errors) == (0, "")
    lia, ned = (line.split(", ") for line in ended.output.splitlines()[-2:])
    assert lia == [
        *("Good-bye", "lia9: 1 round", "1 won", "0 lost", "0 pushed"),
        *("net $50.00", "bank $10,050.00."),
    ]
    assert ned == [
        *("Good-bye", "ned21: 1 round", "0 won", "1 lost", "0 pushed"),
        *("net -$50.00", "bank $9,950.00."),
    ]


async def test_each_of_several_bots_plays_and_one_tells_the_story() -> None:
    heard: list[Command] = []

    async def play(table: Table) -> None:
        heard.extend([await table.lia.hear(), await table.ned.hear()])
        await table.tell(bet(1), bet(2), *DEALT, asks=(make_ask(3, *PLAYS),))
        heard.append(await table.ned.hear())
        await table.tell(*OVER, asks=(make_ask(4, seat=1), make_ask(5)))
        await table.part()

    async with fake_server(Table(play, *BETS).serve) as address:
        options = ("--bot", "basic", "--rounds", "1")
        ended = await run_command(*arguments(address, *options))
    assert (ended.code, ended.errors) == (0, "")
    assert heard == [
        PlaceBet(prompt=1, amount=1000),
        PlaceBet(prompt=2, amount=1000),
        Stand(prompt=3),
    ]
    assert ended.output.count("ned21 gets 9♥: 17.\n") == 1
    said = ended.output.splitlines()[-2:]
    assert [line.partition(":")[0] for line in said] == [
        "Good-bye, lia9",
        "Good-bye, ned21",
    ]


async def test_one_of_several_bots_that_loses_its_line_ends_it_for_all() -> None:
    async def play(table: Table) -> None:
        await table.ned.socket.close(CloseCode.TAKEN_OVER, "reason")
        await table.lia.part()

    async with fake_server(Table(play, *BETS).serve) as address:
        ended = await run_command(*arguments(address, "--bot", "basic"))
    assert ended.code == 7
    assert ended.errors.startswith("The handle ned21 joined from another")


async def test_solo_with_several_players_leaves_the_other_seats_to_bots(
    tmp_path: Any,
) -> None:
    named = ("--handle", "lia9", "--handle", "ned21")
    ended = await run_command(
        "--solo", *named, "--rounds", "1", XDG_DATA_HOME=str(tmp_path)
    )
    assert (ended.code, ended.errors) == (0, "")
    for handle in (*HANDLES, "ada-bot"):
        assert f"{handle} bets $10.00.\n" in ended.output
    assert "bob-bot" not in ended.output


class Waiting:
    """A session that is over when the test says so."""

    def __init__(self) -> None:
        self.over = asyncio.Event()

    async def run(self) -> None:
        await self.over.wait()


async def test_a_crew_plays_until_its_first_member_is_through() -> None:
    first, second = Waiting(), Waiting()

    async def play(table: Table) -> None:
        second.over.set()
        await table.ned.part()
        first.over.set()
        await table.lia.part()

    visit = Visit(
        HANDLES,
        Narrator.silent(),
        lambda hotseat, _: BotSessions(
            list(zip(hotseat.members, (first, second), strict=True))
        ),
        keys=Keyring("hotseat", warn=pytest.fail),
    )
    async with fake_server(Table(play).serve) as address, asyncio.timeout(60):
        await visit.run(address)
    assert visit.hotseat is not None
    table = visit.hotseat.last_table
    assert [own.handle for own in table.ours.values()] == list(HANDLES)
