"""Rounds that are void, and bets that come back, when the server has seen the cards."""

import pytest

from bj_protocol import events
from bj_protocol.views import Phase
from support.cheating import changed, found, play, without
from support.company import Company

Patch = pytest.MonkeyPatch


def test_a_win_that_is_paid_and_void_is_a_finding_at_once(
    rig: Company, monkeypatch: Patch
) -> None:
    left = rig.picture.shoe.cards_left

    def void(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundEnded):
            return [event]
        return [
            events.RoundVoided(
                round=event.round, text="Oh.", cards_left=left, secret=event.secret
            )
        ]

    changed(rig, monkeypatch, void)
    play(rig)
    found(rig, "void after your link was told.*you would have", 1)


@pytest.mark.usefixtures("two_seats")
def test_a_second_void_after_our_link_is_a_finding(rig: Company) -> None:
    for _ in range(2):
        rig.mute.add("lia9")
        number = rig.table.context.round
        play(rig, 1, most=1)
        rig.table.void("Something went wrong with this round; it is void.")
        rig.send()
        rig.wait(3)
        rig.mute.clear()
        assert rig.table.context.round > number
    ned = rig.players["ned21"]
    assert "is void after your link was told" in str(ned.notes[0])
    found(rig, "that is the 2. time", 2)


def test_stakes_that_do_not_come_back_after_a_void_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    changed(rig, monkeypatch, without(events.BetReturned))
    for _ in range(20):
        play(rig, 1, most=1)
        if rig.picture.phase is Phase.PLAYING:
            break
    rig.table.void("Something went wrong with this round; it is void.")
    rig.send()
    found(rig, "those that were placed are gone")


def test_a_bet_that_is_given_back_after_our_link_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    def back(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundBegan):
            return [event]
        returned = events.BetReturned(seat=1, amount=1000, balance=1_000_000)
        others = tuple(seat for seat in event.seats if seat != 1)
        return [returned, event.model_copy(update={"seats": others})]

    changed(rig, monkeypatch, back)
    play(rig)
    found(rig, "bets came back of seats whose links are not missing", 1)
