"""Runs of many worlds, one seed after the other."""

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path

from simulation.failure import Failure
from simulation.plan import WHOLE, Kind, plan_of
from simulation.play import play, seldom_tidied
from simulation.shrink import shrink
from simulation.world import Outcome, World


@dataclass(slots=True)
class Tally:
    """What came of some worlds."""

    first: int
    """The first seed."""
    worlds: int = 0
    rounds: int = 0
    judged: int = 0
    proofs: int = 0
    starts: int = 0
    seconds: float = 0.0
    """Of the worlds' own time."""
    real: float = 0.0
    """Seconds of this process."""
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    _digests: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        return hashlib.sha256("".join(self._digests).encode()).hexdigest()

    @property
    def times(self) -> float:
        """How many times as fast as the clock on the wall the worlds go."""
        return self.seconds / self.real

    def add(self, seed: int, world: World, ended: Failure | Outcome) -> None:
        """Count a world."""
        self.worlds += 1
        self.seconds += world.agenda.now - 1000
        self.rounds += world.rounds
        self.starts += world.starts
        if isinstance(ended, Failure):
            self.failures.append((seed, ended))
            self._digests.append(str(ended))
        else:
            self.judged += ended.judged
            self.proofs += ended.proofs
            self._digests.append(ended.digest)

    def __str__(self) -> str:
        broken = "".join(f"\nseed {seed}: {why}" for seed, why in self.failures)
        last = self.first + self.worlds - 1
        return (
            f"seeds {self.first} to {last}: {self.rounds} rounds, {self.judged} judged "
            f"by the reference, {self.proofs} proofs, {self.starts} servers, "
            f"{self.seconds:.0f} seconds of theirs in {self.real:.0f} of ours, "
            f"{self.times:.0f} times as fast, {len(self.failures)} failed"
            f"\ndigest {self.digest}{broken}"
        )


def play_rounds(folder: Path, seed: int, rounds: int, kind: Kind = WHOLE) -> Tally:
    """Play as many worlds of a kind as have so many rounds, from a seed on."""
    tally, began = Tally(seed), time.process_time()
    with seldom_tidied():
        for number in range(seed, seed + max(1, rounds // kind.rounds)):
            plan = plan_of(number, min(rounds, kind.rounds), kind)
            try:
                tally.add(number, *play(plan, folder / "world"))
            except Exception as error:
                error.add_note(f"This was the world of seed {number}.")
                raise
    tally.real = time.process_time() - began
    return tally


def explain(folder: Path, seed: int, failure: Failure, kind: Kind = WHOLE) -> str:
    """Shrink a world that failed, and tell what happens in it."""
    plan = shrink(plan_of(seed, kind.rounds, kind), failure, folder)
    world, ended = play(plan, folder / "world", trace=200)
    return "\n".join([f"{plan}", *world.trace, f"{ended}"])
