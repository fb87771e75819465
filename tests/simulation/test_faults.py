"""Each fault that is planted is found, and its seed shows it again, byte for byte."""

from pathlib import Path

import pytest

from simulation.failure import Failure
from simulation.faults.catalogue import FAULTS, Fault
from simulation.plan import WHOLE, plan_of
from simulation.play import play
from simulation.shrink import shrink

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover


_WORLDS = 40
"""In so many worlds from its seed on, a thousand rounds, each fault must show, by the
property that it is to break: others may break before in some of them."""


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found_and_found_again(tmp_path: Path, fault: Fault) -> None:
    for seed in range(fault.seed, fault.seed + _WORLDS):
        plan = plan_of(seed, WHOLE.rounds)
        world, ended = play(plan, tmp_path / "world", fault=fault.plant)
        if isinstance(ended, Failure) and ended.property == fault.breaks:
            break
    assert isinstance(ended, Failure)
    assert ended.property == fault.breaks
    again, ended_again = play(plan, tmp_path / "world", fault=fault.plant)
    assert (again.digest, str(ended_again)) == (world.digest, str(ended))


def test_a_plan_shrinks_to_what_its_failure_needs(tmp_path: Path) -> None:
    fault = next(each for each in FAULTS if each.name == "show_less_money")
    plan = plan_of(fault.seed, 2)
    _, ended = play(plan, tmp_path / "world", fault=fault.plant)
    assert isinstance(ended, Failure)
    smaller = shrink(plan, ended, tmp_path, fault=fault.plant)
    _, again = play(smaller, tmp_path / "world", fault=fault.plant)
    assert isinstance(again, Failure)
    assert again.property == ended.property
    assert not smaller.incidents
    assert len(smaller.guests) == 1
