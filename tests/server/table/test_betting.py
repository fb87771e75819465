from dataclasses import replace

import pytest

from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.commands import AcceptGift, Hit, PlaceBet, SitOut
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table.inbox import FromLine
from support.rig import Lay, hello


def test_the_first_player_is_asked_to_bet_at_once(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    ask = rig.ask("ned21")
    assert ask.actions == (Action.PLACE_BET, Action.SIT_OUT)
    assert ask.wager is not None
    assert (ask.wager.minimum, ask.wager.maximum, ask.wager.step) == (100, 10**6, 100)
    assert rig.balance("ned21") == 10_000


def test_everyone_is_asked_at_once_and_answers_in_any_order(lay: Lay) -> None:
    rig = lay()
    for handle in ("ned21", "lia9", "ibad"):
        rig.join(handle)
    rig.bet("ibad", 30)
    rig.bet("ned21", 10)
    assert not rig.seen(events.RoundBegan)
    rig.bet("lia9", 20)
    assert rig.picture.phase is Phase.PLAYING
    stakes = [seat.hands[0].stake for seat in rig.picture.seats]
    assert stakes == [1000, 2000, 3000]


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (0, RefusalCode.BELOW_MINIMUM),
        (-1, RefusalCode.BELOW_MINIMUM),
        (-(10**12), RefusalCode.BELOW_MINIMUM),
        (50, RefusalCode.BELOW_MINIMUM),
        (150, RefusalCode.NOT_A_WHOLE_STEP),
        (999_999, RefusalCode.NOT_A_WHOLE_STEP),
        (1_000_100, RefusalCode.ABOVE_MAXIMUM),
        (10**4000, RefusalCode.ABOVE_MAXIMUM),
    ],
)
def test_B1_B10_B12_a_wrong_amount_is_refused_and_changes_nothing(
    lay: Lay, amount: int, code: RefusalCode
) -> None:
    rig = lay()
    rig.join("ned21")
    before = rig.picture
    prompt = rig.ask("ned21").prompt
    refused = rig.answer("ned21", PlaceBet(prompt=prompt, amount=amount))
    assert refused is not None
    assert refused.code is code
    assert "Wager $1 to $10,000, by $1." in refused.text
    assert refused.prompt == prompt
    assert rig.picture == before


def test_a_play_is_no_answer_to_a_call_for_bets(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    prompt = rig.ask("ned21").prompt
    for answer in (Hit(prompt=prompt), AcceptGift(prompt=prompt)):
        refused = rig.answer("ned21", answer)
        assert refused is not None
        assert refused.code is RefusalCode.WRONG_ANSWER


def test_whoever_has_not_bet_in_time_sits_out(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("ned21")
    rig.wait(30)
    assert events.SatOut(seat=2, by=By.CLOCK) in rig.events
    assert rig.seat("lia9").hands == ()
    assert len(rig.seat("ned21").hands) == 1


def test_a_table_where_everyone_sits_out_asks_again_when_the_time_is_up(
    lay: Lay,
) -> None:
    rig = lay()
    rig.join("ned21")
    rig.play("ned21", "sit_out")
    assert not rig.asks
    rig.wait(29)
    assert not rig.asks
    rig.wait(1)
    assert rig.is_asked("ned21")
    assert rig.seen(events.RoundBegan) == []


def test_a_table_where_nobody_answers_asks_again(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    first = rig.ask("ned21").prompt
    rig.wait(30)
    assert rig.ask("ned21").prompt > first


def test_a_bet_may_be_the_whole_balance(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 10_000)
    assert rig.legal("ned21") == {Action.HIT, Action.STAND}
    rig.play("ned21", "stand")
    assert rig.balance("ned21") == 20_000


def test_B15_a_broke_player_is_offered_exactly_one_gift(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d")
    rig.join("ned21")
    rig.act("ned21", "bet 10000, stand")
    assert rig.balance("ned21") == 0
    assert rig.legal("ned21") == {Action.ACCEPT_GIFT, Action.SIT_OUT}
    assert rig.ask("ned21").gift == 1_000_000
    gift = AcceptGift(prompt=rig.ask("ned21").prompt)
    assert rig.answer("ned21", gift) is None
    rig.answer("ned21", gift)
    assert rig.balance("ned21") == 10_000
    assert len(rig.seen(events.GiftGiven)) == 1
    assert rig.legal("ned21") == {Action.PLACE_BET, Action.SIT_OUT}


def test_B15_without_the_gift_the_seat_is_skipped_though_others_join(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d")
    rig.join("ned21")
    rig.act("ned21", "bet 10000, stand, sit_out")
    rig.join("lia9")
    rig.bet("lia9")
    assert rig.seat("ned21").hands == ()
    assert rig.balance("ned21") == 0


def test_B15_coming_back_brings_no_second_gift(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d")
    rig.join("ned21")
    rig.act("ned21", "bet 10000, stand, accept_gift")
    rig.leave("ned21")
    rig.join("ned21")
    assert rig.balance("ned21") == 10_000
    assert Action.ACCEPT_GIFT not in rig.legal("ned21")


def test_B15_no_gift_while_a_stake_is_live(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d")
    rig.join("ned21")
    rig.bet("ned21", 10_000)
    refused = rig.answer("ned21", AcceptGift(prompt=rig.ask("ned21").prompt))
    assert refused is not None
    rig.join("ned21")
    assert Action.ACCEPT_GIFT not in rig.legal("ned21")
    assert rig.balance("ned21") == 0


def test_a_house_without_a_donor_leaves_the_broke_to_look_on(lay: Lay) -> None:
    house = replace(load_house("cpsc386"), donor_gift=0)
    rig = lay(stack="Ts 9h 6s 9d", house=house)
    rig.join("ned21")
    rig.act("ned21", "bet 10000, stand")
    assert not rig.is_asked("ned21")
    rig.join("lia9")
    rig.bet("lia9")
    assert rig.picture.phase is Phase.PLAYING


def test_an_answer_that_is_sent_again_gets_the_first_ones_result(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.join("lia9")
    bet = PlaceBet(prompt=rig.ask("ned21").prompt, amount=500)
    rig.answer("ned21", bet)
    rig.answer("ned21", bet)
    last = rig.outlet.heard[rig.line["ned21"]][-1]
    assert last.type == "answered"
    assert (last.prompt, last.answer) == (bet.prompt, Action.PLACE_BET)
    assert events.BetPlaced(seat=1, amount=500, balance=999_500) in (
        rig.outlet.updates[last.seq - 1].events
    )
    assert rig.balance("ned21") == 9_995


def test_an_answer_to_an_older_question_is_refused(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    old = rig.ask("ned21").prompt
    rig.wait(30)
    refused = rig.answer("ned21", PlaceBet(prompt=old, amount=500))
    assert refused is not None
    assert refused.code is RefusalCode.PROMPT_OVER
    assert rig.balance("ned21") == 10_000


@pytest.mark.parametrize("prompt", [-1, 0, 10**6])
def test_an_answer_to_a_question_never_asked_is_refused(lay: Lay, prompt: int) -> None:
    rig = lay()
    rig.join("ned21")
    refused = rig.answer("ned21", SitOut(prompt=prompt))
    assert refused is not None
    assert refused.code is RefusalCode.NOT_ASKED


def test_P9_a_burst_of_bets_takes_only_what_there_is(lay: Lay) -> None:
    rig = lay()
    rig.join("lia9")
    line = rig.join("ned21")
    bet = PlaceBet(prompt=rig.ask("ned21").prompt, amount=1_000_000)
    burst = (
        [FromLine(line, bet)] * 3
        + [hello(99, "ned21")]
        + [FromLine(99, bet), FromLine(line, bet)]
    )
    rig.send(*burst)
    assert rig.balance("ned21") == 0
    assert len(rig.seen(events.BetPlaced)) == 1


def test_14_9_no_bet_can_lift_what_players_hold_to_2_53_cents(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bank.till("main").give("ned21", 2**51)
    rig.leave("ned21")
    rig.join("ned21")
    wager = rig.ask("ned21").wager
    assert wager is not None
    held = 2**51 + 1_000_000
    assert wager.maximum == (2**52 - held) // 512 // 100 * 100
    # Seven seats of nine tables win eight times their bets, and as much by insurance
    # as they have: even then all that they hold can be counted.
    assert held + 7 * 9 * 8 * wager.maximum + held < 2**53


class Vault:
    """The cage of a fleet in which everybody has money at another place."""

    def __init__(self) -> None:
        self.has_left: list[str] = []

    def has_more(self, handle: str) -> bool:
        return True

    def left(self, handle: str) -> None:
        self.has_left.append(handle)


def test_one_who_has_money_elsewhere_in_a_fleet_is_offered_no_gift(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 6s 9d")
    rig.join("ned21")
    rig.table.context.cage = vault = Vault()
    rig.act("ned21", "bet 10000, stand")
    assert not rig.is_asked("ned21")
    said = [event.text for event in rig.seen(events.Announced)]
    assert len(said) == 1
    assert said[0].startswith("ned21 has money elsewhere in this fleet")
    rig.leave("ned21")
    assert vault.has_left == ["ned21"]
