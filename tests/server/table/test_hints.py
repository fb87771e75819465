"""A table where hints are forbidden says so wherever its rules are told."""

from dataclasses import replace

import pytest

from bj_server.settings import load_house
from support.rig import Lay


@pytest.mark.parametrize("hints", [True, False])
def test_everyone_sees_whether_hints_are_forbidden(lay: Lay, hints: bool) -> None:
    rig = lay(house=replace(load_house("cpsc386"), hints=hints))
    rig.join("ned21")
    house = rig.picture.house
    assert ("hints" in house.terms) is not hints
    assert house.terms.get("hints", True) is hints
    assert any("Hints are forbidden" in rule for rule in house.rules) is not hints
    title = rig.dealer.view(is_private=False).title
    assert title.endswith(", no hints") is not hints
