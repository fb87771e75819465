"""A line that comes back at another table of the fleet: nothing old goes with it."""

from typing import Any

import pytest

from bj_client.fair.draw import Draw
from bj_client.fair.owed import OwedRound
from bj_client.fair.witness import Witness
from bj_protocol.commands import Command, PlaceBet, Resync
from bj_protocol.events import BetPlaced, GiftGiven
from bj_protocol.messages import Snapshot
from bj_protocol.refusal import CloseCode
from bj_protocol.views import FleetView, StoryView
from bj_server.bank.signer import Signer
from support.fake_server import fake_server
from support.message import make_ask, make_seat, make_snapshot, make_update
from support.returning import AT_ONCE, cut, in_turn
from support.visit import run_command, run_lines

FLEET = Signer.after()


@pytest.mark.parametrize("table", ["main", "attic"])
async def test_an_answer_is_not_sent_again_to_another_question(table: str) -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(7), table=table)
        amount = 500 if table == "main" else 900
        assert await server.hear() == PlaceBet(prompt=7, amount=amount)
        await server.update(11, asks=(make_ask(9),))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        typed = "5\n" if table == "main" else "5\n9\n"
        shown = await run_lines(address, typed, policy=AT_ONCE)
    assert ("Your last answer was lost" in shown) is (table == "attic")
    assert ("sent again" in shown) is (table == "main")


@pytest.mark.parametrize("table", ["main", "attic"])
async def test_a_bot_answers_anew_at_another_table(table: str) -> None:
    heard: list[Command] = []

    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        heard.append(await server.hear())
        await server.update(11, asks=(make_ask(7),))
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(7), table=table, seq=20)
        if table == "main":
            assert await server.hear() == Resync(seq=11)
            await server.say(make_snapshot(make_ask(7), seq=20))
        heard.append(await server.hear())
        await server.socket.close(CloseCode.SENT_AWAY, "")

    async with fake_server(in_turn(before, after)) as address:
        options = ("--plain", "--handle", "ned21", "--bot", "basic", "--server")
        assert (await run_command(*options, address.uri)).code == 4
    bet = PlaceBet(prompt=7, amount=1000)
    assert heard == [bet, bet]


def at(name: str | None, table: str, balance: int) -> Snapshot:
    """Return the picture at a server of the fleet; without a name it is alone."""
    own = Signer.after()
    fleet: FleetView | None = None
    if name is not None:
        fleet = FLEET.take_in(own.key, name, f"ws://cards.example/s/{name}")
    if name is not None:
        own.name_run(name, "5e7", 7)
    known: dict[str, Any] = {"key": own.key, "run": own.run, "start": own.start}
    story = StoryView(**known, head="02" * 32, fleet=fleet)
    seats = (make_seat(2, "ned21", balance=balance),)
    picture: Snapshot = make_snapshot(table=table, story=story, seats=seats, seq=3)
    return picture


def findings(*pictures: Snapshot) -> int:
    """Return what a witness finds who hears one picture after the other."""
    witness = Witness("here")
    ear = witness.ear("ned21")
    for number, picture in enumerate(pictures):
        if number:
            ear.lose()
            ear.regain()
        ear.hear(picture)
    return witness.findings


def test_a_move_within_the_fleet_is_no_theft() -> None:
    there = at("n2", "attic", 100)
    assert findings(at("n1", "main", 900_000), there) == 0
    assert findings(at("n1", "main", 900_000), at("n2", "main", 100)) == 0


@pytest.mark.parametrize(
    ("is_told", "found"),
    [pytest.param(True, [0, 1], id="told"), pytest.param(False, [0, 0], id="kept")],
)
def test_to_be_moved_from_rounds_with_our_link_is_a_way_out(
    is_told: bool, found: list[int]
) -> None:
    witness = Witness("here")
    ear = witness.ear("ned21")
    ear.hear(at("n1", "main", 900_000))
    for number, (table, count) in enumerate(zip(("attic", "main"), found, strict=True)):
        bet = BetPlaced(seat=2, amount=500, balance=100)
        owed = OwedRound(bet=bet, draw=Draw(number=7 + number))
        owed.link = "07" * 32 if is_told else None
        ear._checker.rounds.owing[owed.number] = owed
        ear.lose()
        ear.regain()
        ear.hear(at("n1", table, 900_000 - 500))
        assert witness.findings == count
        assert ear._checker.rounds.owing == {}
    told = " ".join(map(str, witness.take()))
    assert ("round 7: you were moved from table main" in told.lower()) is is_told
    assert ("heard its end, the 2. time" in told) is is_told


def test_what_is_no_move_within_the_fleet_is_checked_as_before() -> None:
    assert findings(at(None, "main", 900_000), at(None, "attic", 900_000)) > 0


def test_a_run_that_names_no_start_of_the_server_is_found() -> None:
    picture = at("n1", "main", 100)
    assert picture.story is not None
    start = picture.story.start
    assert start is not None
    for spoilt in (
        {"start": None},
        {"start": start.model_copy(update={"epoch": 8})},
        {"start": start.model_copy(update={"journal": "5e8"})},
        {"fleet": at("n2", "main", 100).story.fleet},  # type: ignore[union-attr]
        {"fleet": None},
    ):
        story = picture.story.model_copy(update=spoilt)
        assert findings(picture.model_copy(update={"story": story})) == 1
    assert findings(picture) == 0


def test_at_the_other_table_everything_is_checked() -> None:
    witness = Witness("here")
    ear = witness.ear("ned21")
    ear.hear(at("n1", "main", 900_000))
    ear.lose()
    ear.hear(at("n2", "attic", 100))
    assert witness.findings == 0
    theft = make_update(4, GiftGiven(seat=2, amount=500, balance=100))
    ear.hear(theft.model_copy(update={"table": "attic"}))
    assert witness.findings > 0
