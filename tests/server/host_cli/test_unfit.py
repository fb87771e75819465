"""A table that the server cannot have by its options is not opened, and harms none."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.office import Office
from support.rig import Rig

RULES = 'name = "one"\ntitle = ""\nshoe = "every_round"\ndecks = 1\n'


@pytest.mark.parametrize(
    ("options", "rules", "why"),
    [
        ({"stack": "As As"}, "", "argument --stack: there are only 1 of As in"),
        ({"seats": 7}, "max_seats = 1\nmax_spots = 4", "table one cannot have 7 seats"),
    ],
)
async def test_14_9_a_table_without_cards_for_the_options_is_not_opened(
    tmp_path: Path, options: dict[str, Any], rules: str, why: str
) -> None:
    (tmp_path / "one.toml").write_text(RULES + rules)
    with Rig(tmp_path / "bank", **options) as rig:
        rig.settings = replace(rig.settings, seats=options.get("seats"))
        office = Office(rig, tmp_path / "bank")
        reply = await office.order("open", f"one={tmp_path / 'one.toml'}")
        assert not reply.is_done
        assert why in reply.lines[0]
        assert [place.dealer.name for place in office.lobby] == ["main"]
        rig.join("ned21")  # the bank takes the next command of any table
        assert rig.balance("ned21") == 10_000
