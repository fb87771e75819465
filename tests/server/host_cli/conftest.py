"""A host before one table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import Office
from support.rig import Rig


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Rig(tmp_path / "bank") as rig:
        yield Office(rig, tmp_path / "bank")
