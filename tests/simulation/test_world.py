"""Worlds of a server, its disk, its lines and its guests, with all faults on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.plan import BARE, WHOLE, Kind
from simulation.run import play_rounds

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

_ROUNDS = {WHOLE: (6, 125), BARE: (31, 300)}
"""The parts for each kind of worlds, and the rounds in each part: 10,050 in all."""
_PARTS = [
    pytest.param(kind, part, id=f"{'whole' if kind.has_net else 'bare'}-{part}")
    for kind, (parts, _) in _ROUNDS.items()
    for part in range(parts)
]


@pytest.mark.parametrize(("kind", "part"), _PARTS)
def test_in_worlds_with_all_faults_every_property_holds(
    tmp_path: Path, kind: Kind, part: int
) -> None:
    tally = play_rounds(tmp_path, 1 + 100 * part, _ROUNDS[kind][1], kind)
    print(tally)
    assert not tally.failures
    assert tally.judged > 0


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param(WHOLE, 84, id="a bank that stalls while the round is called"),
        pytest.param(WHOLE, 6, id="a pause whose number another run gives again"),
        pytest.param(
            WHOLE, 10_018, id="a pause whose number is of a stand at a restart"
        ),
        pytest.param(WHOLE, 13, id="a power cut after which questions count anew"),
        pytest.param(BARE, 20_086, id="rounds missed at a table that proves none"),
        pytest.param(BARE, 20_237, id="a thread that waits for one on a slow disk"),
        pytest.param(WHOLE, 130_000, id="a good-bye before all that was missed"),
        pytest.param(WHOLE, 120_007, id="a stop on a full disk before a power cut"),
        pytest.param(BARE, 20_165, id="a disk that fails while somebody looks back"),
        pytest.param(BARE, 50_262, id="a picture of what a restart has lost"),
    ],
)
def test_a_world_that_was_once_broken_holds(
    tmp_path: Path, kind: Kind, seed: int
) -> None:
    assert not play_rounds(tmp_path, seed, kind.rounds, kind).failures


@pytest.mark.parametrize("kind", [WHOLE, BARE], ids=["whole", "bare"])
def test_a_seed_repeats_its_world(tmp_path: Path, kind: Kind) -> None:
    first, again = (play_rounds(tmp_path, 3, 25, kind) for _ in range(2))
    assert first.digest == again.digest
    assert first.digest != play_rounds(tmp_path, 4, 25, kind).digest


def test_a_seed_repeats_its_world_whatever_the_number_of_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = set[str]()
    for number in (7, 4_000_000):  # the bank writes it, and the power fails
        monkeypatch.setattr(os, "getpid", lambda number=number: number)
        digests.add(play_rounds(tmp_path, 20_014, 100, BARE).digest)
    assert len(digests) == 1


def test_a_seed_repeats_its_world_in_another_process(tmp_path: Path) -> None:
    digest = play_rounds(tmp_path, 2, 10).digest
    for hashes in ("0", "1"):
        told = subprocess.run(
            [sys.executable, "-m", "simulation", "--seed", "2", "--rounds", "10"],
            env={**os.environ, "PYTHONHASHSEED": hashes},
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        assert f"digest {digest}\n" in told


@pytest.mark.torture
@pytest.mark.parametrize("part", range(20))
def test_in_1_000_000_rounds_every_property_holds(tmp_path: Path, part: int) -> None:
    for kind, rounds in ((WHOLE, 500), (BARE, 49_500)):
        tally = play_rounds(tmp_path, 10_000 * (1 + part), rounds, kind)
        print(tally)
        assert not tally.failures
