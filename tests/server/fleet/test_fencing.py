"""One start of a name serves; all others are refused, or stop."""

import asyncio
import shutil
from pathlib import Path

import psycopg
import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import FleetFolderError
from bj_server.bank.handles import Bans
from bj_server.bank.signer import Signer
from bj_server.bank.visit import Arrival
from bj_server.fleet.cage import Floor
from bj_server.fleet.error import FencedError, FleetError
from bj_server.fleet.member import Orders
from bj_server.fleet.sql.visits import Why
from support.fleet import OPENING, Member, Seconds, at_rest, check_money, query, sign
from support.wire import Wire

from .conftest import Enrol


def copy_of(member: Member, folder: Path) -> Member:
    """Return a server on a copy of a folder, as it is just now."""
    member.bank.journal.write()
    shutil.copytree(member.folder, folder)
    return Member(member.name, folder, member.url, member.clock)


async def test_a_second_start_is_refused_while_the_first_one_moves(
    enrol: Enrol, database: str, tmp_path: Path
) -> None:
    east = enrol("east")
    await east.start()
    copy = copy_of(east, tmp_path / "copy")

    async def pause(seconds: float) -> None:
        east.clock.now += seconds
        await east.cage.beat()

    with pytest.raises(FleetError, match="is served already"):
        await copy.start(pause=pause)
    await east.sit("ned21")
    await east.stop()


async def test_a_copy_serves_once_the_first_one_is_silent_and_then_that_one_is_fenced(
    enrol: Enrol, database: str, tmp_path: Path
) -> None:
    east = enrol("east")
    await east.start()
    await east.sit("ned21")
    east.bank.journal.sync()
    await east.cage.beat()
    copy = copy_of(east, tmp_path / "copy")
    await copy.start()
    await copy.cage.settle()
    assert await at_rest(database, "ned21") == OPENING
    with pytest.raises(FencedError, match="taken over"):
        await east.cage.beat()
    with pytest.raises(FencedError):
        await east.sit("lia9")
    with pytest.raises(FencedError):
        await Orders(east.cage, Bans()).ban("lia9")
    with pytest.raises(FencedError):
        await east.leave("ned21")
    assert await at_rest(database, "ned21") == OPENING
    await east.kill()
    with pytest.raises(FleetError, match="has not the line"):
        await east.start(takes_over=True)
    await check_money(database, copy)
    await copy.stop()
    with pytest.raises(FleetError, match="has not the line"):
        await east.start()


@pytest.mark.parametrize("takes_over", [False, True])
async def test_a_journal_that_went_back_is_refused(
    enrol: Enrol, database: str, tmp_path: Path, takes_over: bool
) -> None:
    east = enrol("east")
    await east.start()
    copy = copy_of(east, tmp_path / "copy")
    await east.sit("ned21")
    east.win("ned21", 300)
    east.bank.journal.sync()
    await east.cage.beat()
    await east.kill()
    with pytest.raises(FleetError, match="bj-bank fleet write-off east"):
        await copy.start(takes_over=takes_over)
    await east.start()
    await east.cage.settle()
    assert await at_rest(database, "ned21") == OPENING + 300
    await east.stop()


async def test_a_round_counts_for_sure_once_postgres_has_heard_of_its_line(
    enrol: Enrol,
) -> None:
    east = enrol("east")
    await east.start()
    await east.sit("ned21")
    east.win("ned21", 50)  # a copy that is made now lacks the line
    await east.cage.beat()
    assert east.cage.checkpoints.counted == {}
    east.bank.journal.sync()
    await east.cage.beat()
    assert east.cage.checkpoints.counted == {"main": 1}
    await east.stop()


async def test_who_was_paid_before_a_journal_lost_its_end_has_no_second_visit(
    enrol: Enrol, database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    east = enrol("east")
    await east.start()
    await east.sit("ned21")
    await east.sit("lia9")
    east.bank.journal.sync()
    await east.cage.beat()
    copy = copy_of(east, tmp_path / "copy")
    east.win("ned21", 300)
    await east.leave("ned21")
    await east.kill()  # before a checkpoint tells of these lines
    cage = await copy.start(floor=Floor())
    assert cage.ended == {"ned21"}
    assert cage.faults == 1
    assert "of ned21 is open in the journal" in caplog.text
    sent_away: list[str] = []
    cage.floor = Floor(
        is_seated={"lia9"}.__contains__,
        send_away=lambda handle, why: sent_away.append(f"{handle}: {why}"),
    )
    await cage.beat()
    assert sent_away == ["ned21: Your visit was over while this server was not heard"]
    await cage.settle()
    await cage.beat()
    assert cage.ended == set()
    assert await at_rest(database, "ned21") == OPENING + 300
    assert copy.bank.books.visits.keys() == {"lia9"}
    await check_money(database)
    await copy.stop()


async def test_a_transaction_that_is_open_across_the_takeover_is_waited_for(
    enrol: Enrol, database: str, tmp_path: Path
) -> None:
    east = enrol("east")
    await east.start()
    copy = copy_of(east, tmp_path / "copy")
    old = await psycopg.AsyncConnection.connect(database)
    async with old:
        await old.execute(
            "SELECT FROM servers WHERE name = 'east' AND epoch = %s FOR SHARE",
            (east.cage.me.epoch,),
        )
        starting = asyncio.create_task(copy.start())
        await query(database, _WHEN_SOMEBODY_WAITS)
        # What it commits is seen by the one that waits, and is not in its journal.
        await old.execute("UPDATE counters SET seq = seq + 1, hash = 'x'")
        await old.commit()
        with pytest.raises(FleetError, match="has not the line"):
            await starting
    await east.cage.beat()
    await east.stop()


_WHEN_SOMEBODY_WAITS = (
    "DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP "
    "PERFORM pg_sleep(0.01); END LOOP; END $$"
)


async def test_two_that_start_from_one_folder_do_not_get_one_epoch(
    enrol: Enrol, database: str, tmp_path: Path
) -> None:
    east = enrol("east")
    await east.start()
    copies = [copy_of(east, tmp_path / f"copy{number}") for number in range(2)]
    both = await asyncio.gather(
        *(copy.start(takes_over=True) for copy in copies), return_exceptions=True
    )
    served = [copy for copy, end in zip(copies, both, strict=True) if copy.is_serving]
    refused = [end for end in both if isinstance(end, FleetError)]
    assert (len(served), len(refused)) == (1, 1), both
    await served[0].stop()


async def test_a_stopped_server_starts_again_without_a_lease(
    enrol: Enrol, clock: Seconds
) -> None:
    east = enrol("east")
    await east.start()
    await east.stop()
    before = clock.now
    await east.start()
    assert clock.now == before
    await east.kill()
    await east.start()
    assert clock.now > before
    await east.stop()


async def test_a_folder_serves_in_its_fleet_and_by_its_name_alone(
    enrol: Enrol, empty: str, tmp_path: Path
) -> None:
    east = enrol("east")
    await east.start()
    await east.stop()
    with pytest.raises(FleetFolderError, match="start bj-server with --fleet"):
        Bank.open(east.folder)
    sign(east.folder, "west", Signer.after())
    with pytest.raises(FleetError, match="east, and cannot serve as"):
        await east.start()
    sign(east.folder, "east", Signer.after())
    await query(east.url, "UPDATE fleet SET id = 'another'")
    with pytest.raises(FleetError, match="belongs to another fleet"):
        await east.start()
    other = Member("east", tmp_path / "other", empty, east.clock)
    sign(other.folder, "east", Signer.after())
    with pytest.raises(FleetError, match="run bj-bank fleet migrate"):
        await other.start()


async def test_a_name_is_one_folders_and_a_folder_with_accounts_is_imported_first(
    enrol: Enrol, database: str, tmp_path: Path
) -> None:
    east = enrol("east")
    await east.start()
    await east.stop()
    other = Member("east", tmp_path / "other", database, east.clock)
    with pytest.raises(FleetError, match="have the fleet's key sign this server"):
        await other.start()
    sign(other.folder, "east", Signer.after())
    with pytest.raises(FleetError, match="with another bank folder"):
        await other.start()
    full = Member("west", tmp_path / "full", database, east.clock)
    sign(full.folder, "west", Signer.after())
    bank = Bank.open(full.folder)
    bank.till("main").open("ned21", 5)
    bank.till("main").seal({})
    bank.close()
    with pytest.raises(FleetError, match="bj-bank fleet import"):
        await full.start()


async def test_a_server_that_was_written_off_never_serves_again(
    enrol: Enrol, database: str
) -> None:
    east = enrol("east")
    await east.start()
    await query(database, "UPDATE servers SET written_off = now()")
    with pytest.raises(FencedError):
        await east.cage.beat()
    await east.kill()
    with pytest.raises(FleetError, match="was written off"):
        await east.start()


async def test_players_of_a_dead_server_sit_elsewhere_after_a_lease_and_get_all_later(
    enrol: Enrol, database: str, clock: Seconds
) -> None:
    east, west = enrol("east"), enrol("west")
    await east.start()
    await west.start()
    await east.sit("ned21")
    east.win("ned21", 700)
    await west.cage.beat()
    await east.kill()
    assert await west.sit("ned21") is Why.SEATED
    await west.miss_others()
    found = await west.sit("ned21")
    assert isinstance(found, Arrival)
    assert found.gift is not None
    assert (found.cents, found.gift[0]) == (OPENING, f"outage/{_visit(east)}")
    (visit,) = (await west.cage.look_up("ned21")).visits[:1]
    assert (visit.server, visit.stranded is not None) == ("east", True)
    west.win("ned21", -OPENING)
    await west.leave("ned21")
    again = await west.sit("ned21")
    assert isinstance(again, Arrival)
    assert (again.cents, again.gift) == (0, None)  # one stake an outage
    await east.start()
    await east.cage.settle()
    assert await at_rest(database, "ned21") == OPENING + 700
    rows = await query(database, "SELECT FROM visits WHERE stranded IS NOT NULL")
    assert len(rows) == 1  # it keeps the mark, and is closed
    await check_money(database, east, west)
    await east.stop()
    await west.stop()


def _visit(member: Member) -> str:
    return next(iter(member.bank.books.visits.values()))


async def test_who_comes_back_and_who_sits_down_elsewhere_wait_for_each_other(
    enrol: Enrol, database: str, clock: Seconds, wire: Wire
) -> None:
    east, west = enrol("east", wire.url), enrol("west")
    await east.start()
    await west.start()
    await east.sit("ned21")
    await east.cage.beat()  # there will be no news of its chips
    await query(database, "UPDATE visits SET stranded = now()")
    held = asyncio.Event()

    def ask(data: bytes) -> bytes:
        if b"SET stranded = NULL" in data:
            wire.gate.clear()  # so that the transaction stays open
            held.set()
        return data

    wire.ask = ask
    beat = asyncio.create_task(east.cage.beat())
    await held.wait()
    sitting = asyncio.create_task(west.sit("ned21"))
    while not await query(database, "SELECT FROM pg_locks WHERE NOT granted"):
        pass
    await wire.mend()
    await beat
    assert await sitting is Why.SEATED
    assert (await west.cage.look_up("ned21")).seat is not None
    await east.leave("ned21")
    await check_money(database, east, west)


async def test_nobody_is_stranded_for_a_time_in_which_nobody_could_be_heard(
    enrol: Enrol, database: str, clock: Seconds
) -> None:
    east, west = enrol("east"), enrol("west")
    await east.start()
    await west.start()
    await east.sit("ned21")
    await west.cage.beat()
    clock.now += 2 * west.cage.lease  # PostgreSQL was away, for both of them
    await west.cage.beat()
    (visit,) = (await west.cage.look_up("ned21")).visits
    assert visit.stranded is None
    await west.miss_others()
    (visit,) = (await west.cage.look_up("ned21")).visits
    assert visit.stranded is not None


async def test_a_server_that_was_only_slow_takes_its_visits_back(
    enrol: Enrol, database: str, clock: Seconds
) -> None:
    east, west = enrol("east"), enrol("west")
    await east.start()
    await west.start()
    await east.sit("ned21")
    await east.sit("lia9")
    await west.cage.beat()
    await west.miss_others()
    await west.sit("lia9")
    await east.cage.beat()
    assert east.sent_away == ["lia9"]
    assert (await west.cage.look_up("ned21")).seat is not None
    await east.cage.settle()
    assert await at_rest(database, "lia9") == OPENING
    assert await west.sit("ned21") is Why.SEATED
    await check_money(database, east, west)
    await east.stop()
    await west.stop()
