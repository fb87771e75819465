"""A handle is claimed by the first key, and is nobody else's from then on."""

import pytest

from bj_protocol.messages import Refused, Snapshot
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_server.bank.key import digest_of
from bj_server.table.inbox import ConnectionLost, Halt
from support.rig import Lay, Rig, hello
from support.serving import key_of


def key(rig: Rig, handle: str) -> str | None:
    return rig.bank.till("main").key_of(handle)


def refusal(rig: Rig, line: int) -> RefusalCode:
    """Return why a line was refused; it heard nothing else, and is closed."""
    (refused,) = rig.outlet.heard[line]
    assert isinstance(refused, Refused)
    assert rig.outlet.dismissed[line] == (CloseCode.REFUSED, refused.text)
    assert refused.text.endswith(".")
    return refused.code


def test_the_first_key_claims_the_handle(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    assert key(rig, "ned21") == digest_of(key_of("ned21"))
    assert rig.balance("ned21") == 10_000


def test_S1_a_stranger_gets_neither_seat_nor_account_and_nobody_notices(
    lay: Lay,
) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    mine = rig.join("ned21")
    rig.bet("ned21")
    before, heard = rig.picture, len(rig.outlet.heard[mine])
    for player in ("eve", "lia9", "eve"):
        line = rig.knock("ned21", player)
        assert refusal(rig, line) is RefusalCode.WRONG_KEY
        rig.send(ConnectionLost(line))
    assert rig.picture == before
    assert len(rig.outlet.heard[mine]) == heard
    assert mine not in rig.outlet.dismissed
    rig.play("ned21", "stand")
    assert rig.balance("ned21") == 10_100


def test_S1_a_stranger_is_refused_when_the_player_is_gone_too(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.leave("ned21")
    assert refusal(rig, rig.knock("ned21", "eve")) is RefusalCode.WRONG_KEY
    rig.restart()
    assert refusal(rig, rig.knock("ned21", "eve")) is RefusalCode.WRONG_KEY
    assert isinstance(rig.outlet.heard[rig.join("ned21")][0], Snapshot)


def test_who_finds_no_seat_claims_nothing(lay: Lay) -> None:
    rig = lay(seats=1)
    rig.join("ned21")
    assert refusal(rig, rig.knock("lia9", "lia9")) is RefusalCode.TABLE_FULL
    assert key(rig, "lia9") is None
    assert "player:lia9" not in rig.bank.books.ledger


def test_two_who_claim_in_one_breath_do_not_both(lay: Lay) -> None:
    rig = lay()
    rig.send(hello(1, "ned21"), hello(2, "ned21", "eve"))
    assert isinstance(rig.outlet.heard[1][0], Snapshot)
    assert refusal(rig, 2) is RefusalCode.WRONG_KEY
    assert key(rig, "ned21") == digest_of(key_of("ned21"))


def test_a_claim_that_no_player_was_told_of_is_right_either_way(lay: Lay) -> None:
    rig = lay()
    rig.dealer.carry_out([hello(1, "ned21")])  # and then the server is killed
    rig.kill()
    assert key(rig, "ned21") == digest_of(key_of("ned21"))
    assert isinstance(rig.outlet.heard[rig.join("ned21")][-1], Snapshot)
    assert rig.balance("ned21") == 10_000


def test_a_claim_that_was_lost_with_the_join_can_be_made_again(lay: Lay) -> None:
    rig = lay()
    rig.table.handle(hello(1, "ned21"))  # which no seal follows
    rig.table.context.outgoing.newcomers.clear()
    rig.bank.journal.write()
    rig.table.context.outgoing.events.clear()
    rig.kill()
    assert key(rig, "ned21") is None
    assert "player:ned21" not in rig.bank.books.ledger
    rig.join("ned21")
    assert rig.balance("ned21") == 10_000


async def test_nobody_is_told_before_the_claim_is_on_the_disk(lay: Lay) -> None:
    rig = lay()
    rig.dealer.submit(hello(1, "ned21"))
    rig.dealer.submit(Halt())
    journal = rig.bank.journal
    synced: list[int] = []
    tell = rig.outlet.tell

    def note(line: int, message: Snapshot) -> None:
        synced.append(journal.synced)
        tell(line, message)

    rig.outlet.tell = note  # type: ignore[assignment, method-assign]
    await rig.dealer.run()
    assert synced == [journal.seq]


def test_the_host_resets_a_key_and_the_next_to_join_claims_the_handle(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    old = rig.join("ned21")
    rig.bet("ned21")
    assert rig.bank.reset_key("ned21")
    line = rig.knock("ned21", "ned at a new computer")
    assert rig.outlet.dismissed[old][0] is CloseCode.TAKEN_OVER
    assert key(rig, "ned21") == digest_of(key_of("ned at a new computer"))
    assert isinstance(rig.outlet.heard[line][0], Snapshot)
    assert refusal(rig, rig.knock("ned21", "ned21")) is RefusalCode.WRONG_KEY


@pytest.mark.parametrize("is_seated", [True, False])
def test_an_account_from_before_keys_is_claimed_by_the_next_join(
    lay: Lay, is_seated: bool
) -> None:
    rig = lay()
    rig.join("ned21")
    if not is_seated:
        rig.leave("ned21")
    rig.bank.reset_key("ned21")
    rig.restart()
    rig.join("ned21")
    assert key(rig, "ned21") == digest_of(key_of("ned21"))
    assert rig.balance("ned21") == 10_000
