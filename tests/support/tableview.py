"""A table as the list of tables shows it, for tests of whoever reads that list."""

from typing import Any

from bj_protocol.views import Phase, TableView


def a_table(**fields: Any) -> TableView:
    known: dict[str, Any] = {
        "name": "main",
        "house": "cpsc386",
        "title": "Eight decks, even money",
        "phase": Phase.BETTING,
        "seat_count": 4,
        "handles": ("ned21", "lia9"),
        "seats_taken": 2,
        "watchers": 0,
        "minimum_bet": 100,
        "maximum_bet": None,
        "private": False,
    }
    return TableView(**(known | fields))
