import random
from collections.abc import Iterator

import pytest

from support.company import repeatable


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have the secrets and links of each test be the same whenever it runs."""
    with repeatable(random.Random(request.node.name)):
        yield
