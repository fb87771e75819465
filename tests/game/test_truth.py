"""Whole houses against figures from outside: play many rounds, and count.

The figures were computed exactly by a program that shares no code with this project
(rational dynamic programming for the endless deck, enumeration for finite ones), and
checked against published tables. Each simulation has a fixed seed and stays inside four
standard errors.
"""

import math

import pytest

from bj_game.event import HandSettled
from bj_game.play import Play, Reply
from bj_game.player import Stake
from bj_game.round import Round
from bj_game.shoe import fill_shoe
from bj_game.shuffle import NumberedStream
from game.transcript import load

ROUNDS = 6000


def play_out(house_name: str, stand_on: int, seed: int) -> dict[str, float]:
    """Return the shares of outcomes for who stands on ``stand_on`` points or more."""
    house, numbers = load(house_name), NumberedStream(seed)
    shoe = fill_shoe(house, numbers)
    counts = {"win": 0, "push": 0, "lose": 0}
    for _ in range(ROUNDS):
        if house.shoe == "every_round" or shoe.is_cut_card_out:
            shoe = fill_shoe(house, numbers)
        played = Round(house, shoe, [Stake(seat=1, amount=100, funds=0)])
        while played.prompts:
            stands = played.players[0].hands[0].total.points >= stand_on
            played.answer(1, Reply(play=Play.STAND if stands else Play.HIT))
        (settled,) = [e for e in played.take_events() if isinstance(e, HandSettled)]
        counts[settled.outcome.value] += 1
    return {outcome: count / ROUNDS for outcome, count in counts.items()}


@pytest.mark.parametrize(
    ("house", "stand_on", "win", "push"),
    [
        ("cpsc386", 17, 0.4078832261, 0.1048467648),
        ("cpsc386", 14, 0.4182882997, 0.0814552715),
        ("iipp6", 17, 0.4088236578, 0.0),
        ("iipp6", 14, 0.4205728459, 0.0),
        ("cs1114", 17, 0.4017828174925611, 0.0),
        ("cs1114", 13, 0.42654307711164496, 0.0),
        ("cs1114-baby", 4, 13332 / 28561, 0.0),
    ],
)
def test_a_house_wins_as_often_as_it_must(
    house: str, stand_on: int, win: float, push: float
) -> None:
    shares = play_out(house, stand_on, seed=stand_on)
    for share, expected in ((shares["win"], win), (shares["push"], push)):
        error = math.sqrt(expected * (1 - expected) / ROUNDS)
        assert abs(share - expected) <= 4 * error
