"""Q5: whole evenings, interrupted anywhere, that go on as if nothing had been."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bj_protocol.commands import AnyAnswer
from bj_server.settings import load_house
from bj_server.table.clock import Pace
from bj_server.table.inbox import TimeUp
from bj_server.table.playing import Playing
from support.gambler import legal_answer
from support.rig import Rig

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

HOUSES = (
    "cpsc386",
    "vegas-strip",
    "cs220",
    "dsc20",
    "iipp6",
    "cs1114",
    "downtown",
    "european",
)
NAMES = ("ned21", "lia9", "ibad", "tess")


@dataclass
class Evening:
    """What one table has been told to do, so that another can be told the same."""

    rig: Rig
    chance: random.Random
    script: list[tuple[str, str, AnyAnswer | None]] = field(default_factory=list)

    def step(self) -> None:
        """Let something happen, likely an answer."""
        asked = self._asked()
        here = list(self.rig.line)
        roll = self.chance.random()
        if asked and roll < 0.85:
            handle = self.chance.choice(asked)
            answer = legal_answer(self.chance, self.rig.ask(handle))
            self._do("say", handle, answer)
        elif roll < 0.9 and here:
            handle = self.chance.choice(here)
            self._do(self.chance.choice(["drop", "leave"]), handle)
        elif roll < 0.94 and asked:
            self._do("wait", "")
        else:
            self._do("join", self.chance.choice(NAMES))

    def _asked(self) -> list[str]:
        if not list(self.rig.table.context.seats):
            return []
        return [h for h in self.rig.line if self._is_asked(h)]

    def _is_asked(self, handle: str) -> bool:
        seated = [seat.handle for seat in self.rig.picture.seats]
        return handle in seated and self.rig.is_asked(handle)

    def _do(self, what: str, handle: str, answer: AnyAnswer | None = None) -> None:
        self.script.append((what, handle, answer))
        act(self.rig, what, handle, answer)


def act(rig: Rig, what: str, handle: str, answer: AnyAnswer | None) -> None:
    match what:
        case "say":
            assert answer is not None
            rig.answer(handle, answer)
        case "join":
            rig.join(handle)
        case "wait":
            rig.clock.time += 31
            rig.send(TimeUp())
        case "drop":
            rig.drop(handle)
            del rig.line[handle]
        case _:
            rig.leave(handle)
    for there, line in list(rig.line.items()):
        if line in rig.outlet.dismissed:
            del rig.line[there]


def interrupted(folder: Path, house: str, seed: int, steps: int, every: int) -> int:
    """Play an evening twice, once with a restart after every so many steps in a round.

    Returns how many there were.
    """
    options: dict[str, Any] = {
        "house": load_house(house),
        "seats": load_house(house).max_seats,
        "seed": seed,
        "pace": Pace(hold_seconds=10**6),
    }
    restarts = 0
    with Rig(folder / "whole", **options) as whole:
        evening = Evening(whole, random.Random(seed))
        for _ in range(steps):
            evening.step()
        with Rig(folder / "broken", **options) as broken:
            for number, (what, handle, answer) in enumerate(evening.script, start=1):
                act(broken, what, handle, answer)
                is_on = isinstance(broken.table.phase, Playing)
                if number % every == 0 and is_on:
                    here = list(broken.line)
                    broken.kill()
                    restarts += 1
                    for back in here:
                        broken.join(back)
            assert broken.outlet.updates == whole.outlet.updates
            for name in NAMES:
                assert broken.bank.balance(name) == whole.bank.balance(name)
    return restarts


@pytest.mark.parametrize("house", HOUSES)
def test_Q5_P10_interrupted_evenings_go_on_as_if_nothing_had_been(
    tmp_path: Path, house: str
) -> None:
    assert interrupted(tmp_path, house, seed=6, steps=100, every=1) > 8


@pytest.mark.torture
@pytest.mark.parametrize("house", HOUSES)
def test_Q5_P10_a_thousand_interruptions(
    tmp_path: Path, house: str, capsys: pytest.CaptureFixture[str]
) -> None:
    total = 0
    for seed in range(20):
        total += interrupted(tmp_path / str(seed), house, seed, steps=100, every=1)
    with capsys.disabled():
        print(f"{house}: {total} restarts in a round")
    assert total >= 125
