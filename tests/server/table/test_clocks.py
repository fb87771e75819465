"""Clocks: a time for each kind of question, none at all, and who lets them run out."""

import pytest

from bj_protocol import events
from bj_protocol.action import By
from bj_protocol.commands import Stand
from bj_protocol.refusal import CloseCode
from bj_protocol.views import Phase, Presence
from bj_server.settings import load_house
from bj_server.table.clock import Pace
from bj_server.table.inbox import SendAway
from support.rig import Lay, Rig

OFFER = "Ts 9s Ah 9d 9c 8h"
"""Two hands against an ace that is no blackjack."""


def left(rig: Rig) -> float | None:
    turn = rig.picture.turn
    assert turn is not None
    return turn.milliseconds and turn.milliseconds / 1000


def phase(rig: Rig) -> Phase:
    return rig.picture.phase


def test_every_kind_of_question_has_a_time_of_its_own(lay: Lay) -> None:
    pace = Pace(bet_seconds=11, insurance_seconds=12, turn_seconds=13)
    rig = lay(house=load_house("vegas-strip"), stack=OFFER, pace=pace)
    rig.join("ned21")
    rig.join("lia9")
    assert left(rig) == 11
    rig.bet("ned21")
    rig.bet("lia9")
    assert left(rig) == 12
    rig.play("ned21", "decline")
    rig.play("lia9", "decline")
    assert left(rig) == 13
    shown = rig.picture.pace
    assert (shown.bet_seconds, shown.insurance_seconds) == (11, 12)
    assert (shown.turn_seconds, shown.hold_seconds) == (13, 60)


@pytest.mark.parametrize(("part", "by"), [(0.8, By.PLAYER), (1.1, By.CLOCK)])
def test_T4_an_answer_counts_until_the_time_is_up_and_not_after(
    lay: Lay, part: float, by: By
) -> None:
    rig = lay(stack="Ts 9h 9s 8h", pace=Pace(turn_seconds=30))
    rig.join("ned21")
    rig.bet("ned21")
    prompt = rig.ask("ned21").prompt
    rig.wait(30 * part)
    refused = rig.answer("ned21", Stand(prompt=prompt))
    (stood,) = rig.seen(events.HandStood)
    assert isinstance(stood, events.HandStood)
    assert stood.by is by
    assert (refused is None) == (by is By.PLAYER)


def test_without_a_clock_nobody_is_hurried(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h", pace=Pace(has_clock=False))
    rig.join("ned21")
    assert left(rig) is None
    assert rig.picture.pace.bet_seconds is None
    rig.wait(10**6)
    rig.bet("ned21")
    rig.wait(10**6)
    rig.play("ned21", "stand")
    assert rig.seen(events.SatOut) == []


def test_without_a_clock_a_lost_player_is_held_and_then_decided_for(lay: Lay) -> None:
    rig = lay(stack="Ts 9s 9h 9d 9c 8h", pace=Pace(has_clock=False, hold_seconds=60))
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    for handle in ("ned21", "lia9"):
        rig.bet(handle)
    rig.drop("ned21")
    rig.wait(59)
    assert rig.seen(events.HandStood) == []
    rig.wait(1)
    (stood,) = rig.seen(events.HandStood)
    assert isinstance(stood, events.HandStood)
    assert (stood.seat, stood.by) == (1, By.ABSENCE)
    rig.wait(10**6)
    assert rig.ask("lia9") is not None


def test_without_a_clock_a_round_waits_for_nobody_for_ever_after_a_restart(
    lay: Lay,
) -> None:
    rig = lay(stack="Ts 9h 9s 8h", pace=Pace(has_clock=False))
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.play("lia9", "sit_out")
    rig.restart()
    rig.join("lia9")
    rig.wait(59)
    assert phase(rig) is Phase.PLAYING
    rig.wait(1)
    assert rig.seen(events.HandSettled)
    assert phase(rig) is Phase.BETTING


def test_without_a_clock_bets_wait_for_nobody_for_ever_after_a_restart(
    lay: Lay,
) -> None:
    rig = lay(stack="Ts 9h 9s 8h", pace=Pace(has_clock=False))
    rig.join("ned21")
    rig.join("lia9")
    rig.restart()
    rig.join("lia9")
    rig.bet("lia9")
    rig.wait(59)
    assert phase(rig) is Phase.BETTING
    rig.wait(1)
    assert phase(rig) is Phase.PLAYING


def test_who_misses_three_calls_for_bets_stands_up(lay: Lay) -> None:
    rig = lay()
    line = rig.join("ned21")
    rig.wait(60)
    assert line not in rig.outlet.dismissed
    rig.wait(30)
    code, reason = rig.outlet.dismissed[line]
    assert (code, "three" in reason or "3" in reason) == (CloseCode.IDLE, True)
    assert events.PlayerLeft(seat=1, handle="ned21") in rig.events
    assert rig.table.phase is None
    assert rig.bank.balance("ned21") == 10_000_00


def test_whatever_is_answered_is_no_missed_call(lay: Lay) -> None:
    rig = lay()
    line = rig.join("ned21")
    for _ in range(3):
        rig.wait(60)
        rig.play("ned21", "sit_out")
        rig.wait(30)
    assert line not in rig.outlet.dismissed


def test_missed_calls_are_counted_across_a_restart(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.wait(60)
    rig.restart()
    line = rig.join("ned21")
    rig.wait(30)
    assert rig.outlet.dismissed[line][0] is CloseCode.IDLE


def test_who_is_sent_away_in_a_round_is_stood_and_settled(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    line = rig.join("ned21")
    rig.bet("ned21")
    rig.send(SendAway("ned21"), SendAway("nobody"))
    assert rig.outlet.dismissed[line][0] is CloseCode.SENT_AWAY
    assert rig.bank.balance("ned21") == 10_100_00
    assert events.PlayerLeft(seat=1, handle="ned21") in rig.events
    assert Presence.LEAVING in {
        e.presence for e in rig.events if isinstance(e, events.PresenceChanged)
    }


def test_who_is_sent_away_before_the_deal_has_the_bet_back(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.send(SendAway("ned21"))
    assert rig.bank.balance("ned21") == 10_000_00
    assert [seat.handle for seat in rig.picture.seats] == ["lia9"]
