"""Our own seat: what was told while another player sat on it is not held for ours."""

from pathlib import Path

import pytest

from bj_client.fair.finding import Finding
from bj_protocol import commands
from bj_server.settings import load_house
from support.cheating import play
from support.company import Company, record_of, verified


@pytest.mark.parametrize("was_sent", [True, False])
def test_the_bet_of_another_on_the_seat_that_was_ours_is_not_ours(
    tmp_path: Path, *, was_sent: bool
) -> None:
    house = load_house("cs1114")
    with Company(tmp_path / "bank", house=house, seats=1) as rig:
        rig.join("ned21")
        play(rig)
        ned = rig.players["ned21"]
        if was_sent:  # and lost with the line
            ask = rig.ask("ned21")
            assert ask.wager is not None
            bet = commands.PlaceBet(prompt=ask.prompt, amount=ask.wager.minimum)
            ned.send(bet)
        rig.outlet.audience.discard(rig.line["ned21"])
        rig.drop("ned21")
        rig.wait(601)
        assert not rig.table.context.seats.taken
        rig.join("lia9")
        play(rig)
        rig.leave("lia9")
        rig.join("ned21")
        play(rig)
    assert not ned.findings
    assert not ned.refusals
    assert [proof.round for proof in ned.proofs] == [1, 2, 3]


@pytest.mark.parametrize("others", [0, 1])
def test_who_comes_back_after_a_restart_bets_with_a_link_before_all_is_told(
    tmp_path: Path, others: int
) -> None:
    with Company(tmp_path / "bank", seats=2) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        play(rig)
        rig.leave("ned21")
        rig.kill()
        if others:
            rig.join("lia9")
        rig.join("ned21", asks=False)
        ned = rig.players["ned21"]
        rig.bet("ned21")
        if not others:
            rig.join("lia9")
        play(rig)
        assert not ned.findings
        assert not ned.refusals
        assert len(set(ned.links)) == len(ned.proofs) == 2
        remarks, _ = verified(record_of(ned))
        assert not [remark for remark in remarks if isinstance(remark, Finding)]
