"""Every sequence of answers to stacked shoes comes out as it did when it was walked."""

import pytest

from game.walking import FOLDER, Case, read

CASES = [
    pytest.param(case, id=f"{path.stem} {number}")
    for path in sorted(FOLDER.glob("*.json"))
    for number, case in enumerate(read(path))
]


@pytest.mark.no_cover  # the same lines, over and over
@pytest.mark.parametrize("case", CASES)
def test_a_short_walk_is_as_it_was(case: Case) -> None:
    assert case.walk(case.found[0].depth) == case.found[0]


@pytest.mark.torture
@pytest.mark.parametrize("case", CASES)
def test_each_walk_is_as_it_was(case: Case) -> None:
    assert [case.walk(found.depth) for found in case.found] == case.found
