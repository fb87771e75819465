"""T1, T3, Q11: whoever falls silent, at whatever question, holds nobody up for long.

Rounds of several houses, played at random and by a seed. In each of them one player
falls silent at the first question of some kind: its line breaks (killed), or stays open
and says nothing (frozen), or says what is refused, every second (mute). The clock is
that of the rig.
"""

import math
import random
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Literal

import pytest

from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.views import Ask
from bj_server.settings import load_house
from bj_server.table.seat import Seat
from support.gambler import any_answer, legal_answer
from support.rig import Rig

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

Silence = Literal["killed", "frozen", "mute"]

SILENCES: tuple[Silence, ...] = ("killed", "frozen", "mute")
KINDS = (Action.PLACE_BET, Action.INSURE, Action.SPLIT, Action.DOUBLE, Action.HIT)
HOUSES = ("cpsc386", "vegas-strip", "downtown")  # which ask all of these
NAMES = ("ned21", "lia9", "ibad", "tess")
LIMIT = 30.0


class Evening:
    """A table whose players answer at once, but for one who falls silent."""

    def __init__(self, rig: Rig, chance: random.Random) -> None:
        self._rig = rig
        self._chance = chance
        self._context = rig.table.context
        self._players = chance.randint(1, len(NAMES))
        self._victim = ""
        self._silence: Silence | None = None

    def play(self, kind: Action, silence: Silence) -> bool:
        """Play a round; return whether the question came at which one falls silent.

        No question is open for longer than the limit, and nothing else takes time.
        """
        self._gather()
        rig, calls = self._rig, self._calls
        start, missed, steps = rig.clock.time, 0, 0
        while self._calls == calls and rig.table.turn is not None:
            steps += 1
            assert steps < 500, "the table is stuck"
            asked = [seat for seat in self._context.seats if seat.ask]
            talking = [s for s in asked if not self._is_silent(s)]
            if talking:
                self._go_on(talking[0], kind, silence)
            else:
                missed += len(asked)
                self._let_the_time_pass()
            assert rig.clock.time - start <= missed * LIMIT + 5
        return self._silence is not None

    @property
    def _calls(self) -> int:
        """How often the table has called for bets, with a round or without."""
        updates = self._rig.outlet.updates
        return sum(e.type == "betting_opened" for u in updates for e in u.events)

    def _gather(self) -> None:
        """Seat everyone with an open line, and choose who will fall silent."""
        for name in NAMES[: self._players]:
            self._rig.join(name)
        self._victim = self._chance.choice(NAMES[: self._players])
        self._silence = None

    def _is_silent(self, seat: Seat) -> bool:
        return self._silence is not None and seat.handle == self._victim

    def _go_on(self, seat: Seat, kind: Action, silence: Silence) -> None:
        assert seat.ask is not None
        if seat.handle == self._victim and kind in seat.ask.actions:
            self._silence = silence
            if silence == "killed":
                self._rig.drop(seat.handle)
            return
        self._rig.answer(seat.handle, self._answer(seat.ask))

    def _answer(self, ask: Ask) -> AnyAnswer:
        while (answer := legal_answer(self._chance, ask)).type is Action.SIT_OUT:
            pass
        return answer

    def _let_the_time_pass(self) -> None:
        wake_at = self._rig.table.wake_at
        assert wake_at is not None
        seconds = wake_at - self._rig.clock.time
        assert seconds <= LIMIT
        if self._silence == "mute":
            for _ in range(math.ceil(seconds) - 1):
                self._rig.wait(1)
                refused = any_answer(self._chance, last_prompt=-100)
                assert self._rig.answer(self._victim, refused) is not None
            assert self._rig.table.wake_at == wake_at  # T6
        self._rig.wait(wake_at - self._rig.clock.time)


def tables(folder: Path) -> Generator[Evening]:
    """Lay tables of all houses, one after another and for ever."""
    number = 0
    while True:
        chance = random.Random(number)
        house = load_house(HOUSES[number % len(HOUSES)])
        with Rig(folder / str(number), house=house, seed=number) as rig:
            yield Evening(rig, chance)
        number += 1


def fall_silent(folder: Path, times: int) -> str:
    """Have players fall silent so often, in all ways; return the figures."""
    wanted = [(kind, silence) for kind in KINDS for silence in SILENCES]
    came: Counter[tuple[Action, Silence]] = Counter()
    rounds = 0
    laid = tables(folder)
    for evening in laid:
        for _ in range(10):
            rarest = min(wanted, key=lambda way: came[way])
            came[rarest] += evening.play(*rarest)
            rounds += 1
        if came.total() >= times:
            break
    laid.close()
    return (
        f"{rounds} rounds, in {came.total()} of them one fell silent, at least "
        f"{min(came.values())} times in each of {len(wanted)} ways: none took longer "
        "than its open questions and 5 seconds, 0 tables were stuck"
    )


def test_Q11_T1_T3_T6_fifty_who_fall_silent_hold_nobody_up(
    tmp_path: Path,
) -> None:
    print(fall_silent(tmp_path, 50))


@pytest.mark.torture
def test_Q11_T1_T3_T6_two_thousand_who_fall_silent_hold_nobody_up(
    tmp_path: Path,
) -> None:
    print(fall_silent(tmp_path, 2000))
