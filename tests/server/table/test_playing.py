from dataclasses import replace

import pytest

from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.commands import Double, Hit, PlaceBet, Split, Stand
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table.inbox import FromLine, TimeUp
from support.rig import PLAYS, Lay


def test_a_round_is_paid_into_the_bank(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    assert rig.balance("ned21") == 9_900
    rig.play("ned21", "stand")
    assert rig.balance("ned21") == 10_100


def test_everything_between_two_decisions_is_one_update(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    before = len(rig.outlet.updates)
    rig.act("ned21", "bet 100, stand")
    updates = rig.outlet.updates[before:]
    assert len(updates) == 2
    assert [update.seq for update in updates] == [before + 1, before + 2]
    assert [event.type for event in updates[1].events] == [
        "hand_stood",
        "hole_revealed",
        "dealer_stood",
        "hand_settled",
        "round_ended",
        "betting_opened",
    ]


def test_a_natural_all_round_needs_no_answer(lay: Lay) -> None:
    rig = lay(stack="As 9h Ks 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    assert rig.balance("ned21") == 10_100
    assert rig.picture.phase is Phase.BETTING


def test_B3_a_double_without_the_money_is_refused_and_the_hand_goes_on(
    lay: Lay,
) -> None:
    rig = lay(stack="5s 9h 6s 8h 9c")
    rig.join("ned21")
    rig.bet("ned21", 5_001)
    assert Action.DOUBLE not in rig.legal("ned21")
    prompt = rig.ask("ned21").prompt
    refused = rig.answer("ned21", Double(prompt=prompt))
    assert refused is not None
    assert refused.code is RefusalCode.NOT_ENOUGH_FUNDS
    assert rig.balance("ned21") == 4_999
    rig.play("ned21", "hit", "stand")
    assert rig.balance("ned21") == 15_001


def test_B4_a_split_without_the_money_is_refused(lay: Lay) -> None:
    rig = lay(stack="8s 9h 8d 9d")
    rig.join("ned21")
    rig.bet("ned21", 6_000)
    refused = rig.answer("ned21", Split(prompt=rig.ask("ned21").prompt))
    assert refused is not None
    assert refused.code is RefusalCode.NOT_ENOUGH_FUNDS
    assert rig.balance("ned21") == 4_000
    rig.play("ned21", "stand")
    assert rig.balance("ned21") == 4_000


def test_B6_a_loss_takes_the_stake_once(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d Ts 9h 9s 8h Ts Th 9s 9h")
    rig.join("ned21")
    for plays, after in (
        (("stand",), 9_900),
        (("stand",), 10_000),
        (("decline", "stand"), 10_000),
    ):
        rig.bet("ned21", 100)
        rig.play("ned21", *plays)
        assert rig.balance("ned21") == after


def test_B7_a_bet_during_anothers_turn_is_refused_and_taken_once_later(
    lay: Lay,
) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21")
    rig.join("lia9")
    last = rig.table.context.last_prompt
    refused = rig.answer("lia9", PlaceBet(prompt=last + 1, amount=500))
    assert refused is not None
    assert refused.code is RefusalCode.NOT_ASKED
    assert rig.balance("lia9") == 10_000
    rig.play("ned21", "stand")
    rig.bet("lia9", 5)
    assert rig.balance("lia9") == 9_995


def test_B13_a_live_stake_is_out_of_reach(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d")
    rig.join("ned21")
    rig.bet("ned21", 10_000)
    rig.join("ned21")
    assert rig.balance("ned21") == 0
    rig.leave("ned21")
    assert rig.balance("ned21") == 0
    rig.join("ned21")
    assert rig.balance("ned21") == 0
    assert len(rig.seen(events.HandSettled)) == 1


def test_R20_the_shoe_is_shuffled_after_the_round_of_the_cut_card(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    while not rig.seen(events.CutCardReached):
        rig.bet("ned21", 1)
        while rig.picture.phase is Phase.PLAYING:
            is_offer = Action.DECLINE in rig.legal("ned21")
            rig.play("ned21", "decline" if is_offer else "stand")
    kinds = [event.type for event in rig.outlet.updates[-1].events]
    assert kinds[-3:] == ["round_ended", "shoe_shuffled", "betting_opened"]
    assert len(rig.seen(events.ShoeShuffled)) == 2
    assert rig.picture.shoe.until_cut is None  # it is placed with the next round
    assert rig.picture.shoe.cards_left == 416
    rig.bet("ned21", 1)
    began = rig.seen(events.RoundBegan)[-1]
    assert isinstance(began, events.RoundBegan)
    assert 60 <= 416 - (began.until_cut or 0) <= 80


def test_only_the_seat_that_is_asked_may_answer(lay: Lay) -> None:
    rig = lay(stack="Ts 9s 6h 9d 9c 9h 8d")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.bet("lia9")
    prompt = rig.ask("ned21").prompt
    before = rig.picture
    for play in ("hit", "stand", "double", "split", "decline"):
        refused = rig.answer("lia9", PLAYS[play](prompt))
        assert refused is not None
    assert rig.picture == before


def test_T16_time_and_answer_at_the_same_moment_act_once(lay: Lay) -> None:
    rig = lay(stack="2s 9h 3s 8h 4c 5c")
    line = rig.join("ned21")
    rig.bet("ned21")
    hit = FromLine(line, Hit(prompt=rig.ask("ned21").prompt))
    rig.clock.time += 30
    rig.send(TimeUp(), hit)
    assert rig.seen(events.HandStood) == [
        events.HandStood(seat=1, hand=0, total=5, by=By.CLOCK)
    ]
    rig.bet("ned21")
    hit = FromLine(line, Hit(prompt=rig.ask("ned21").prompt))
    rig.clock.time += 30
    rig.send(hit, TimeUp())
    assert len(rig.seen(events.HandStood)) == 1


@pytest.mark.parametrize(("seconds", "stands"), [(24, 0), (33, 1)])
def test_T4_an_answer_counts_within_the_limit(
    lay: Lay, seconds: int, stands: int
) -> None:
    rig = lay(stack="2s 9h 3s 8h 4c")
    rig.join("ned21")
    rig.bet("ned21")
    prompt = rig.ask("ned21").prompt
    rig.wait(seconds)
    refused = rig.answer("ned21", Hit(prompt=prompt))
    assert len(rig.seen(events.HandStood)) == stands
    assert (refused is not None) is bool(stands)


def test_T6_only_an_accepted_answer_of_the_seat_restarts_its_clock(lay: Lay) -> None:
    rig = lay(stack="2s 2d 9h 3s 3d 8h 4c")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.bet("lia9")
    prompt = rig.ask("ned21").prompt
    for _ in range(29):
        rig.wait(1)
        rig.answer("lia9", Stand(prompt=prompt))
        rig.answer("ned21", Split(prompt=prompt))
    assert rig.is_asked("ned21")
    rig.wait(1)
    assert not rig.is_asked("ned21")


def test_an_unanswered_offer_of_insurance_means_no(lay: Lay) -> None:
    rig = lay(stack="Ts Ah 9s 7h")
    rig.join("ned21")
    rig.bet("ned21")
    rig.wait(30)
    clock = By.CLOCK
    assert events.OfferDeclined(seat=1, hand=0, by=clock) in rig.events
    rig.play("ned21", "stand")


def test_R18_a_silent_seat_is_passed_over_and_learns_nothing(lay: Lay) -> None:
    rig = lay(stack="Ts As 9s 8s Ah 9d Ks 8c 7d 7h")
    for handle in ("a", "b", "c", "d"):
        rig.join(handle)
    for handle in ("a", "b", "c", "d"):
        rig.bet(handle)
    rig.play("a", "decline", "stand")
    rig.insure("b", 10)
    rig.wait(30)
    clock = By.CLOCK
    assert events.OfferDeclined(seat=3, hand=0, by=clock) in rig.events
    rig.play("c", "stand")
    rig.play("d", "decline")
    assert rig.picture.dealer.cards == ("Ah", "??")
    rig.play("d", "stand")
    assert [rig.balance(handle) for handle in "abcd"] == [10_100, 10_090, 9_900, 9_900]


def test_R1_a_shoe_that_runs_out_goes_on_with_its_discards(lay: Lay) -> None:
    house = replace(load_house("cpsc386"), decks=1, cut_card_min=0, cut_card_max=0)
    rig = lay(house=house)
    rig.join("ned21")
    left = []
    for _ in range(20):  # 52 cards are gone long before
        rig.bet("ned21", 1)
        while rig.picture.phase is Phase.PLAYING:
            is_offer = Action.DECLINE in rig.legal("ned21")
            rig.play("ned21", "decline" if is_offer else "hit")
        left.append(rig.picture.shoe.cards_left)
    assert not rig.seen(events.RoundVoided)
    assert rig.seen(events.DiscardsShuffled)
    assert 52 in left  # a new shoe follows the round


def test_a_fault_of_ours_voids_the_round_and_the_table_goes_on(
    lay: Lay, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rig = lay(stack="Ts 9s 6h 9d 9c 9h")
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21", 10)
    rig.bet("lia9", 20)

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(rig.table.context.shoe, "draw", fail)
    rig.answer("ned21", Hit(prompt=rig.ask("ned21").prompt))
    assert "ZeroDivisionError" in caplog.text
    assert rig.balance("ned21") == rig.balance("lia9") == 10_000
    voided = rig.seen(events.RoundVoided)
    assert len(voided) == 1
    assert len(rig.seen(events.BetReturned)) == 2
    assert rig.is_asked("ned21")
    assert rig.is_asked("lia9")
    monkeypatch.undo()
    rig.bet("ned21")
    rig.bet("lia9")
    assert rig.picture.phase is Phase.PLAYING
    assert rig.picture.round == 2
