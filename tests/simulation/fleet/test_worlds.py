"""Worlds of a fleet: servers, PostgreSQL, roads, disks and players, all faults on."""

from pathlib import Path

import pytest

from simulation.plan import FLEET
from simulation.run import play_rounds

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover


def test_in_worlds_of_a_fleet_every_property_holds(tmp_path: Path) -> None:
    tally = play_rounds(tmp_path, 1, 150, FLEET)
    print(tally)
    assert not tally.failures
    assert tally.judged > 0


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(7, id="a start of a server on a full disk"),
        pytest.param(10, id="a journal that fails while nobody is at a table"),
    ],
)
def test_a_world_of_a_fleet_that_was_once_broken_holds(
    tmp_path: Path, seed: int
) -> None:
    assert not play_rounds(tmp_path, seed, FLEET.rounds, FLEET).failures


def test_a_seed_repeats_its_world_of_a_fleet(tmp_path: Path) -> None:
    first, again = (play_rounds(tmp_path, 3, 25, FLEET) for _ in range(2))
    assert first.digest == again.digest
    assert first.digest != play_rounds(tmp_path, 4, 25, FLEET).digest


@pytest.mark.torture
@pytest.mark.parametrize("part", range(4))
def test_in_4_000_rounds_of_fleets_every_property_holds(
    tmp_path: Path, part: int
) -> None:
    tally = play_rounds(tmp_path, 10_000 * (1 + part), 1_000, FLEET)
    print(tally)
    assert not tally.failures
