"""Visits: money of a fleet comes here, is played with, and goes home whole."""

from dataclasses import replace
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.books import Books
from bj_server.bank.error import (
    FleetFolderError,
    FleetLackingError,
    LineError,
    MispostedError,
)
from bj_server.bank.key import digest_of
from bj_server.bank.line import Line
from bj_server.bank.move import (
    HOUSE,
    PLAYER,
    VAULT,
    Clock,
    Entry,
    Kind,
    Move,
    Payment,
    Posting,
    Reason,
)
from bj_server.bank.snapshot import Snapshot
from bj_server.bank.visit import (
    Arrival,
    Departure,
    Membership,
    Stays,
    read_stays,
    stay_in,
)
from support.banks import finish_packing, no_pause

NED = Arrival(id="v1", handle="ned21", sha256=digest_of("ned"), cents=100)
LIA = Arrival(
    id="v2",
    handle="lia9",
    sha256=digest_of("lia"),
    cents=0,
    gift=("opening/lia9", 0),
    notices=("Hello.",),
)
EAST = Membership(fleet="f", name="east", journal="j", epoch=7)


def open_east(folder: Path, now: Clock, in_fleet: bool = True) -> Bank:
    return Bank.open(folder, now=now, in_fleet=in_fleet, pause=no_pause)


@pytest.fixture
def bank(folder: Path, now: Clock) -> Bank:
    bank = open_east(folder, now)
    bank.join_fleet(EAST)
    return bank


def test_a_player_arrives_with_money_key_and_notices_and_goes_home_with_all(
    bank: Bank,
) -> None:
    bank.arrive(NED)
    assert bank.balance("ned21") == 100
    assert bank.books.keys["ned21"] == digest_of("ned")
    assert bank.books.ledger.balance(VAULT) == -100
    assert bank.books.ledger.room == 2**52 - 100
    till = bank.till("main")
    till.stake(1, "ned21", 50)
    won = Payment(handle="ned21", reason=Reason.HAND_WON, stake=50, payout=100)
    till.settle(1, [won], {})
    till.seal({})
    bank.audit()
    _, departure = bank.depart("ned21")
    assert departure == Departure(id="v1", handle="ned21", cents=150)
    assert bank.books.ledger.balances == {VAULT: 50, HOUSE: -50, "stakes:main": 0}
    assert not bank.books.keys
    assert not bank.books.visits
    bank.audit()
    bank.close()


def test_one_without_money_has_an_account_and_untold_notices_go_home(
    bank: Bank,
) -> None:
    bank.arrive(LIA)
    assert bank.till("main").account("lia9") == 0
    assert bank.books.ledger.players == 1
    _, departure = bank.depart("lia9")
    assert (departure.cents, departure.notices) == (0, ("Hello.",))
    bank.arrive(replace(LIA, id="v3"))
    assert bank.take_notices("lia9") == ("Hello.",)
    assert bank.depart("lia9")[1].notices == ()
    bank.close()


def test_one_with_stakes_stays_and_nothing_is_changed(bank: Bank) -> None:
    bank.arrive(NED)
    till = bank.till("main")
    till.stake(1, "ned21", 100)
    till.seal({})
    with pytest.raises(MispostedError, match="ned21 has stakes"):
        bank.depart("ned21")
    assert bank.books.visits == {"ned21": "v1"}
    bank.close()


def test_visits_and_the_fleet_are_there_again_after_a_start(
    bank: Bank, folder: Path, now: Clock
) -> None:
    bank.arrive(NED)
    bank.close()  # with a snapshot of it
    again = open_east(folder, now)
    assert again.books.visits == {"ned21": "v1"}
    assert again.books.fleet == EAST
    again.arrive(LIA)
    again.stop()  # without
    last = open_east(folder, now)
    assert last.books.visits == {"ned21": "v1", "lia9": "v2"}
    assert last.books.copy().visits == last.books.visits
    last.close()


def test_a_folder_of_no_fleet_says_nothing_of_one(folder: Path, now: Clock) -> None:
    open_east(folder, now, in_fleet=False).close()
    snapshot = Snapshot.read(folder)
    assert snapshot is not None
    assert "fleet" not in snapshot.statement


def test_the_folder_of_a_fleet_is_opened_in_a_fleet_alone(
    bank: Bank, folder: Path, now: Clock
) -> None:
    bank.close()
    with pytest.raises(FleetFolderError, match="belongs to server east of a fleet"):
        open_east(folder, now, in_fleet=False)
    open_east(folder, now).close()


def change(posting: Posting, **data: object) -> Posting:
    return replace(posting, data={**posting.data, **data})


GONE = Departure(id="v1", handle="ned21", cents=100)
_WAY = (Move(source=VAULT, target=PLAYER + "eve", amount=100),)
UNLIKE_VISITS = "A visit is not written as visits are."
WITH_ALL = "ned21 departs with all that is there, or not at all."
ANOTHER_FLEET = "The folder would change its fleet, name or journal."


@pytest.mark.parametrize(
    ("posting", "what"),
    [
        (NED.posting, "ned21 arrives, but is here."),
        (replace(GONE, id="v9").posting, "ned21 departs from a visit that is not on."),
        (
            replace(GONE, handle="eve").posting,
            "eve departs from a visit that is not on.",
        ),
        (replace(GONE, cents=99).posting, WITH_ALL),
        (replace(GONE, cents=0).posting, WITH_ALL),
        (Posting(kind=Kind.ARRIVE), UNLIKE_VISITS),
        (change(LIA.posting, sha256="x"), UNLIKE_VISITS),
        (change(LIA.posting, more=1), "The money of visit 'v2' goes another way."),
        (change(GONE.posting, notices=None), UNLIKE_VISITS),
        (
            replace(LIA.posting, entries=(Entry(reason=Reason.BUY_IN, moves=_WAY),)),
            "The money of visit 'v2' goes another way.",
        ),
        (
            Posting(kind=Kind.FLEET, data={"fleet": "f"}),
            "A mark of a fleet is not written as those are.",
        ),
        (EAST.posting, ANOTHER_FLEET),
        (replace(EAST, name="west", epoch=8).posting, ANOTHER_FLEET),
    ],
)
def test_a_visit_that_does_not_fit_changes_nothing(posting: Posting, what: str) -> None:
    books = Books()
    books.apply(EAST.posting)
    books.apply(NED.posting)
    with pytest.raises(MispostedError) as caught:
        books.apply(posting)
    assert str(caught.value) == what
    assert books.visits == {"ned21": "v1"}
    assert books.fleet == EAST
    assert books.ledger.balances == {VAULT: -100, "player:ned21": 100}
    at = {"seq": 2, "time": "", "synced": 0, "prev": ""}
    fields = {"kind": posting.kind, "entries": posting.entries, "data": posting.data}
    with pytest.raises(LineError, match="does not fit the lines before it"):
        books.follow(Line(**fields, **at))  # type: ignore[arg-type]


def test_each_start_has_a_higher_epoch(bank: Bank) -> None:
    bank.join_fleet(replace(EAST, epoch=9))
    assert bank.books.fleet == replace(EAST, epoch=9)
    bank.close()


def test_stays_are_read_back_from_any_line_in_any_segment(
    folder: Path, now: Clock
) -> None:
    bank = Bank.open(folder, now=now, in_fleet=True, segment_bytes=1, pause=no_pause)
    bank.join_fleet(EAST)
    digests = {bank.journal.seq: bank.journal.place.digest}
    expected: list[tuple[int, Arrival | Departure]] = []
    for number in range(3):
        arrival = replace(NED, id=f"v{number}")
        expected.append((bank.arrive(arrival), arrival))
        digests[bank.journal.seq] = bank.journal.place.digest
        expected.append(bank.depart("ned21"))
        digests[bank.journal.seq] = bank.journal.place.digest
        bank.journal.sync()
        if number < 2:
            bank._closed.append(bank.journal.turn_page())
            bank.journal.mend_now()
            digests[bank.journal.seq] = bank.journal.place.digest
    last = bank.journal.seq
    bank._pack()
    finish_packing(bank)
    for seq, digest in digests.items():
        after = [stay for line, stay in expected if line > seq]
        assert read_stays(folder, seq, last) == Stays(digest=digest, after=after)
        if seq < last:
            until = read_stays(folder, seq, last - 1)
            assert until == Stays(digest=digest, after=after[:-1])
    assert read_stays(folder, last + 1, last + 1).digest is None
    assert read_stays(folder, last, last - 1).digest is None
    assert read_stays(folder, 0, last).after == [stay for _, stay in expected]
    # Of a line in a segment that is gone the next segment has the hash.
    seq = bank._closed[0].seq
    (folder / "journal-000001.jsonl.gz").unlink()
    assert read_stays(folder, seq, last).digest == digests[seq]
    bank.close()


def test_the_gift_of_an_arrival_is_read_back() -> None:
    assert LIA.gift is not None
    assert stay_in(LIA.posting) == LIA


def test_no_journal_has_no_stays(tmp_path: Path) -> None:
    assert read_stays(tmp_path, 0, 0) == Stays(digest=None, after=[])


def test_what_a_fleet_lacks_is_named() -> None:
    sentence = (
        "A server of a fleet needs psycopg, which is not installed: install "
        "blackjack-table[fleet]."
    )
    assert str(FleetLackingError()) == sentence


def test_the_folder_of_a_fleet_is_told_with_all_that_can_be_done() -> None:
    sentence = (
        "The bank folder b belongs to server east of a fleet, whose bank is in "
        "PostgreSQL: start bj-server with --fleet, change accounts with bj-bank fleet, "
        "or choose another folder."
    )
    assert str(FleetFolderError(Path("b"), "east")) == sentence


def test_a_copy_of_books_is_of_the_same_fleet(bank: Bank) -> None:
    assert bank.books.fleet is not None
    assert bank.books.copy().fleet == bank.books.fleet


def test_a_key_of_a_fleet_takes_the_place_of_one_that_was_reset(bank: Bank) -> None:
    bank.arrive(NED)
    assert bank.reset_key("ned21")
    bank.claim("ned21", digest_of("new"))
    assert bank.books.keys == {"ned21": digest_of("new")}
    bank.close()
