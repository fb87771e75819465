"""The end of a deck that is never refilled, where nobody looks on."""

import pytest

from bj_protocol.events import RoundVoided
from bj_protocol.views import Phase
from bj_server.settings import load_house
from support.rig import Lay, Rig


def bet(rig: Rig) -> None:
    wager = rig.ask("ned21").wager
    assert wager is not None
    rig.bet("ned21", wager.minimum // 100)


def play_to_the_last_round(rig: Rig) -> None:
    """Stand every hand until too few cards for a game are left behind it."""
    while True:
        bet(rig)
        is_playing = rig.picture.phase is Phase.PLAYING
        if is_playing and (rig.picture.shoe.cards_left or 0) < 4:
            return
        if is_playing:
            rig.play("ned21", "stand")


@pytest.mark.parametrize("seed", [1, 11, 21])
def test_dsc20_04_a_player_who_was_away_comes_back_to_enough_cards(
    lay: Lay, seed: int
) -> None:
    rig = lay(house=load_house("dsc20"), seats=1, seed=seed)
    rig.join("ned21")
    play_to_the_last_round(rig)
    rig.drop("ned21")
    rig.wait(30)
    rig.join("ned21")
    assert rig.picture.shoe.cards_left == 52
    bet(rig)
    assert rig.seen(RoundVoided) == []
