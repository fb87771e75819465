"""What a host orders at one server of a fleet holds at the others."""

import asyncio
from pathlib import Path

import pytest

from bj_protocol.refusal import CloseCode
from bj_server.admin.metrics import Metrics
from bj_server.admin.port import Space, Status
from bj_server.net.app import App
from support.fleet import Serving, at_rest, query
from support.hellos import leave, refused, say, settled, sit
from support.nursery import PATIENCE
from support.serving import key_of

OPENING = 1_000_000


async def test_a_ban_holds_everywhere_with_the_next_checkpoint(
    east: Serving, west: Serving, database: str
) -> None:
    line, _ = await sit(east)
    await west.orders.ban("ned21")
    await east.cage.beat()
    await line.wait_closed()
    assert line.close_code == CloseCode.SENT_AWAY
    await settled(east)
    assert await at_rest(database, "ned21") == OPENING
    assert await refused(await say(east)) == "banned"
    assert await refused(await say(west)) == "banned"
    await east.orders.unban("ned21")
    await west.cage.beat()
    line, _ = await sit(west)
    await line.close()


async def test_a_key_that_was_reset_elsewhere_opens_no_seat_any_more(
    east: Serving, west: Serving
) -> None:
    line, _ = await sit(east)
    await west.orders.reset_key("ned21")
    await east.cage.beat()
    assert east.bank.books.keys == {}
    again, _ = await sit(east, key=key_of("new"))
    assert await refused(await say(east)) == "wrong_key"
    await again.close()
    await line.wait_closed()


async def test_a_gift_goes_to_the_account_at_rest_and_counts_for_who_is_broke(
    east: Serving, west: Serving, database: str
) -> None:
    line, _ = await sit(east)
    assert await west.orders.has_account("ned21")
    assert not await west.orders.has_account("eve")
    assert await west.orders.give("ned21", 500) == 500
    assert await at_rest(database, "ned21") == 500
    await east.cage.beat()
    assert not east.cage.has_more("ned21")  # who has something here
    till = east.bank.till("attic")
    till.stake(1, "ned21", OPENING)
    till.seal({})
    await east.cage.beat()
    assert east.cage.has_more("ned21")
    till.refund(1)
    till.seal({})
    await leave(line, east)
    line, bank = await sit(west)
    assert bank == OPENING + 500
    await line.close()


async def test_the_metrics_tell_of_the_fleet(
    east: Serving, west: Serving, tmp_path: Path
) -> None:
    line, _ = await sit(east)
    other, _ = await sit(west, "lia9")
    await leave(other, west)
    await west.cage.beat()
    await east.cage.beat()
    space = Space(tmp_path, 0)
    status = Status(App(east.lobby), east.lobby, east.bank, space, east.cage)
    metrics = Metrics()
    metrics.show(status)
    text = metrics.text().decode()
    for told in (
        'bj_fleet_visits{server="east"} 1.0',
        'bj_fleet_visits{server="west"} 0.0',
        'bj_fleet_heard{server="west"} 1.0',
        'bj_fleet_transfers_total{way="in"} 1.0',
        'bj_fleet_transfers_total{way="out"} 0.0',
        "bj_fleet_faults_total 0.0",
        "bj_fleet_up 1.0",
        "bj_fleet_unpaid 0.0",
    ):
        assert told in text
    assert (west.cage.bought_in, west.cage.paid_out) == (1, 1)
    await line.close()


async def _has_logged(
    told: str, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    async with asyncio.timeout(PATIENCE):
        while told not in caplog.text:
            await serving.orders.has_account("ned21")


async def test_a_fault_of_ours_in_the_fleet_is_told_and_all_is_tried_again(
    west: Serving, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    line, _ = await sit(west)
    await query(database, "ALTER TABLE counters RENAME TO elsewhere")
    await _has_logged("a fault of ours in the fleet", west, caplog)
    await query(database, "ALTER TABLE elsewhere RENAME TO counters")
    await west.cage.beat()
    await leave(line, west)
    assert await at_rest(database, "ned21") == OPENING


async def test_a_disk_that_takes_no_ban_is_named_and_the_ban_is_kept_once_it_does(
    tmp_path: Path, east: Serving, west: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "west" / "bans.json.new").mkdir()
    await east.orders.ban("ned21")
    await _has_logged("The bank cannot use " + str(tmp_path / "west"), west, caplog)
    assert "a fault of ours" not in caplog.text
    (tmp_path / "west" / "bans.json.new").rmdir()
    await west.cage.beat()
    assert await refused(await say(west)) == "banned"
