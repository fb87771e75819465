from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rig import Rig


@pytest.fixture
def lay(tmp_path: Path) -> Iterator[Callable[..., Rig]]:
    """Return a maker of tables; the books of each are audited at the end."""
    with ExitStack() as stack:

        def make(**options: Any) -> Rig:
            return stack.enter_context(Rig(tmp_path / "bank", **options))

        yield make
