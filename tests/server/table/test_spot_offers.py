"""Offers to several spots of one player, and their time, as world 3002 has them."""

from dataclasses import replace

from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_server.settings import load_house
from support.rig import Lay, Rig

HOUSE = replace(load_house("vegas-strip"), max_spots=2, max_seats=2)


def offered(lay: Lay) -> Rig:
    """Return a table where ned21 has two spots, lia9 one, and the dealer an ace."""
    rig = lay(house=HOUSE, seats=2, stack="Ts 6s 9h Ad Td 5d 8h 9c")
    rig.join("ned21")
    rig.join("lia9")
    for name, spots in (("ned21", 2), ("lia9", 1)):
        bet = PlaceBet(prompt=rig.ask(name).prompt, amount=10_000, spots=spots)
        assert rig.answer(name, bet) is None
    return rig


def test_offers_to_several_spots_in_company_share_one_time(lay: Lay) -> None:
    rig = offered(lay)
    rig.wait(19)
    rig.play("ned21", "decline")
    assert rig.is_asked("ned21")
    rig.wait(2)
    assert len(rig.seen(events.OfferDeclined)) == 3


def test_the_clock_decides_one_offer_and_not_the_next_one(lay: Lay) -> None:
    rig = offered(lay)
    rig.wait(21)
    assert len(rig.seen(events.OfferDeclined)) == 2
    rig.wait(18)
    assert rig.is_asked("ned21")


def test_an_answer_of_another_seat_leaves_the_clock_alone(lay: Lay) -> None:
    rig = offered(lay)
    rig.wait(19)
    rig.play("lia9", "decline")
    rig.wait(2)
    assert len(rig.seen(events.OfferDeclined)) == 2
