"""A table that was just joined."""

import pytest

from bj_client.model.table import Table
from support.message import make_snapshot


@pytest.fixture
def table() -> Table:
    """Return a table with lia9 at seat 1 and this player, ned21, at seat 2."""
    return Table(make_snapshot())
