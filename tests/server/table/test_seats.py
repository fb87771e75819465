import pytest

from bj_protocol import events
from bj_protocol.action import By
from bj_protocol.commands import Hit, Leave, Resync, Stand
from bj_protocol.messages import Refused, Snapshot
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import Phase, Presence, You
from bj_server.table.inbox import ConnectionLost, FromLine
from support.rig import Lay


def test_seats_are_taken_in_order_and_the_lowest_free_one_first(lay: Lay) -> None:
    rig = lay()
    for handle in ("a", "b", "c"):
        rig.join(handle)
    rig.leave("b")
    rig.join("d")
    assert [(seat.seat, seat.handle) for seat in rig.picture.seats] == [
        (1, "a"),
        (2, "d"),
        (3, "c"),
    ]


def test_a_full_table_refuses_in_a_sentence(lay: Lay) -> None:
    rig = lay(seats=1)
    rig.join("ned21")
    line = rig.join("lia9")
    (refused,) = rig.outlet.heard[line]
    assert isinstance(refused, Refused)
    assert refused.code is RefusalCode.TABLE_FULL
    assert rig.outlet.dismissed[line][0] is CloseCode.REFUSED
    assert "player:lia9" not in rig.bank.books.ledger


def test_T13_the_first_message_is_a_complete_picture_with_the_own_seat(
    lay: Lay,
) -> None:
    rig = lay()
    rig.join("ned21")
    line = rig.join("lia9")
    (snapshot,) = rig.outlet.heard[line]
    assert isinstance(snapshot, Snapshot)
    assert snapshot.you == You(handle="lia9", seat=2)
    assert snapshot.seq == rig.outlet.updates[-1].seq
    assert [seat.handle for seat in snapshot.seats] == ["ned21", "lia9"]


def test_T10_who_joins_in_the_middle_waits_for_the_next_bets(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21")
    before = rig.picture
    rig.join("lia9")
    after = rig.picture
    assert after.phase is Phase.PLAYING
    assert after.seats[0] == before.seats[0]
    assert after.turn == before.turn
    assert after.dealer == before.dealer
    assert rig.seat("lia9").hands == ()
    rig.play("ned21", "stand")
    assert rig.is_asked("lia9")


def test_T10_who_joins_while_bets_are_open_may_bet_on_the_same_clock(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.wait(10)
    first = rig.ask("ned21")
    rig.join("lia9")
    assert rig.ask("ned21") == first
    assert rig.is_asked("lia9")
    turn = rig.picture.turn
    assert turn is not None
    assert turn.milliseconds == 20_000


def test_T7_joining_again_takes_the_seat_over(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    old = rig.join("ned21")
    rig.bet("ned21")
    before = rig.picture
    new = rig.join("ned21")
    assert rig.outlet.dismissed[old][0] is CloseCode.TAKEN_OVER
    assert rig.picture == before
    prompt = rig.ask("ned21").prompt
    rig.send(FromLine(old, Hit(prompt=prompt)))
    assert rig.picture == before
    rig.send(ConnectionLost(old))
    assert rig.picture == before
    rig.send(FromLine(new, Stand(prompt=prompt)))
    assert rig.balance("ned21") == 10_100


def test_a_dropped_player_finds_the_same_question_again(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21")
    before = rig.picture
    rig.drop("ned21")
    assert rig.picture.seats[0].presence is Presence.AWAY
    rig.wait(10)
    rig.join("ned21")
    assert rig.picture.seats == before.seats
    assert rig.ask("ned21") in (before.turn.asks if before.turn else ())


def test_T1_a_dropped_player_is_stood_when_the_time_is_up(lay: Lay) -> None:
    rig = lay(stack="Ts 9s 6h 9d 9c 9h 8d")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.bet("lia9")
    rig.drop("ned21")
    assert rig.is_asked("ned21")
    rig.wait(30)
    assert rig.is_asked("lia9")
    rig.play("lia9", "stand")
    assert rig.balance("lia9") == 10_100
    assert rig.balance("ned21") == 10_100


def test_T9_what_a_player_wins_while_away_is_there_on_return(lay: Lay) -> None:
    rig = lay(stack="5s Ts 9h 6s 9c 7d 9d Kc")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21", 100)
    rig.bet("lia9", 100)
    rig.play("ned21", "double")
    rig.drop("ned21")
    rig.play("lia9", "stand")
    assert rig.seen(events.DealerBusted)
    line = rig.join("ned21")
    snapshot = rig.outlet.heard[line][-1]
    assert isinstance(snapshot, Snapshot)
    assert snapshot.seats[0].balance == 1_020_000
    assert rig.balance("ned21") == 10_200


def test_T6_seats_that_are_away_already_are_passed_at_once(lay: Lay) -> None:
    rig = lay(stack="Ts 9s 8s 7s 6h 9d 9c 9h Tc 9s 2d")
    for handle in ("a", "b", "c", "d"):
        rig.join(handle)
    for handle in ("a", "b", "c", "d"):
        rig.bet(handle)
    for handle in ("b", "c"):
        rig.drop(handle)
    rig.play("a", "stand")
    assert rig.is_asked("d")
    stood = [event for event in rig.events if isinstance(event, events.HandStood)]
    assert [event.by for event in stood[1:]] == [By.ABSENCE] * 2


@pytest.mark.parametrize("wait", [1, 60])
def test_T12_the_last_players_drop_and_the_next_one_can_start(
    lay: Lay, wait: int
) -> None:
    rig = lay(stack="Ts 9s 6h 9d 9c 9h 8d")
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    for handle in ("ned21", "lia9"):
        rig.bet(handle)
    rig.drop("ned21")
    rig.drop("lia9")
    rig.wait(wait)
    rig.join("ibad")
    rig.wait(30)
    assert rig.balance("ned21") == rig.balance("lia9") == 10_100
    assert rig.picture.phase is Phase.BETTING
    assert rig.is_asked("ibad")


def test_an_empty_table_waits(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.leave("ned21")
    assert rig.table.wake_at is None
    assert rig.outlet.dismissed[rig.line["ned21"]][0] is CloseCode.LEFT


def test_a_seat_is_held_for_a_while_and_then_free(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    rig.drop("ned21")
    rig.wait(59)
    assert len(rig.picture.seats) == 2
    rig.wait(1)
    assert [seat.handle for seat in rig.picture.seats] == ["lia9"]
    assert events.PlayerLeft(seat=1, handle="ned21") in rig.events


def test_leaving_before_the_deal_brings_the_bet_back(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.leave("ned21")
    assert rig.balance("ned21") == 10_000
    assert events.BetReturned(seat=1, amount=10_000, balance=1_000_000) in rig.events


def test_leaving_in_a_round_stands_the_hand_and_settles_it(lay: Lay) -> None:
    rig = lay(stack="Ts 9s 6h 9d 9c 9h 8d")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.bet("lia9")
    rig.leave("ned21")
    assert rig.seat("ned21").presence is Presence.LEAVING
    assert rig.is_asked("lia9")
    rig.play("lia9", "stand")
    assert rig.balance("ned21") == 10_100
    assert [seat.handle for seat in rig.picture.seats] == ["lia9"]


def test_who_left_in_a_round_may_come_back_into_it(lay: Lay) -> None:
    rig = lay(stack="Ts 9s 6h 9d 9c 9h 8d")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.bet("lia9")
    rig.leave("lia9")
    rig.join("lia9")
    rig.play("ned21", "stand")
    rig.play("lia9", "stand")
    assert rig.balance("lia9") == 10_100


def test_a_bet_of_a_player_who_dropped_is_played(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.drop("ned21")
    rig.leave("lia9")
    assert rig.balance("ned21") == 10_100


def test_the_bets_do_not_wait_for_who_dropped(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.drop("lia9")
    assert rig.picture.phase is Phase.PLAYING


def test_who_comes_back_before_the_bets_close_is_asked_again(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    rig.drop("lia9")
    assert not rig.is_asked("lia9")
    rig.join("lia9")
    assert rig.is_asked("lia9")


def test_a_lost_client_is_shown_the_table_again(lay: Lay) -> None:
    rig = lay()
    line = rig.join("ned21")
    rig.send(FromLine(line, Resync()))
    assert rig.outlet.heard[line][-1] == rig.picture


def test_lines_without_a_seat_can_do_nothing(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    before = rig.picture
    rig.outlet.heard[77] = []
    rig.send(
        FromLine(77, Hit(prompt=1)),
        FromLine(77, Resync()),
        ConnectionLost(77),
        FromLine(77, Leave()),
    )
    (refused,) = rig.outlet.heard[77]
    assert isinstance(refused, Refused)
    assert refused.code is RefusalCode.NOT_SEATED
    assert rig.picture == before
