"""Q22: the last 20 rounds of each handle, by the journal and as they were told.

Evenings of all houses, with players who come, go, are late and lose their lines, in
servers that are stopped and killed, over segments that are closed and packed.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bj_protocol.action import Action
from bj_server.history.recall import recall
from bj_server.settings import HOUSES, load_house
from bj_server.table.clock import Pace
from bj_server.table.inbox import TimeUp
from support.gambler import legal_answer
from support.linked import LinkedRig
from support.memory import Memory

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

NAMES = ("ned21", "lia9", "ibad", "tess", "newt", "otto")
MOST = 20


@dataclass
class Evening:
    """One table, and the memory of what was told there."""

    rig: LinkedRig
    chance: random.Random
    memory: Memory = field(default_factory=Memory)
    every: int = 60
    """After so many rounds the server is interrupted."""
    lives: int = 1

    async def play(self, rounds: int) -> None:
        """Play until the players have had so many rounds together."""
        told, is_due = 0, False
        while told < rounds:
            self._step()
            self.memory.hear(self.rig.outlet.updates)
            over = sum(map(len, self.memory.rounds.values()))
            if over > told:
                await self.rig.bank.till("main").commit()
                is_due = is_due or over // self.every > told // self.every
                # A bet that was not dealt comes back at the start, before any update.
                if is_due and not self.memory.has_bets:
                    self._interrupt()
                    is_due = False
                if over // 20 > told // 20:
                    self.compare()
                told = over

    def compare(self) -> None:
        """Recall the rounds of every handle."""
        till = self.rig.bank.till("main")
        for name in self.memory.rounds:
            mark = till.bookmark(name)
            self.memory.compare(name, recall(mark, MOST), MOST)
            few = self.chance.randint(1, 3)
            self.memory.compare(name, recall(mark, few), few)

    def _interrupt(self) -> None:
        """End the server, one way or the other, and start another."""
        here = list(self.rig.line)
        if self.chance.random() < 0.5:
            self.rig.kill()
        else:
            self.rig.restart()
        self.lives += 1
        for handle in here:
            self._join(handle)

    def _step(self) -> None:
        asked = [h for h in self.rig.line if self._is_asked(h)]
        roll = self.chance.random()
        if asked and roll < 0.92:
            self._answer(self.chance.choice(asked))
        elif roll < 0.94 and self.rig.line:
            handle = self.chance.choice(list(self.rig.line))
            if self.chance.random() < 0.5:
                self.rig.leave(handle)
            else:
                self.rig.drop(handle)
                del self.rig.line[handle]
        elif roll < 0.97:
            self.rig.clock.time += 31
            self.rig.send(TimeUp())
        elif self.rig.line.keys() != set(NAMES):
            self._join(self.chance.choice(NAMES))
        for there, line in list(self.rig.line.items()):
            if line in self.rig.outlet.dismissed:
                del self.rig.line[there]

    def _is_asked(self, handle: str) -> bool:
        seats = [seat.handle for seat in self.rig.table.context.seats]
        return handle in seats and self.rig.is_asked(handle)

    def _join(self, handle: str) -> None:
        line = self.rig.knock(handle, handle)
        if line not in self.rig.outlet.dismissed:
            self.rig.line[handle] = line

    def _answer(self, handle: str) -> None:
        ask = self.rig.ask(handle)
        answer = legal_answer(self.chance, ask)
        if answer.type is Action.SIT_OUT:
            return
        self.memory.hear(self.rig.outlet.updates)
        self.memory.said(handle, ask, answer)
        assert self.rig.answer(handle, answer) is None


async def evening(
    folder: Path, house: str, seed: int, rounds: int, every: int
) -> Evening:
    rules = load_house(house)
    with LinkedRig(
        folder / "life-0",
        house=rules,
        seats=min(4, rules.max_seats),
        pace=Pace(hold_seconds=100),
        segment_bytes=60_000,
    ) as rig:
        played = Evening(rig, random.Random(seed), every=every)
        await played.play(rounds)
        played.compare()
    return played


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """Have all secrets follow from a seed."""
    drawn = random.Random(22)
    monkeypatch.setattr("secrets.token_hex", lambda size: drawn.randbytes(size).hex())
    return drawn


@pytest.mark.usefixtures("chance")
@pytest.mark.parametrize("house", HOUSES)
async def test_Q22_the_last_rounds_are_recalled_as_they_were_told(
    tmp_path: Path, house: str
) -> None:
    played = await evening(tmp_path, house, seed=22, rounds=21, every=10)
    assert played.lives > 1


@pytest.mark.torture
@pytest.mark.usefixtures("chance")
async def test_Q22_ten_thousand_rounds_are_recalled_as_they_were_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    total = lives = 0
    for number, house in enumerate(HOUSES):
        need = -(-10_000 // len(HOUSES))
        played = await evening(
            tmp_path / house, house, seed=number, rounds=need, every=60
        )
        total += sum(map(len, played.memory.rounds.values()))
        lives += played.lives
    with capsys.disabled():
        print(f"Q22: {total} of {total} rounds recalled as told, over {lives} servers")
    assert total >= 10_000
