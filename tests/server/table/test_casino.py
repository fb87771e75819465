"""What casino houses add to a table: questions to all at once, and other payouts."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.commands import EvenMoney, Surrender
from bj_protocol.messages import Snapshot
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table.clock import Pace
from support.rig import Lay, Rig

STRIP = load_house("vegas-strip")
ATLANTIC = load_house("atlantic-city")


def deal(lay: Lay, stack: str, *handles: str) -> Rig:
    """Lay a table of the Strip, and deal to players who bet 100 dollars each."""
    rig = lay(stack=stack, house=STRIP)
    for handle in handles:
        rig.join(handle)
    for handle in handles:
        rig.bet(handle)
    return rig


def test_R18_insurance_is_asked_of_all_at_once_before_the_first_play(lay: Lay) -> None:
    rig = deal(lay, "Ts 9s Ah 9d 9c 8h", "ned21", "lia9")
    assert rig.legal("ned21") == rig.legal("lia9") == {Action.INSURE, Action.DECLINE}
    rig.insure("lia9", 50)
    assert rig.is_asked("ned21")
    assert not rig.is_asked("lia9")
    rig.play("ned21", "decline")
    assert Action.STAND in rig.legal("ned21")
    rig.play("ned21", "stand")
    rig.play("lia9", "stand")
    assert (rig.balance("ned21"), rig.balance("lia9")) == (10_000, 9_850)


def test_an_answer_of_one_does_not_restart_the_clock_of_another(lay: Lay) -> None:
    rig = deal(lay, "Ts 9s Ah 9d 9c 8h", "ned21", "lia9")
    rig.wait(15)
    first = rig.ask("ned21")
    rig.play("lia9", "decline")
    assert rig.ask("ned21") == first
    rig.wait(5)
    clock = By.CLOCK
    assert events.OfferDeclined(seat=1, hand=0, by=clock) in rig.events
    assert Action.STAND in rig.legal("ned21")


def test_the_silence_of_all_means_no_for_all(lay: Lay) -> None:
    rig = deal(lay, "Ts 9s Ah 9d 9c 8h", "ned21", "lia9")
    rig.wait(30)
    assert len(rig.seen(events.OfferDeclined)) == 2
    assert Action.STAND in rig.legal("ned21")


def test_who_is_away_is_not_waited_for(lay: Lay) -> None:
    rig = lay(stack="Ts 9s Ah 9d 9c 8h", house=STRIP)
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("lia9")
    rig.drop("lia9")
    rig.bet("ned21")
    absent = events.OfferDeclined(seat=2, hand=0, by=By.ABSENCE)
    assert absent in rig.events
    rig.play("ned21", "decline", "stand")
    assert rig.balance("lia9") == 9_900


def test_a_blackjack_that_is_looked_at_ends_the_round(lay: Lay) -> None:
    rig = deal(lay, "Ts 9s Kh 9d 9c Ah", "ned21", "lia9")
    assert rig.picture.phase is Phase.BETTING
    assert events.DealerPeeked(blackjack=True) in rig.events
    assert (rig.balance("ned21"), rig.balance("lia9")) == (9_900, 9_900)


def test_a_natural_may_take_even_money(lay: Lay) -> None:
    rig = deal(lay, "As Ah Ks Kh", "ned21")
    even = EvenMoney(prompt=rig.ask("ned21").prompt)
    assert rig.answer("ned21", even) is None
    assert events.EvenMoneyTaken(seat=1, hand=0) in rig.events
    assert rig.balance("ned21") == 10_100


def test_a_surrender_brings_half_of_the_stake_back(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 8h", house=ATLANTIC)
    rig.join("ned21")
    rig.bet("ned21", 100)
    assert Action.SURRENDER in rig.legal("ned21")
    rig.answer("ned21", Surrender(prompt=rig.ask("ned21").prompt))
    assert events.HandSurrendered(seat=1, hand=0) in rig.events
    assert rig.balance("ned21") == 9_950


def test_a_charlie_is_told_and_paid(lay: Lay) -> None:
    rig = lay(stack="2s Th 3s Kh 2d 3d 4d", house=replace(STRIP, charlie=5))
    rig.join("ned21")
    rig.act("ned21", "bet 100, hit, hit, hit")
    assert events.HandReachedCharlie(seat=1, hand=0) in rig.events
    assert rig.balance("ned21") == 10_100


def test_the_maximum_bet_is_in_the_range(lay: Lay) -> None:
    rig = lay(house=STRIP)
    rig.join("ned21")
    wager = rig.ask("ned21").wager
    assert wager is not None
    assert (wager.minimum, wager.maximum) == (500, 500_000)


def test_a_house_that_shuffles_each_round_says_so_each_round(lay: Lay) -> None:
    rig = lay(house=load_house("iipp6"), seats=1)
    rig.join("ned21")
    for _ in range(2):
        rig.bet("ned21")
        while rig.picture.phase is Phase.PLAYING:
            rig.play("ned21", "stand")
    assert len(rig.seen(events.ShoeShuffled)) == 3
    assert rig.picture.shoe.cards_left == 52
    assert rig.picture.shoe.until_cut is None


def test_a_dealer_without_cards_has_no_total(lay: Lay) -> None:
    rig = lay(stack="Js 3s 9s 9c", house=load_house("cs1114"), seats=1)
    rig.join("ned21")
    rig.bet("ned21")
    dealer = rig.picture.dealer
    assert (dealer.cards, dealer.total) == ((), None)
    assert rig.picture.shoe.cards_left is None
    rig.play("ned21", "stand")
    assert rig.balance("ned21") == 9_900


def test_cpsc386_11_the_donor_may_be_waited_for(lay: Lay) -> None:
    rig = broke(lay, "Ts 9s 9h 6s 8s 9d Ts 9h 9s 9d Ts 9h 9s 9d")
    for rounds in ("2 more rounds", "1 more round"):
        assert told(rig)[-1] == (
            f"ned21 is broke: the donor offers $10,000 after {rounds}."
        )
        for _ in range(3):  # a call for bets is no round
            rig.play("lia9", "sit_out")
            rig.wait(30)
            assert not rig.is_asked("ned21")
        rig.act("lia9", "bet 1, stand")
    assert rig.legal("ned21") == {Action.ACCEPT_GIFT, Action.SIT_OUT}
    rig.play("ned21", "accept_gift")
    assert Action.PLACE_BET in rig.legal("ned21")


def told_on_joining(rig: Rig) -> tuple[str, ...]:
    (picture, *_) = rig.outlet.heard[rig.join("ned21")]
    assert isinstance(picture, Snapshot)
    return tuple(text for text in picture.notices if "donor" in text)


def test_13_6_who_is_broke_and_joins_is_told_how_many_rounds_are_left(
    lay: Lay,
) -> None:
    rig = broke(lay, "Ts 9s 9h 6s 8s 9d" + " Ts 9h 9s 9d" * 3)
    wait = "ned21 is broke: the donor offers $10,000 after {}."
    assert told_on_joining(rig) == (wait.format("2 more rounds"),)
    rig.act("lia9", "bet 1, stand")
    assert told_on_joining(rig) == (wait.format("1 more round"),)
    rig.leave("ned21")
    assert told_on_joining(rig) == (wait.format("2 more rounds"),)
    for _ in range(2):
        rig.act("lia9", "bet 1, stand")
    assert told_on_joining(rig) == ()
    assert rig.legal("ned21") == {Action.ACCEPT_GIFT, Action.SIT_OUT}


def broke(lay: Lay, stack: str, **pace: Any) -> Rig:
    """Return a table where ned21 has lost all, and the donor takes two rounds."""
    house = replace(load_house("cpsc386"), donor_wait_rounds=2)
    rig = lay(stack=stack, house=house, pace=Pace(**pace))
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21", 10_000)
    rig.bet("lia9", 1)
    rig.play("ned21", "stand")
    rig.play("lia9", "stand")
    return rig


def told(rig: Rig) -> list[str]:
    return [event.text for event in rig.seen(events.Announced)]


def test_13_6_who_is_broke_once_more_waits_once_more(lay: Lay) -> None:
    rig = broke(lay, "Ts 9s 9h 6s 8s 9d " + "Ts 9h 9s 9d " * 2 + "Ts 9s 9h 6s 8s 9d")
    for _ in range(2):
        rig.act("lia9", "bet 1, stand")
    rig.act("ned21", "accept_gift, bet 10000")
    rig.bet("lia9", 1)
    rig.play("ned21", "stand")
    rig.play("lia9", "stand")
    assert not rig.is_asked("ned21")
    assert "after 2 more rounds." in told(rig)[-1]


def test_13_6_who_is_broke_and_alone_does_not_wait_for_rounds_of_nobody(
    lay: Lay,
) -> None:
    rig = broke(lay, "Ts 9s 9h 6s 8s 9d")
    rig.leave("lia9")
    for _ in range(2):
        assert not rig.is_asked("ned21")
        rig.wait(30)
    assert rig.legal("ned21") == {Action.ACCEPT_GIFT, Action.SIT_OUT}


def test_13_6_without_a_clock_who_is_broke_and_alone_is_helped_at_once(
    lay: Lay,
) -> None:
    rig = broke(lay, "Ts 9s 9h 6s 8s 9d", has_clock=False)
    assert not rig.is_asked("ned21")
    rig.leave("lia9")
    assert rig.legal("ned21") == {Action.ACCEPT_GIFT, Action.SIT_OUT}


def test_13_5_without_a_clock_who_sits_out_is_asked_about_the_next_round(
    lay: Lay,
) -> None:
    rig = lay(pace=Pace(has_clock=False))
    rig.join("ned21")
    first = rig.ask("ned21").prompt
    rig.play("ned21", "sit_out")
    assert rig.ask("ned21").prompt > first


def rung(rig: Rig) -> int:
    wager = rig.ask("ned21").wager
    assert wager is not None
    assert wager.minimum == wager.maximum
    return wager.minimum // 100


LADDER: dict[str, Any] = {"bet": "ladder", "minimum_bet": 500, "bet_step": 500}


@pytest.mark.parametrize(
    ("cards", "plays", "then"),
    [
        ("Ts Ah 9s 7h", ("5", "stand"), 15),  # the hand won, its insurance lost
        ("Ts Ah 9s Kh", ("5", "stand"), 5),  # the other way round
        ("8s 9h 8d 8h Ts Td", ("split", "stand", "stand"), 15),  # both halves won
        ("8s 9h 8d Th Ts 9d", ("split", "stand", "stand"), 5),  # both halves lost
        ("8s 9h 8d 9d Ts 9c", ("split", "stand", "stand"), 5),  # one push, one loss
        ("8s 9h 8d 8h Ts 8c", ("split", "stand", "stand"), 10),  # one won, one lost
        ("6s 9h 5d 8h Ts", ("double",), 15),  # twice the stake, one rung
    ],
)
def test_R4_the_ladder_moves_once_a_round_by_its_net(
    lay: Lay, cards: str, plays: tuple[str, ...], then: int
) -> None:
    house = replace(load_house("cpsc386"), **LADDER)
    rig = lay(stack=f"Ts 9h 9s 8h {cards}", house=house, seats=1)
    rig.join("ned21")
    rig.act("ned21", "bet 5, stand")
    assert rung(rig) == 10
    rig.bet("ned21", 10)
    for play in plays:
        if play.isdigit():
            rig.insure("ned21", int(play))
        else:
            rig.play("ned21", play)
    assert rung(rig) == then


@pytest.mark.parametrize("shoe", ["every_round", "cut_card"])
def test_13_5_a_new_shoe_is_no_new_game_where_a_deck_is_none(
    lay: Lay, shoe: str
) -> None:
    rules: dict[str, Any] = {"shoe": shoe, "decks": 1, "cut_card_min": 26}
    house = replace(load_house("cpsc386"), **LADDER, **rules, cut_card_max=26)
    rig = lay(stack="Ts 9h 9s 8h", house=house, seats=1)
    rig.join("ned21")
    rig.act("ned21", "bet 5, stand")
    assert rung(rig) == 10


def test_13_5_the_ladder_ends_at_the_largest_wager(lay: Lay) -> None:
    house = replace(load_house("cpsc386"), **LADDER, maximum_wager=1000)
    rig = lay(stack="Ts 9h 9s 8h " * 3, house=house, seats=1)
    rig.join("ned21")
    for bet in (5, 10, 10):
        assert rung(rig) == bet
        rig.bet("ned21", bet)
        rig.play("ned21", "stand")


def test_13_6_who_sits_down_at_an_empty_table_of_dsc20_has_a_new_deck(
    lay: Lay,
) -> None:
    rig = lay(house=load_house("dsc20"), seats=1, seed=3)
    for _ in range(2):
        rig.join("ned21")
        assert rig.picture.shoe.cards_left == 52
        rig.bet("ned21", 5)
        while rig.picture.phase is Phase.PLAYING:
            rig.play("ned21", "stand")
        rig.leave("ned21")


def test_dsc20_04_the_ladder_of_the_text(lay: Lay) -> None:
    house = replace(load_house("dsc20"), opening_balance=500, donor_gift=0)
    rounds = "Ts 9h 9s 8h Tc 9d 9c 8d Th Td Kh Kd Qs Qd 6d Qc"
    rig = lay(stack=rounds, house=house, seats=1)
    rig.join("ned21")
    wallet = []
    for bet in (5, 10, 15, 15):
        rig.bet("ned21", bet)
        rig.play("ned21", "stand")
        wallet.append(rig.balance("ned21"))
    assert wallet == [10, 20, 20, 5]
    # A bet of 10 is more than the wallet: the next game begins at the foot.
    wager = rig.ask("ned21").wager
    assert wager is not None
    assert (wager.minimum, wager.maximum) == (500, 500)


def test_dsc20_04_a_loss_never_leads_below_the_foot(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d", house=load_house("dsc20"), seats=1)
    rig.join("ned21")
    rig.act("ned21", "bet 5, stand")
    wager = rig.ask("ned21").wager
    assert wager is not None
    assert wager.minimum == 500


def test_dsc20_the_deck_is_played_to_its_end_and_a_new_game_begins(lay: Lay) -> None:
    rig = lay(house=load_house("dsc20"), seats=1, seed=3)
    rig.join("ned21")
    left = [52]
    while left[-1] <= left[0]:
        wager = rig.ask("ned21").wager
        assert wager is not None
        rig.bet("ned21", wager.minimum // 100)
        while rig.picture.phase is Phase.PLAYING:
            rig.play("ned21", "stand")
        left.append(rig.picture.shoe.cards_left or 0)
        if left[-1] == 52:
            break
    assert all(one > other >= 4 for one, other in pairwise(left[:-1]))
    assert len(left) > 5
