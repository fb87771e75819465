"""Faults that are planted in a fleet are found, and their seeds show them again."""

from pathlib import Path

import pytest

from simulation.failure import Failure
from simulation.faults import fleet
from simulation.faults.catalogue import Fault
from simulation.plan import FLEET, plan_of
from simulation.play import play

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

_WORLDS = 10
"""In so many worlds from its seed on each fault must show."""
_FAULTS = (
    Fault(fleet.pay_a_visit_twice, "a visit is paid once", 39),
    Fault(fleet.give_an_opening_balance_twice, "an opening balance is given once", 1),
    Fault(fleet.pay_what_came_in, "both halves of a visit agree", 1),
)


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda fault: fault.name)
def test_a_fault_of_a_fleet_is_found_and_found_again(
    tmp_path: Path, fault: Fault
) -> None:
    for seed in range(fault.seed, fault.seed + _WORLDS):
        plan = plan_of(seed, FLEET.rounds, FLEET)
        world, ended = play(plan, tmp_path / "world", fault=fault.plant)
        if isinstance(ended, Failure) and ended.property == fault.breaks:
            break
    assert isinstance(ended, Failure)
    assert ended.property == fault.breaks
    again, ended_again = play(plan, tmp_path / "world", fault=fault.plant)
    assert (again.digest, str(ended_again)) == (world.digest, str(ended))
