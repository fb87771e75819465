"""What nobody may learn: the hole card, and the shoe; see also ``test_twins``."""

from pathlib import Path

from bj_protocol.codec import encode
from support.rig import Lay, Rig


def test_the_hole_card_is_a_back_until_it_is_turned(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21")
    dealer = rig.picture.dealer
    assert (dealer.cards, dealer.total, dealer.soft) == (("9h", "??"), 9, False)
    rig.play("ned21", "stand")
    turned = [event for event in rig.events if event.type == "hole_revealed"]
    assert [(event.card, event.total) for event in turned] == [("8h", 17)]


def test_S8_a_seed_or_a_stack_is_announced_to_everyone(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h", seed=13)
    rig.join("ned21")
    rules = rig.picture.house.rules
    assert rules[0].startswith("The cards come from seed 13")
    assert rules[1].startswith("The first shoe is stacked")


def test_S8_two_tables_never_deal_alike(tmp_path: Path) -> None:
    orders = set()
    for start in range(5):
        with Rig(tmp_path / str(start), seed=None) as rig:
            rig.join("ned21")
            rig.bet("ned21", 1)
            orders.add(rig.table.context.shoe.order)
            assert rig.table.context.source.remarks == ()
    assert len(orders) == 5


def test_the_secret_of_a_shoe_is_only_in_a_file_for_the_host(tmp_path: Path) -> None:
    with Rig(tmp_path / "bank", seed=None) as rig:
        rig.join("ned21")
        journal = tmp_path / "bank" / "journal-000001.jsonl"
        assert journal.stat().st_mode & 0o077 == 0
        assert journal.parent.stat().st_mode & 0o077 == 0
        said = "".join(encode(message) for message in rig.outlet.heard[1])
    secret = journal.read_text().split('"secret":"')[1][:64]
    assert len(bytes.fromhex(secret)) == 32
    assert secret not in said
