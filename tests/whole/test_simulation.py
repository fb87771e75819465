"""Q6: evenings in which anything happens, by a seed; the invariants hold all along.

Players come, answer rightly and wrongly, lose their lines, come back, let the time pass
and leave, at tables of every house. What fails names the house and the seed, and these
two play the same evening again, to the last byte.
"""

import hashlib
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bj_game.card import PACK
from bj_protocol.codec import encode
from bj_protocol.commands import Resync
from bj_protocol.messages import Refused
from bj_server.settings import HOUSES, load_house
from bj_server.table.inbox import FromLine
from support.gambler import any_answer, legal_answer
from support.rig import Rig, state_of
from whole.invariant import Invariants

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

NAMES = ("ned21", "lia9", "ibad", "tess", "kim")
ROUNDS = 25
"""In an evening."""


class Evening:
    """One table, and all that happens there."""

    def __init__(self, rig: Rig, chance: random.Random) -> None:
        self._rig = rig
        self._chance = chance
        self._context = rig.table.context
        self.invariants = Invariants(rig)
        self.commands = 0

    def play(self, rounds: int) -> None:
        while self.invariants.rounds < rounds:
            self._choose()()
            self.commands += 1
            self.invariants.check()
            assert self.commands < rounds * 500, "the table is stuck"

    def _choose(self) -> Callable[[], None]:
        asked = any(seat.ask for seat in self._context.seats)
        if asked and self._chance.random() < 0.7:
            return self._answer_rightly
        acts = (self._come, self._answer_somehow, self._wait, self._drop, self._leave)
        return self._chance.choices((*acts, self._look), (20, 40, 15, 10, 5, 10))[0]

    def _answer_rightly(self) -> None:
        asked = [seat for seat in self._context.seats if seat.ask]
        seat = self._chance.choice(asked)
        assert seat.ask is not None
        refused = self._rig.answer(seat.handle, legal_answer(self._chance, seat.ask))
        if refused is not None:  # more spots than money, or nobody on the line any more
            assert refused.code in ("not_enough_funds", "not_seated"), refused

    def _answer_somehow(self) -> None:
        before = state_of(self._rig.table)
        name = self._someone()
        if name is None:
            return
        answer = any_answer(self._chance, self._context.last_prompt)
        refused = self._rig.answer(name, answer)
        if isinstance(refused, Refused):
            assert refused.text
            assert state_of(self._rig.table) == before

    def _come(self) -> None:
        """Sit down, or take one's seat over from another line."""
        self._rig.join(self._chance.choice(NAMES))

    def _wait(self) -> None:
        self._rig.wait(self._chance.choice((0.5, 5, 29, 30, 31, 61)))

    def _drop(self) -> None:
        if (name := self._someone()) is not None:
            self._rig.drop(name)

    def _leave(self) -> None:
        if (name := self._someone()) is not None:
            self._rig.leave(name)

    def _look(self) -> None:
        if (name := self._someone()) is not None:
            self._rig.send(FromLine(self._rig.line[name], Resync()))

    def _someone(self) -> str | None:
        """Choose among all who have ever come; their last line may be gone."""
        return self._chance.choice(list(self._rig.line) or [None])


def play_evening(
    folder: Path, house_name: str, seed: int, rounds: int
) -> tuple[int, str]:
    """Play an evening; return its commands, and a digest of all that was announced."""
    chance, house = random.Random(f"{house_name} {seed}"), load_house(house_name)
    cards = chance.sample(PACK, len(PACK)) if chance.random() < 0.3 else []
    with Rig(
        folder,
        house=house,
        seats=chance.randint(1, min(4, house.max_seats)),
        seed=seed,
        stack=" ".join(map(str, cards)) if house.shoe != "never_refilled" else "",
    ) as rig:
        evening = Evening(rig, chance)
        try:
            evening.play(rounds)
        except Exception as error:
            error.add_note(f"This was play_evening(..., {house_name!r}, {seed}, ...).")
            raise
        said = "\n".join(map(encode, rig.outlet.updates))
    return evening.commands, hashlib.sha256(said.encode()).hexdigest()


def play_evenings(folder: Path, rounds: int) -> str:
    evenings, commands = rounds // ROUNDS, 0
    for number in range(evenings):
        house = HOUSES[number % len(HOUSES)]
        bank = folder / str(number)
        commands += play_evening(bank, house, number, ROUNDS)[0]
        shutil.rmtree(bank)  # thousands of them would fill the disk
    return (
        f"{evenings} evenings, {evenings * ROUNDS} rounds, {commands} commands: "
        "0 invariants were broken"
    )


def test_Q6_in_500_rounds_of_anything_the_invariants_hold(tmp_path: Path) -> None:
    print(play_evenings(tmp_path, 500))


@pytest.mark.torture
def test_Q6_in_100_000_rounds_of_anything_the_invariants_hold(tmp_path: Path) -> None:
    print(play_evenings(tmp_path, 100_000))


def test_Q6_a_seed_repeats_its_evening(tmp_path: Path) -> None:
    evenings = [
        play_evening(tmp_path / str(number), "cpsc386", seed, 3)
        for seed in (1, 2)
        for number in range(10 * seed, 10 * seed + 5)
    ]
    assert len(set(evenings)) == 2
    assert evenings.count(evenings[0]) == 5
