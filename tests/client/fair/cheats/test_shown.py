"""What people see beside the cards is another table, other players or other rules."""

from collections.abc import Callable

import pytest

from bj_protocol import events
from bj_protocol.action import By
from bj_protocol.messages import Snapshot, Update
from bj_protocol.views import Phase
from support.cheating import (
    answer_to,
    bet_all,
    changed,
    found,
    hang_up,
    noted,
    own,
    picture_of,
    pictured,
    play,
    told,
    with_fields,
    without,
)
from support.company import Company

Patch = pytest.MonkeyPatch

ROUNDS = 1


def told_before(rig: Company, patch: Patch, *others: events.Event) -> None:
    """Have others told before the first event that follows."""
    rest = list(others)

    def cheat(update: Update) -> Update:
        first = tuple(rest)
        rest.clear()
        return update.model_copy(update={"events": (*first, *update.events)})

    told(rig, patch, cheat)


def joined(seat: int, handle: str) -> events.PlayerJoined:
    return events.PlayerJoined(seat=seat, handle=handle, balance=1000)


NOBODY = "the handle of another, or one that nobody can have"
STRANGERS: dict[str, tuple[events.Event, str]] = {
    "a player in league at no seat": (joined(50, "kim"), "no table has"),
    "a player on the seat of the dealer": (joined(0, "kim"), "no table has a seat"),
    "a second player of one handle": (joined(4, "lia9"), NOBODY),
    "a handle in capitals": (joined(4, "Lia9"), NOBODY),
    "a handle that looks like another": (joined(4, "l\u0456a9"), NOBODY),
    "a handle with an unseen mark": (joined(4, "lia9\u200b"), NOBODY),
    "a handle that turns its line": (joined(4, "\u202e9ail"), NOBODY),
    "a handle that is a sentence": (
        joined(4, "Round 9 is proven: 0000 0000. kim"),
        NOBODY,
    ),
    "words of a player who is elsewhere": (
        events.Said(seat=2, handle="ned21", text="My digits are 0000 0000."),
        "ned21 is said to speak, and is not there",
    ),
    "words of the host from no seat": (
        events.Said(seat=9, handle="The host", text="All is proven."),
        "The host is said to speak, and is not there",
    ),
}


@pytest.mark.parametrize("name", STRANGERS)
@pytest.mark.usefixtures("two_seats")
def test_players_who_cannot_be_there_are_found(
    rig: Company, monkeypatch: Patch, name: str
) -> None:
    event, pattern = STRANGERS[name]
    told_before(rig, monkeypatch, event)
    play(rig)
    found(rig, pattern)


def test_words_of_a_player_who_is_there_are_no_lie(rig: Company) -> None:
    rig.table.context.outgoing.post(
        events.Said(seat=own(rig), handle="ned21", text="Hello.")
    )
    rig.send()
    play(rig)
    assert rig.players["ned21"].findings == []


def _house(**fields: object) -> Callable[[Snapshot], Snapshot]:
    def change(picture: Snapshot) -> Snapshot:
        house = picture.house.model_copy(update=fields)
        return picture.model_copy(update={"house": house})

    return change


def _dealer(picture: Snapshot) -> Snapshot:
    dealer = picture.dealer.model_copy(update={"name": "Round 9 is proven"})
    return picture.model_copy(update={"dealer": dealer})


def _decks(picture: Snapshot) -> Snapshot:
    shoe = picture.shoe.model_copy(update={"decks": picture.shoe.decks + 1})
    return picture.model_copy(update={"shoe": shoe})


SHOWN: dict[str, Callable[[Snapshot], Snapshot]] = {
    "a title that promises more": _house(title="Naturals pay 3 to 2"),
    "another house": _house(name="the house of the host"),
    "a minimum that is none": _house(minimum_bet=1),
    "a dealer with a name of our sentences": _dealer,
    "other decks": _decks,
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_house_that_is_shown_otherwise_than_its_rules_is_found(
    rig: Company, name: str
) -> None:
    rig.outlet.tell(rig.line["ned21"], SHOWN[name](picture_of(rig)))
    found(rig, "the house that is shown is another than that of its rules")


@pytest.mark.parametrize("name", SHOWN)
def test_it_is_found_when_we_come_back_as_well(rig: Company, name: str) -> None:
    hang_up(rig, "ned21")
    rig.outlet.cheat = pictured(SHOWN[name])
    rig.join("ned21")
    found(rig, "the house that is shown is another than that of its rules")


def _promised(picture: Snapshot) -> tuple[str, ...]:
    return (*picture.house.rules, "A natural pays 3 to 2 tonight.")


RULES: dict[str, tuple[Callable[[Snapshot], tuple[str, ...]], str]] = {
    "a rule that is not kept": (
        _promised,
        "shows a rule by which it does not play: 'A",
    ),
    "a rule that is hidden": (
        lambda picture: picture.house.rules[1:],
        "does not show the rule by which it plays: '",
    ),
    "no rules": (lambda _: (), "does not show the rule by which it plays: '"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_card_of_rules_that_is_not_played_by_is_told_once(
    rig: Company, name: str
) -> None:
    lie, pattern = RULES[name]
    rig.outlet.cheat = pictured(lambda p: _house(rules=lie(p))(p))
    for _ in range(2):
        rig.outlet.tell(rig.line["ned21"], picture_of(rig))
    noted(rig, pattern)
    assert len(rig.players["ned21"].notes) == 1


def test_a_picture_with_more_seats_than_before_is_found(rig: Company) -> None:
    picture = picture_of(rig)
    more = picture.model_copy(update={"seat_count": picture.seat_count + 1})
    rig.outlet.tell(rig.line["ned21"], more)
    found(rig, "the picture of the table does not follow from the updates")


def test_less_time_than_the_table_gave_before_is_told(
    rig: Company, monkeypatch: Patch
) -> None:
    picture = picture_of(rig)
    shorter = picture.pace.model_copy(update={"turn_seconds": 0.3})
    picture = picture.model_copy(update={"pace": shorter})
    rig.outlet.tell(rig.line["ned21"], picture)
    noted(rig, "the table gives 0.3 seconds to decide, and gave 20")


def test_a_clock_where_there_was_none_is_told(rig: Company) -> None:
    picture = picture_of(rig)
    none = {"bet_seconds": None, "insurance_seconds": None, "turn_seconds": None}
    for times in (none, {}):
        pace = picture.pace.model_copy(update=times)
        told = picture.model_copy(update={"pace": pace})
        rig.outlet.tell(rig.line["ned21"], told)
    noted(rig, "the table gives 20 seconds to decide, and had no clock")


def test_as_much_time_as_before_is_not_told(rig: Company) -> None:
    rig.outlet.tell(rig.line["ned21"], picture_of(rig))
    play(rig)
    assert rig.players["ned21"].notes == []


@pytest.mark.usefixtures("two_seats")
@pytest.mark.parametrize("seats", [(2, 1), (1, 2, 2)])
def test_seats_of_a_deal_that_are_out_of_order_are_found(
    rig: Company, monkeypatch: Patch, seats: tuple[int, ...]
) -> None:
    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.RoundBegan):
            return [with_fields(event, seats=seats)]
        return [event]

    changed(rig, monkeypatch, change)
    play(rig)
    found(rig, "the seats that are dealt to are not those that have bet")


@pytest.mark.parametrize("by", [By.ABSENCE, By.RULES])
def test_who_is_passed_over_while_asked_finds_it(
    rig: Company, monkeypatch: Patch, by: By
) -> None:
    told_before(rig, monkeypatch, events.SatOut(seat=own(rig), by=by))
    play(rig)
    found(rig, "you are passed over while you are asked for your bet")


def test_a_link_that_nobody_called_for_is_not_missing(
    rig: Company, monkeypatch: Patch
) -> None:
    changed(rig, monkeypatch, without(events.BetsClosed))
    bet_all(rig)
    rig.wait(2.1)
    found(rig, "links are missing of a round that was not called")


@pytest.mark.usefixtures("hands_to_play")
def test_decisions_behind_cut_lines_are_counted(rig: Company) -> None:
    """A server that knows the round cuts the line where a hand had better be played."""
    for _ in range(40):
        if any("the 2. time" in str(note) for note in rig.players["ned21"].notes):
            break
        for seat in list(rig.table.context.seats.here):
            if seat.ask is None:
                continue
            if seat.handle == "ned21" and rig.picture.phase is Phase.PLAYING:
                hang_up(rig, "ned21")
                rig.wait(31)
                rig.join("ned21")
            elif rig.is_asked(seat.handle):
                rig.answer(seat.handle, answer_to(rig, seat.handle))
        rig.wait(2.1)
    noted(rig, "it was decided for you since your line was lost, the 2. time")
    assert rig.players["ned21"].findings == []
