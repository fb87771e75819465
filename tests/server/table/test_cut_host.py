"""The cut, and what the host does meanwhile: another shoe, or another server."""

from pathlib import Path

import pytest

from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table.inbox import Join, Reshuffle
from rig import Rig, hello


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path / "bank", seed=None)


def seed_of(rig: Rig) -> str:
    """Return the commitment of the server in the last cut."""
    (*_, last) = rig.seen(events.SeedCommitted)
    assert isinstance(last, events.SeedCommitted)
    return last.seed_sha256


def join_to_cut(rig: Rig, handle: str) -> None:
    """Join with a client that offers to cut; it says nothing after that."""
    known = hello(50, handle)
    rig.line[handle] = known.line
    rig.send(Join(known.line, handle, known.sha256, cuts=True))


def play_round(rig: Rig, handle: str) -> None:
    """Bet if that is asked, and stand until the next round is called."""
    if rig.picture.phase is Phase.BETTING and rig.is_asked(handle):
        rig.bet(handle, 1)
    while rig.picture.phase is Phase.PLAYING:
        legal = rig.legal(handle)
        rig.play(handle, next(a for a in ("stand", "ace_low", "decline") if a in legal))


def test_a_seed_is_told_before_another_shoe_is_put_on_the_table(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path / "bank", seed=None, house=load_house("cs220"))
    rig.join("ned21")
    first = seed_of(rig)
    rig.send(Reshuffle())
    assert rig.picture.revealed[-1].seed_sha256 == first != seed_of(rig)


def test_a_shoe_that_is_being_cut_is_enough_for_the_host(rig: Rig) -> None:
    join_to_cut(rig, "ned21")
    rig.send(Reshuffle())
    rig.wait(rig.plan.pace.cut_seconds)
    cut = seed_of(rig)
    play_round(rig, "ned21")
    assert seed_of(rig) == cut


def test_no_cut_goes_on_at_a_server_that_has_a_numbered_seed(rig: Rig) -> None:
    join_to_cut(rig, "ned21")
    rig.restart(seed=7)
    rig.join("ned21")
    assert rig.picture.phase is Phase.BETTING
    assert rig.picture.shoe.stream is None
    play_round(rig, "ned21")
    assert rig.table.felt.round == 2


def test_the_seed_of_a_shoe_that_a_restart_replaces_is_told(rig: Rig) -> None:
    rig.join("ned21")
    first = seed_of(rig)
    rig.restart(seed=7)
    rig.join("ned21")
    assert [told.seed_sha256 for told in rig.picture.revealed] == [first]
    rig.restart(seed=None, house=load_house("cs220"))
    rig.join("ned21")
    second = seed_of(rig)
    rig.restart(house=load_house("cpsc386"))
    rig.join("ned21")
    assert [told.seed_sha256 for told in rig.picture.revealed] == [second]


def test_bets_on_a_shoe_that_a_restart_replaces_are_returned(tmp_path: Path) -> None:
    with Rig(tmp_path / "bank", seed=7) as rig:
        rig.join("ned21")
        rig.join("lia9")
        rig.bet("ned21")
        rig.restart(seed=None)
        assert rig.balance("ned21") == 10_000
        line = rig.join("ned21")
        shown = rig.outlet.heard[line][-1]
        assert isinstance(shown, Snapshot)
        assert "your bet is back" in shown.notices[-1]
        rig.wait(rig.plan.pace.cut_seconds)
        play_round(rig, "ned21")
        rig.wait(30)  # lia9 is not back, and does not bet
        play_round(rig, "ned21")
        assert not rig.seen(events.RoundVoided)
        assert rig.table.felt.round == 2


def test_who_comes_back_after_a_cut_that_a_restart_began_again_cuts_the_next_stream(
    tmp_path: Path,
) -> None:
    with Rig(tmp_path / "bank", seed=None, house=load_house("cs220")) as rig:
        join_to_cut(rig, "ned21")
        rig.restart()
        rig.wait(2 * rig.plan.pace.cut_seconds)
        assert rig.picture.phase is Phase.BETTING
        join_to_cut(rig, "ned21")
        before = seed_of(rig)
        play_round(rig, "ned21")
        assert rig.table.state()["phase"] == "cutting"
        assert seed_of(rig) != before
