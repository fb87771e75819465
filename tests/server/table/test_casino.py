"""What casino houses add to a table: questions to all at once, and other payouts."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import EvenMoney, Surrender
from bj_protocol.views import Phase
from bj_server.settings import load_house
from rig import Rig

Lay = Callable[..., Rig]

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
    clock = events.By.CLOCK
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
    absent = events.OfferDeclined(seat=2, hand=0, by=events.By.ABSENCE)
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
    rig.bet("ned21")
    rig.play("ned21", "hit", "hit", "hit")
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
    house = replace(load_house("cpsc386"), donor_wait_rounds=2)
    rig = lay(stack="Ts 9s 9h 6s 8s 9d", house=house)
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21", 10_000)
    rig.bet("lia9", 1)
    rig.play("ned21", "stand")
    rig.play("lia9", "stand")
    for _ in range(2):
        assert not rig.is_asked("ned21")
        rig.play("lia9", "sit_out")
        rig.wait(30)
    assert rig.legal("ned21") == {Action.ACCEPT_GIFT, Action.SIT_OUT}


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
    rig.bet("ned21", 5)
    rig.play("ned21", "stand")
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
