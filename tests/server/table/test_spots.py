"""Several spots for one player: what is staked, refused, shown and given back."""

from dataclasses import replace

import pytest

from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_server.settings import load_house
from support.rig import Lay, Rig

SPOTS = replace(load_house("cpsc386"), max_spots=3)


def place(rig: Rig, dollars: int, spots: int) -> Refused | None:
    prompt = rig.ask("ned21").prompt
    return rig.answer(
        "ned21", PlaceBet(prompt=prompt, amount=dollars * 100, spots=spots)
    )


def test_max_spots_3_each_spot_is_staked_dealt_and_paid(lay: Lay) -> None:
    rig = lay(house=SPOTS, stack="Ts 6s 9h Td 5d 8h")
    rig.join("ned21")
    assert rig.ask("ned21").spots == 3
    assert place(rig, 100, 2) is None
    (placed,) = rig.seen(events.BetPlaced)
    assert placed == events.BetPlaced(seat=1, amount=10_000, spots=2, balance=980_000)
    assert [hand.stake for hand in rig.seat("ned21").hands] == [10_000, 10_000]
    rig.play("ned21", "stand", "stand")
    assert rig.balance("ned21") == 10_000  # one hand won, the other lost
    assert len(rig.seen(events.HandSettled)) == 2


def test_max_spots_1_a_second_spot_is_refused(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    assert rig.ask("ned21").spots == 1
    refused = place(rig, 100, 2)
    assert refused is not None
    assert refused.code is RefusalCode.NO_SUCH_SPOTS
    assert refused.text == "This house has one spot for each player."
    assert rig.balance("ned21") == 10_000


@pytest.mark.parametrize("spots", [0, -1, 4, 10**30])
def test_a_wrong_number_of_spots_is_refused_and_changes_nothing(
    lay: Lay, spots: int
) -> None:
    rig = lay(house=SPOTS)
    rig.join("ned21")
    before = rig.picture
    refused = place(rig, 100, spots)
    assert refused is not None
    assert refused.code is RefusalCode.NO_SUCH_SPOTS
    assert rig.picture == before


def test_the_balance_must_cover_every_spot(lay: Lay) -> None:
    rig = lay(house=SPOTS)
    rig.join("ned21")
    refused = place(rig, 5001, 2)
    assert refused is not None
    assert refused.code is RefusalCode.NOT_ENOUGH_FUNDS
    assert rig.balance("ned21") == 10_000
    assert place(rig, 5000, 2) is None
    assert rig.balance("ned21") == 0


def test_every_spot_comes_back_when_its_player_leaves_before_the_deal(lay: Lay) -> None:
    rig = lay(house=SPOTS)
    rig.join("ned21")
    rig.join("lia9")
    assert place(rig, 100, 3) is None
    assert (rig.seat("ned21").bet, rig.seat("ned21").spots) == (10_000, 3)
    rig.leave("ned21")
    (back,) = rig.seen(events.BetReturned)
    assert back == events.BetReturned(seat=1, amount=30_000, balance=1_000_000)


def test_the_spots_of_one_round_are_not_those_of_the_next(lay: Lay) -> None:
    rig = lay(house=SPOTS, stack="Ts 9s 9h Td 9d 8h")
    rig.join("ned21")
    assert place(rig, 100, 2) is None
    rig.play("ned21", "stand", "stand")
    assert rig.seat("ned21").spots == 1
    rig.bet("ned21", 100)
    assert len(rig.seat("ned21").hands) == 1
