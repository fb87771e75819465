"""T12: the last players are gone in the middle of a round, and the table goes on."""

import random
from pathlib import Path

import pytest

from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.views import Phase
from bj_server.settings import load_house
from support.gambler import legal_answer
from support.rig import Rig, state_of

pytestmark = pytest.mark.no_cover

HOUSES = ("cpsc386", "vegas-strip", "cs220", "iipp6", "cs1114", "dsc20")
NAMES = ("ned21", "lia9", "ibad")


def begin(rig: Rig, names: tuple[str, ...], chance: random.Random) -> bool:
    """Play a bit of a round; return whether something is still to be decided."""
    for name in names:
        rig.join(name)
    for name in names:
        ask = rig.ask(name)
        assert ask.wager is not None
        rig.bet(name, ask.wager.minimum // 100)
    for _ in range(chance.choice((0, 0, 1, 2))):
        asked = [name for name in names if rig.is_asked(name)]
        if rig.table.context.round > 1 or not asked:
            return False
        name = chance.choice(asked)
        rig.answer(name, legal_answer(chance, rig.ask(name)))
    return rig.picture.phase is Phase.PLAYING


def desert(folder: Path, house_name: str, seed: int) -> bool:
    """Have everyone go in the middle of a round; return whether there was a middle.

    The open hands are stood and settled, and who comes then is asked for a bet.
    """
    chance, house = random.Random(seed), load_house(house_name)
    names = NAMES[: chance.randint(1, min(len(NAMES), house.max_seats))]
    with Rig(folder, house=house, seats=house.max_seats, seed=seed) as rig:
        if not begin(rig, names, chance):
            return False
        assert rig.bank.books.live_rounds
        for name in chance.sample(names, len(names)):
            chance.choice((rig.drop, rig.leave))(name)
        rig.wait(30)
        assert len(rig.seen(events.RoundEnded)) == 1
        assert rig.seen(events.RoundVoided) == []
        assert rig.bank.books.live_rounds == []
        assert rig.table.turn is None
        assert state_of(rig.table)["phase"] == Phase.WAITING
        is_full = len(names) == house.max_seats
        rig.wait(60 if is_full else chance.choice((1, 60)))
        rig.join("newcomer")
        assert Action.PLACE_BET in rig.legal("newcomer")
        rig.bet("newcomer", house.minimum_bet // 100 or 1)
        assert len(rig.seen(events.RoundBegan)) == 2
    return True


def desert_often(folder: Path, house: str, times: int) -> str:
    middles = sum(desert(folder / str(seed), house, seed) for seed in range(times))
    assert middles > times / 10
    return f"{house}: deserted in the middle of {middles} rounds, 0 tables were stuck"


@pytest.mark.parametrize("house", HOUSES)
def test_T12_a_table_that_is_deserted_in_a_round_settles_it_and_takes_the_next_player(
    tmp_path: Path, house: str
) -> None:
    print(desert_often(tmp_path, house, 20))


@pytest.mark.torture
@pytest.mark.parametrize("house", HOUSES)
def test_T12_a_table_that_is_deserted_500_times_takes_the_next_player(
    tmp_path: Path, house: str
) -> None:
    print(desert_often(tmp_path, house, 500))
