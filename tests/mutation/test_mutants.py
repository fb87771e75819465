"""A sample of the mutants of the rules dies, as make mutants has it for all of them."""

import os
import subprocess
import sys

import pytest

from mutation.group import RULES
from mutation.overlay import ROOT


@pytest.mark.torture
def test_of_a_sample_of_mutants_as_many_die_as_are_to() -> None:
    command = [sys.executable, "-m", "mutation", RULES.name, "--minutes", "1"]
    paths = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    assert subprocess.run(command, cwd=ROOT, env=paths, check=False).returncode == 0
