"""Players buy in at servers of a fleet, and take all of it home."""

import json

import pytest

from bj_server.bank.visit import Arrival
from bj_server.bank_cli.command import main
from bj_server.fleet.error import FleetAwayError
from bj_server.fleet.sql.visits import Why
from support.fleet import OPENING, at_rest, check_money, query
from support.wire import Wire

from .conftest import Enrol


async def test_a_new_handle_gets_one_opening_balance_in_all_the_fleet(
    enrol: Enrol, database: str
) -> None:
    east, west = enrol("east"), enrol("west")
    await east.start()
    await west.start()
    found = await east.sit("ned21")
    assert isinstance(found, Arrival)
    assert (found.cents, found.gift) == (OPENING, ("opening/ned21", OPENING))
    assert (east.balance("ned21"), await at_rest(database, "ned21")) == (OPENING, 0)
    east.win("ned21", 500)
    await check_money(database, east, west)
    await east.leave("ned21")
    assert await at_rest(database, "ned21") == OPENING + 500
    again = await west.sit("ned21")
    assert isinstance(again, Arrival)
    assert (again.cents, again.gift) == (OPENING + 500, None)
    west.win("ned21", -1500)
    await west.leave("ned21")
    assert await at_rest(database, "ned21") == 0
    broke = await east.sit("ned21")
    assert isinstance(broke, Arrival)
    assert (broke.cents, broke.gift) == (0, None)
    await check_money(database, east, west)
    for member in (east, west):
        await member.stop()


async def test_a_handle_sits_at_one_server_at_a_time_and_shows_its_key(
    enrol: Enrol, database: str
) -> None:
    east, west = enrol("east"), enrol("west")
    await east.start()
    await west.start()
    await east.sit("ned21")
    assert await west.sit("ned21") is Why.SEATED
    assert await west.sit("ned21", "eve") is Why.WRONG_KEY
    standing = await west.cage.look_up("ned21")
    assert standing.seat is not None
    assert (standing.seat.server, standing.seat.table) == ("east", "main")
    await east.leave("ned21")
    assert (await west.cage.look_up("ned21")).seat is None
    assert await west.sit("ned21", "eve") is Why.WRONG_KEY
    assert (await west.cage.look_up("eve")).is_new
    await check_money(database, east, west)
    for member in (east, west):
        await member.stop()


async def test_one_with_stakes_stays_until_the_round_is_over(
    enrol: Enrol, database: str
) -> None:
    east = enrol("east")
    await east.start()
    await east.sit("ned21")
    till = east.bank.till("main")
    till.stake(1, "ned21", 300)
    till.seal({})
    await east.leave("ned21")
    assert east.bank.books.visits
    assert await at_rest(database, "ned21") == 0
    till.refund(1)
    till.seal({})
    await east.cage.settle()
    assert not east.bank.books.visits
    assert await at_rest(database, "ned21") == OPENING
    await east.stop()


async def test_untold_notices_travel_with_the_player(
    enrol: Enrol, database: str
) -> None:
    east, west = enrol("east"), enrol("west")
    await east.start()
    await west.start()
    await east.sit("ned21")
    await query(database, "INSERT INTO notices (handle, text) VALUES ('ned21', 'A.')")
    await east.leave("ned21")
    found = await west.sit("ned21")
    assert isinstance(found, Arrival)
    assert found.notices == ("A.",)
    await west.leave("ned21")  # nobody has told it
    await east.sit("ned21")
    assert east.bank.take_notices("ned21") == ("A.",)
    await east.leave("ned21")
    assert await query(database, "SELECT * FROM notices") == []
    for member in (east, west):
        await member.stop()


async def test_play_and_the_seat_go_on_while_postgres_is_away(
    enrol: Enrol, database: str, wire: Wire
) -> None:
    east = enrol("east", wire.url)
    await east.start()
    await east.sit("ned21")
    await east.sit("lia9")
    wire.cut()
    with pytest.raises(FleetAwayError):
        await east.cage.beat()
    east.win("ned21", 70)
    with pytest.raises(FleetAwayError):
        await east.sit("eve")
    await east.leave("ned21")  # nothing is begun
    assert east.bank.books.visits.keys() == {"ned21", "lia9"}
    await wire.mend()
    await east.cage.beat()
    await east.cage.settle()
    assert east.bank.books.visits.keys() == {"lia9"}
    assert await at_rest(database, "ned21") == OPENING + 70
    assert await at_rest(database, "eve") is None
    await check_money(database, east)
    await east.stop()


async def test_a_checkpoint_tells_the_chips_and_the_head_of_the_journal(
    enrol: Enrol, database: str
) -> None:
    east = enrol("east")
    await east.start()
    await east.sit("ned21")
    till = east.bank.till("main")
    till.stake(1, "ned21", 300)
    till.seal({})
    east.bank.journal.sync()
    await east.cage.beat()
    (visit,) = await query(database, "SELECT at, free, held FROM visits")
    assert visit == ("main", OPENING - 300, 300)
    (counter,) = await query(database, "SELECT seq, hash, settled FROM counters")
    place = east.bank.journal.place
    assert counter == (place.seq, place.digest, place.seq)
    await east.kill()


async def test_a_folder_of_a_fleet_passes_the_audit(
    enrol: Enrol, capsys: pytest.CaptureFixture[str]
) -> None:
    east = enrol("east")
    await east.start()
    for handle in ("ned21", "lia9"):
        await east.sit(handle)
    await east.sit("ned21")
    await east.leave("ned21")
    await east.sit("ned21")
    await east.leave("lia9")
    await east.stop()
    assert main(["audit", "--bank", str(east.folder)]) == 0
    assert "The bank is sound." in capsys.readouterr().out
    assert main(["balances", "--json", "--bank", str(east.folder)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["players"], told["vault"]) == ({"ned21": OPENING}, -OPENING)
