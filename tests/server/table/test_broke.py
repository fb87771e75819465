"""A broke player whom the host helps, where the donor takes some rounds."""

from dataclasses import replace

from bj_protocol.events import Announced
from bj_protocol.messages import Snapshot
from bj_server.settings import load_house
from bj_server.table.inbox import Give
from support.evening import Done
from support.rig import Lay, Rig

HOUSE = replace(load_house("cpsc386"), donor_wait_rounds=2)


def helped(lay: Lay) -> Rig:
    """Return a table where ned21 was broke, and has 50 dollars of the host now."""
    stack = "Ts 9s 9h 6s 8s 9d Ts 9h 9s 9d Ts 9s 9h 6s 8s 9d"
    rig = lay(stack=stack, house=HOUSE)
    rig.join("ned21")
    rig.join("lia9")
    lose(rig, 10_000)
    rig.act("lia9", "bet 1, stand")
    assert not rig.is_asked("ned21")
    rig.send(Give("ned21", 5000, Done()))
    assert rig.is_asked("ned21")
    return rig


def lose(rig: Rig, dollars: int) -> None:
    rig.bet("ned21", dollars)
    rig.bet("lia9", 1)
    rig.play("ned21", "stand")
    rig.play("lia9", "stand")


def test_a_player_with_a_gift_of_the_host_is_told_nothing_of_the_donor(
    lay: Lay,
) -> None:
    rig = helped(lay)
    (picture, *_) = rig.outlet.heard[rig.join("ned21")]
    assert isinstance(picture, Snapshot)
    assert not [text for text in picture.notices if "donor" in text]


def test_a_player_who_loses_a_gift_of_the_host_waits_for_all_rounds_once_more(
    lay: Lay,
) -> None:
    rig = helped(lay)
    lose(rig, 50)
    assert not rig.is_asked("ned21")
    assert "after 2 more rounds." in rig.seen(Announced)[-1].text
