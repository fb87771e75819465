"""Runs of many worlds, one seed after the other."""

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path

from simulation.failure import Failure
from simulation.plan import WHOLE, Kind, plan_of
from simulation.play import play
from simulation.shrink import shrink


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

    def add(self, digest: str) -> None:
        self._digests.append(digest)

    def __str__(self) -> str:
        broken = "".join(f"\nseed {seed}: {why}" for seed, why in self.failures)
        last = self.first + self.worlds - 1
        return (
            f"seeds {self.first} to {last}: {self.rounds} rounds, {self.judged} judged "
            f"by the reference, {self.proofs} proofs, {self.starts} servers, "
            f"{self.seconds:.0f} seconds of theirs in {self.real:.0f} of ours, "
            f"{len(self.failures)} failed\ndigest {self.digest}{broken}"
        )


def play_rounds(folder: Path, seed: int, rounds: int, kind: Kind = WHOLE) -> Tally:
    """Play as many worlds of a kind as have so many rounds, from a seed on."""
    tally, began = Tally(seed), time.process_time()
    for number in range(seed, seed + max(1, rounds // kind.rounds)):
        plan = plan_of(number, min(rounds, kind.rounds), kind)
        try:
            world, ended = play(plan, folder / "world")
        except Exception as error:
            error.add_note(f"This was the world of seed {number}.")
            raise
        tally.worlds += 1
        tally.seconds += world.agenda.now - 1000
        tally.rounds += world.monitor.rounds
        tally.starts += world.watchman.starts
        if isinstance(ended, Failure):
            tally.failures.append((number, ended))
            tally.add(str(ended))
        else:
            tally.judged += ended.judged
            tally.proofs += ended.proofs
            tally.add(ended.digest)
    tally.real = time.process_time() - began
    return tally


def explain(folder: Path, seed: int, failure: Failure, kind: Kind = WHOLE) -> str:
    """Shrink a world that failed, and tell what happens in it."""
    plan = shrink(plan_of(seed, kind.rounds, kind), failure, folder)
    world, ended = play(plan, folder / "world", trace=200)
    return "\n".join([f"{plan}", *world.trace, f"{ended}"])
