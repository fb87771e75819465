"""A line that comes back at another table of the fleet: nothing old goes with it."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bj_client.error import LineLostError
from bj_client.fair.draw import Draw
from bj_client.fair.finding import Note
from bj_client.fair.owed import OwedRound
from bj_client.fair.record import Recorder
from bj_client.fair.witness import LineRecorder, Witness
from bj_client.model.seat import Faces
from bj_client.net.keyring import Keyring
from bj_client.play.hotseat import Hotseat
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from bj_client.verify import Verification
from bj_protocol.commands import Command, Leave, PlaceBet, Resync
from bj_protocol.events import BetPlaced, GiftGiven
from bj_protocol.messages import Snapshot
from bj_protocol.refusal import CloseCode
from bj_protocol.views import FleetView, StoryView, Turn
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


def moved(*pictures: Snapshot, owed: OwedRound | None = None) -> list[str]:
    """Return what a witness tells who hears one picture after the other."""
    witness = Witness("here")
    ear = witness.ear("ned21")
    for picture in pictures:
        ear.lose()
        ear.regain()
        ear.hear(picture)
        if owed is not None:
            ear._checker.rounds.owing.setdefault(owed.number, owed)
            owed = None
    return [str(each) for each in witness.take() if "you" in str(each)]


@pytest.mark.parametrize("cents", [900_000, 899_999])
def test_money_that_is_less_at_another_table_is_told(cents: int) -> None:
    told = moved(at("n1", "main", 900_000), at("n2", "attic", cents))
    less = "Round 3: you have $0.01 less than at the table that you come from."
    assert told == ([less] if cents < 900_000 else [])


def test_a_bet_that_has_to_come_back_is_money_as_well() -> None:
    bet = BetPlaced(seat=2, amount=500, balance=899_500)
    for link, less in (None, "$10.00"), ("07" * 32, "$5.00"):
        owed = OwedRound(bet=bet, draw=Draw(number=7), link=link)
        told = moved(at("n1", "main", 899_500), at("n2", "x", 899_000), owed=owed)
        assert f"you have {less} less than at the table" in told[-1]


def test_a_fall_that_is_not_explained_is_told_at_the_next_table() -> None:
    later = at("n1", "main", 800_000).model_copy(update={"seq": 9, "round": 4})
    same = later.story
    first = at("n1", "main", 900_000).model_copy(update={"story": same})
    newer = make_update(10)
    witness = Witness("here")
    ear = witness.ear("ned21")
    ear.hear(first)
    ear.lose()
    for message in later, newer:
        ear.hear(message)
    ear.lose()
    ear.hear(at("n2", "attic", 800_000))
    told = "you have $1,000.00 less than at the table that you come from"
    assert any(told in str(each) for each in witness.take())


@pytest.mark.parametrize("is_same_visit", [True, False])
def test_a_record_that_goes_over_a_move_is_checked_on(
    tmp_path: Path, *, is_same_visit: bool
) -> None:
    path, seconds = tmp_path / "visit.jsonl", iter([0.0])
    recorder = Recorder(path)
    witness = Witness("here", recorder=recorder, now=lambda: next(seconds, 9.0))
    ear = witness.ear("ned21")
    ear.hear(at("n1", "main", 900_000))
    ear.lose()
    ear.regain()
    if not is_same_visit:
        ear = Witness("here", recorder=recorder, now=lambda: 0.0).ear("ned21")
    ear.hear(at("n2", "attic", 100))
    recorder.close()
    with path.open("rb") as lines:
        told = [str(noted.remark) for noted in Verification().run(lines)]
    less = "you have $8,999.00 less than at the table that you come from"
    assert any(less in each for each in told) is is_same_visit


def test_what_was_counted_at_one_table_counts_on_at_the_next() -> None:
    """A note has the number of its round, and another table may be at the same one."""
    witness = Witness("here")
    ear = witness.ear("ned21")
    for table, told in ("main", 1), ("attic", 2):
        ear.lose()
        ear.hear(at("n1", table, 900_000))
        answers, ask = ear._checker.answers, make_ask(7, seat=2)
        answers.hear_turn(Turn(asks=(ask,), milliseconds=30_000), 2, 1.0)
        answers.check_default(3, 7, "clock", 2.0)
        answers.check_unheard(3, 2.0, "absence", "stand", 0)
        witness.note([*ear._checker.finish(), Note(round=3, what="it is odd")])
        assert witness.findings == told - 1
    sentences = list(map(str, witness.take()))
    early = "the clock has decided for us before the time was up by our clock"
    assert sum(early in each for each in sentences) == 2
    assert sum("it was decided for you" in each for each in sentences) == 1
    assert sentences.count("Round 3: it is odd.") == 2


async def test_a_visit_that_ends_in_a_round_with_our_link_says_so() -> None:
    witness, output = Witness("here"), StringIO()
    narrator = Narrator(PlainOutput(output), Faces(symbols=True), checked=witness.take)

    class Closed:
        """A session that hears of the end of its table in the middle of a round."""

        def __init__(self, hotseat: Hotseat, narrator: Narrator) -> None:
            self._ear = hotseat.storyteller.line.ear

        async def run(self) -> None:
            assert isinstance(self._ear, LineRecorder)
            bet = BetPlaced(seat=2, amount=500, balance=100)
            owed = OwedRound(bet=bet, draw=Draw(number=7), link="07" * 32)
            self._ear._checker.rounds.owing[7] = owed
            raise LineLostError("The host has closed the table", "join another")

    async def script(server: Any) -> None:
        await server.hello()
        assert await server.hear() == Leave()

    keys = Keyring("here", warn=pytest.fail)
    visit = Visit(("ned21",), narrator, Closed, keys=keys, witness=witness)
    async with fake_server(script) as address:
        with pytest.raises(LineLostError):
            await visit.run(address)
    await narrator.check()
    assert "Round 7: the visit is over, and you have not heard" in output.getvalue()


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
