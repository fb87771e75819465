"""A table that the next server does not have: its stakes are logged, and told."""

import json
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect

from bj_server.bank.bank import Bank
from support.serving import hello, join, read, serving


async def test_14_9_the_player_of_a_removed_table_is_told_the_true_bank(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as uri:
        line = await join(uri, "ned21")
        await read(line)
        await line.close()
    bank = Bank.open(tmp_path, keep=None)
    till = bank.till("high")
    till.stake(1, "ned21", 10_000)
    till.seal({})
    bank.close()
    async with serving(tmp_path) as uri:
        assert "$100 goes back, for the server has that table no more" in caplog.text
        line = await join(uri, "ned21")
        await read(line)
        await line.close()
        away = await join_at(uri, "high", "ned21")
        refused = await read(away)
        assert refused["code"] == "no_such_table"
        assert refused["text"].endswith("You have $10,000.")
        stranger = await join_at(uri, "high", "nobody")
        assert "You have" not in (await read(stranger))["text"]


async def test_a_seat_at_a_table_that_is_away_is_given_up(tmp_path: Path) -> None:
    high, low = ("--table", "high"), ("--table", "low")
    known = {}
    for tables, at in ((high, "high"), (low, "low")):
        async with serving(tmp_path, *tables) as uri:
            line = await join_at(uri, at, "ned21")
            first = await read(line)
            assert first["type"] == "snapshot"
            await line.close()
            known[at] = first["seq"]
    async with serving(tmp_path, *high, *low) as uri:
        for at, handles in (("high", []), ("low", ["ned21"])):
            line = await connect(uri, compression=None)
            await line.send(watch(at))
            picture = await read(line)
            assert [seat["handle"] for seat in picture["seats"]] == handles
            assert picture["seq"] >= known[at]  # no number comes again
            await line.close()


def watch(table: str) -> str:
    return json.dumps({"type": "watch", "version": 2, "table": table})


async def join_at(uri: str, table: str, handle: str) -> ClientConnection:
    line = await connect(uri, compression=None)
    await line.send(hello(handle, table=table))
    return line
