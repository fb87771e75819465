"""PostgreSQL goes back: it is found at the next contact, and nobody is paid twice."""

import pytest

from bj_server.bank.segment import segment_path
from bj_server.bank.visit import Arrival
from bj_server.fleet.sql.visits import Why
from support.fleet import OPENING, Member, Seconds, at_rest, check_money, query
from support.postgres import TimeMachine

from .conftest import Enrol

STRANDED = "SELECT handle FROM visits WHERE stranded IS NOT NULL AND cents_out IS NULL"


@pytest.fixture
async def east(enrol: Enrol) -> Member:
    east = enrol("east")
    await east.start()
    return east


@pytest.fixture
async def west(enrol: Enrol) -> Member:
    west = enrol("west")
    await west.start()
    return west


async def test_a_lost_arrival_is_entered_again_with_the_claim_and_its_gift(
    east: Member, database: str, machine: TimeMachine
) -> None:
    machine.keep()
    await east.sit("ned21")
    east.bank.journal.sync()
    await east.cage.beat()
    machine.go_back()
    assert await at_rest(database, "ned21") is None
    await east.cage.beat()
    assert await at_rest(database, "ned21") == 0
    await check_money(database, east)
    assert await east.sit("ned21", "eve") is Why.WRONG_KEY
    await east.leave("ned21")
    assert await at_rest(database, "ned21") == OPENING
    assert east.cage.faults == 0
    await check_money(database, east)


async def test_a_lost_departure_is_entered_again(
    east: Member, database: str, machine: TimeMachine
) -> None:
    await east.sit("ned21")
    machine.keep()
    east.win("ned21", 70)
    await east.leave("ned21")
    await east.cage.beat()
    machine.go_back()
    assert await at_rest(database, "ned21") == 0
    await east.cage.beat()
    assert await at_rest(database, "ned21") == OPENING + 70
    await check_money(database, east)


async def test_visits_of_weeks_are_entered_again_to_a_server_that_starts(
    east: Member, database: str, machine: TimeMachine
) -> None:
    machine.keep()
    for number in range(60):
        await east.sit(f"p{number}")
        east.win(f"p{number}", number + 1)
        if number % 2:
            await east.leave(f"p{number}")
        if number % 20 == 0:
            await east.cage.beat()
    await east.stop()
    machine.go_back()
    await east.start()
    await check_money(database, east)
    await east.cage.settle()
    rows = await query(database, "SELECT sum(cents) FROM players")
    assert rows[0].sum == 60 * OPENING + sum(range(61))
    await check_money(database, east)


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_lost_move_from_one_server_to_another_is_whole_again(
    east: Member, west: Member, database: str, machine: TimeMachine, is_first: bool
) -> None:
    await east.sit("ned21")
    machine.keep()
    east.win("ned21", 50)
    await east.leave("ned21")
    found = await west.sit("ned21")
    assert isinstance(found, Arrival)
    machine.go_back()
    for member in (east, west) if is_first else (west, east):
        await member.cage.beat()
    assert await at_rest(database, "ned21") == 0
    await west.cage.beat()
    assert await query(database, STRANDED) == []
    assert not west.sent_away
    await check_money(database, east, west)
    await west.leave("ned21")
    assert await at_rest(database, "ned21") == OPENING + 50


async def test_money_that_was_spent_twice_is_named_and_the_account_frozen(
    east: Member,
    west: Member,
    database: str,
    machine: TimeMachine,
    clock: Seconds,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await west.sit("ned21")
    await west.leave("ned21")
    machine.keep()
    await west.sit("ned21")
    west.win("ned21", -OPENING)
    await west.leave("ned21")
    machine.go_back()
    assert await east.sit("ned21") is Why.COMPARING
    clock.now += east.cage.lease
    await east.cage.beat()
    assert isinstance(await east.sit("ned21"), Arrival)
    await west.cage.beat()
    assert west.cage.faults == 0
    clock.now += west.cage.lease
    await west.cage.beat()
    assert west.cage.faults == 1
    assert f"ned21 has -{OPENING} cents at rest" in caplog.text
    east.win("ned21", -OPENING)
    await east.leave("ned21")
    assert await east.sit("ned21") is Why.FROZEN
    await check_money(database, east, west)
    await query(
        database,
        f"BEGIN; INSERT INTO gifts VALUES ('x', 'ned21', {OPENING}); "
        f"UPDATE players SET cents = cents + {OPENING}; COMMIT",
    )
    assert isinstance(await east.sit("ned21"), Arrival)
    await check_money(database, east, west)


async def test_nobody_buys_in_before_all_that_serve_have_compared(
    east: Member, west: Member, machine: TimeMachine, clock: Seconds
) -> None:
    machine.keep()
    machine.go_back()
    assert await east.sit("ned21") is Why.COMPARING
    await west.cage.beat()  # which compares, and says so
    assert isinstance(await east.sit("ned21"), Arrival)
    machine.go_back()
    assert await west.sit("lia9") is Why.COMPARING
    clock.now += west.cage.lease
    assert isinstance(await west.sit("lia9"), Arrival)


async def test_a_server_of_which_all_is_lost_is_entered_again(
    enrol: Enrol, database: str, machine: TimeMachine
) -> None:
    machine.keep()
    east = enrol("east")
    await east.start()
    await east.sit("ned21")
    await east.sit("lia9")
    await east.leave("lia9")
    await east.cage.beat()
    machine.go_back()
    await east.cage.beat()
    await check_money(database, east)
    assert await at_rest(database, "lia9") == OPENING
    await east.stop()
    machine.go_back()
    await east.start()
    await check_money(database, east)
    await east.cage.settle()
    assert await at_rest(database, "ned21") == OPENING


async def test_a_copy_that_served_stays_the_one_that_serves(
    east: Member, database: str, machine: TimeMachine, clock: Seconds
) -> None:
    machine.keep()
    await east.kill()
    await east.start()
    await east.sit("ned21")
    machine.go_back()  # to an epoch before that start
    await east.cage.beat()
    await east.leave("ned21")
    assert await at_rest(database, "ned21") == OPENING
    await check_money(database, east)


async def test_two_copies_that_close_one_visit_are_reported_and_the_first_counts(
    east: Member, database: str
) -> None:
    await east.sit("ned21")
    await query(database, "UPDATE visits SET cents_out = 7, closed = now()")
    await query(database, "UPDATE players SET cents = cents + 7")
    await east.leave("ned21")
    assert await at_rest(database, "ned21") == 7
    assert east.cage.faults == 1
    await east.cage.beat()
    assert (await query(database, "SELECT cents_out FROM visits"))[0].cents_out == 7


async def test_a_row_that_nobody_can_have_lost_is_found_by_the_whole_journal(
    east: Member, database: str
) -> None:
    await east.sit("ned21")
    east.bank.journal.sync()
    await east.cage.beat()
    await query(database, "DELETE FROM visits")
    await query(database, f"UPDATE players SET cents = {OPENING}")
    await east.leave("ned21")
    await east.cage.beat()
    await east.cage.settle()
    assert await at_rest(database, "ned21") == OPENING
    await check_money(database, east)


async def test_a_visit_that_neither_side_has_any_more_is_named_once(
    east: Member, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    await east.sit("ned21")
    east.bank.journal.sync()
    await east.cage.beat()
    (id,) = east.bank.books.visits.values()
    # As an archive does, with all before it.
    number, journal = east.bank.journal.number, east.bank.journal
    east.bank._closed.append(journal.turn_page())
    journal.mend_now()
    segment_path(journal.folder, number).unlink()
    await query(database, "DELETE FROM visits")
    for _ in range(3):
        await east.leave("ned21")
        await east.cage.beat()
    assert east.cage.faults == 1
    assert f"Visit {id} of ned21" in caplog.text
    assert east.cage.unconfirmed == 1
