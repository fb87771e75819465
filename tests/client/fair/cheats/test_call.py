"""Seals, calls and links that are not what they should be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_client.fair.finding import Finding
from bj_client.fair.ways_out import Ways
from bj_game.house import House
from bj_protocol import events
from bj_protocol.proof import terms_hash
from bj_protocol.views import SeatLink
from bj_server.table import calling
from bj_server.table.betting import Betting
from bj_server.table.context import TableContext
from support.cheating import Change, changed, found, links_sent, once, play, unsigned
from support.company import Company

OTHER = "ab" * 32


Patch = pytest.MonkeyPatch


def test_a_round_without_a_seal_is_not_bet_on(rig: Company, monkeypatch: Patch) -> None:
    changed(rig, monkeypatch, once(events.BettingOpened, seal=None))
    play(rig, 2)
    found(rig, "is not sealed")
    assert "proves nothing" in rig.players["ned21"].refusals[0]


def test_a_seal_that_is_used_again_is_found(rig: Company, monkeypatch: Patch) -> None:
    prepare = TableContext.prepare
    seals: list[str | None] = []

    def again(context: TableContext) -> None:
        prepare(context)
        seals.append(context.seal)
        context.seal = seals[0]

    monkeypatch.setattr(TableContext, "prepare", again)
    play(rig, 3)
    found(rig, "seal is that of a round before")


def test_a_seal_for_other_rules_is_found(rig: Company, monkeypatch: Patch) -> None:
    rig.table.context.terms = terms_hash({"name": "another"})
    play(rig, 2)
    found(rig, "not the one that was sealed")


def test_a_round_without_a_call_is_found(rig: Company, monkeypatch: Patch) -> None:
    monkeypatch.setattr(Betting, "is_to_be_called", property(lambda _: False))
    play(rig)
    found(rig, "dealt without a call", 1)


def test_a_call_that_is_not_signed_gets_no_link(
    rig: Company, monkeypatch: Patch
) -> None:
    rig.outlet.cheat = unsigned("call")
    play(rig, 2, most=20)
    found(rig, "has not signed the call", 1)
    assert not links_sent(rig)
    assert rig.players["ned21"].refusals


def test_a_second_call_of_a_round_gets_no_link(
    rig: Company, monkeypatch: Patch
) -> None:
    calls: list[events.BetsClosed] = []

    def twice(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BetsClosed):
            calls.append(event)
            return [event, event]
        return [event]

    changed(rig, monkeypatch, twice)
    play(rig, 1, most=4)
    found(rig, "called twice", 1)
    assert not links_sent(rig)


@pytest.mark.usefixtures("two_seats")
@pytest.mark.parametrize("is_other", [False, True])
def test_a_call_that_is_told_again_gets_no_second_link(
    rig: Company, *, is_other: bool
) -> None:
    """The server has our link, and wants it for a call with other cards in the shoe."""
    rig.mute.add("lia9")
    play(rig, 1, most=1)
    before = links_sent(rig)
    [call] = rig.seen(events.BetsClosed)
    assert isinstance(call, events.BetsClosed)
    if is_other:
        call = call.model_copy(update={"bets": call.bets[:1]})
    rig.table.context.outgoing.post(call)
    rig.send()
    found(rig, "called twice", 1)
    assert links_sent(rig) == before
    assert len(before) == 1


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (
            lambda ls: (ls[0].model_copy(update={"link": OTHER}), *ls[1:]),
            "committed to",
        ),
        (lambda ls: ls[::-1], "order of the seats"),
        (lambda ls: ls[1:], "not those of the call"),
    ],
)
def test_links_that_are_told_otherwise_are_found(
    rig: Company, monkeypatch: Patch, change: Any, pattern: str
) -> None:
    changed(rig, monkeypatch, links_changed(change))
    play(rig)
    found(rig, pattern, 1)


@pytest.mark.usefixtures("two_seats")
def test_links_that_are_said_to_be_late_are_counted_with_the_wins_they_cost(
    tmp_path: Path, monkeypatch: Patch, house: House
) -> None:
    monkeypatch.setattr(calling, "SITS_OUT", 0)
    with Company(tmp_path / "bank", house=house, seats=min(4, house.max_seats)) as rig:
        rig.join("ned21")
        rig.join("lia9")
        rig.mute.add("ned21")
        play(rig, 12)
        ned = rig.players["ned21"]
        said = " ".join(map(str, ned.notes))
        assert not ned.findings
        assert "in time, 2.0 seconds after the call by your clock, the 12. time" in said
        assert "round without your link would have been won, as 2 of" in said


def links_changed(
    change: Callable[[tuple[SeatLink, ...]], tuple[SeatLink, ...]],
) -> Change:
    def told(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundBegan):
            return [event]
        return [event.model_copy(update={"links": change(event.links)})]

    return told


def test_wins_that_are_left_out_beyond_chance_are_a_finding() -> None:
    ways = Ways()
    for number in range(20):
        ways.leave_out(number, 2.0)
        remarks = ways.miss_win(number)
        assert isinstance(remarks[0], Finding) is (number == 19)


def test_cards_that_are_gone_from_the_shoe_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    play(rig, 2)

    def steal(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.BetsClosed) or event.left is None:
            return [event]
        left = list(event.left)
        left[event.left.index(max(left))] -= 1
        left[event.left.index(min(event.left))] += 1
        return [event.model_copy(update={"left": tuple(left)})]

    changed(rig, monkeypatch, steal)
    play(rig)
    found(rig, "cards in the shoe were counted wrong|the shoe is", 3)
    assert len(links_sent(rig)) == 2


@pytest.mark.usefixtures("two_seats")
def test_links_of_others_that_are_missing_too_often_are_a_finding(
    rig: Company,
) -> None:
    rig.mute.add("lia9")
    play(rig, 26)  # of which it sits out five after each
    ned = rig.players["ned21"]
    assert "without the link of lia9; 1 of 1 link" in str(ned.notes[0])
    found(rig, "5 of 5 of lia9, and a player in league", 25)


def test_links_that_bad_lines_miss_are_counted_and_no_finding() -> None:
    ways, others = Ways(), ("lia9", "ibad", "tess")
    for number in range(1, 301):
        missing = others[number % 3 : number % 3 + 1] if number % 25 == 0 else ()
        remarks = ways.call(number, others, missing)
        assert not any(isinstance(remark, Finding) for remark in remarks)
    assert "12 of 900 links of others did not come" in str(remarks[0])


def test_links_that_many_miss_in_turn_are_a_finding_of_all() -> None:
    ways, others = Ways(), ("lia9", "ibad", "tess", "kim", "oleg", "pia")
    first = next(
        number
        for number in range(1, 100)
        for remark in ways.call(number, others, [others[number % 6]])
        if isinstance(remark, Finding)
    )
    assert first == 22
