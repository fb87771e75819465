"""Worlds of a server, its disk, its lines and its guests, with all faults on."""

from pathlib import Path

import pytest

from simulation.run import play_rounds

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

_PARTS = 4
_ROUNDS = 250
"""In each part; ten worlds."""


@pytest.mark.parametrize("part", range(_PARTS))
def test_in_worlds_with_all_faults_every_property_holds(
    tmp_path: Path, part: int
) -> None:
    tally = play_rounds(tmp_path, 1 + 10 * part, _ROUNDS)
    print(tally)
    assert not tally.failures
    assert tally.proofs > 0


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(107, id="a gift before one joined, and after the question"),
        pytest.param(139, id="a bank that stalls while the round is called"),
    ],
)
def test_a_world_that_was_once_broken_holds(tmp_path: Path, seed: int) -> None:
    assert not play_rounds(tmp_path, seed, 25).failures


def test_a_seed_repeats_its_world(tmp_path: Path) -> None:
    first, again = (play_rounds(tmp_path, 3, 25) for _ in range(2))
    assert first.digest == again.digest
    assert first.digest != play_rounds(tmp_path, 4, 25).digest


@pytest.mark.torture
@pytest.mark.parametrize("part", range(20))
def test_in_50_000_rounds_every_property_holds(tmp_path: Path, part: int) -> None:
    tally = play_rounds(tmp_path, 1000 + 100 * part, 2_500)
    print(tally)
    assert not tally.failures
